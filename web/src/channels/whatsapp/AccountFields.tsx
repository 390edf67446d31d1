/** The number and display name of a WhatsApp sender. */
import { Radio, Select, TextInput } from '@mantine/core';
import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import { Field } from '../../ui/form/Field.tsx';
import styles from '../Access.module.css';
import type { StepFieldsProps } from '../access_view.ts';
import { OwnNumberField } from './OwnNumberField.tsx';

export function AccountFields({ form, sender_id }: StepFieldsProps) {
  return (
    <>
      <NumberFields form={form} sender_id={sender_id} />
      <p className={styles.hint}>
        If the number is already used in a WhatsApp app, delete that WhatsApp account first. A number cannot be used in
        both places.
      </p>
      <Field
        form={form}
        name="display_name"
        as={TextInput}
        label="Display name"
        description="Shown above the conversation. It must match your business name and appear on your website."
        maxLength={60}
      />
      <Field
        form={form}
        name="meta_business_id"
        as={TextInput}
        label="Meta business ID"
        description="The ID of your Meta business portfolio."
        inputMode="numeric"
        maxLength={20}
      />
    </>
  );
}

/** A number from another provider, or one of the numbers in this account. */
function NumberFields({ form, sender_id }: StepFieldsProps) {
  const numbers = useEndpoint(listOwnNumbers).data?.data;
  const [source, setSource] = useState<string>(form.getValues().number_from);
  const [number, setNumber] = useState<string>(form.getValues().phone_number);
  const changeNumber = (value: string) => {
    setNumber(value);
    form.setFieldValue('phone_number', value);
  };
  const error = form.getInputProps('phone_number').error as string | undefined;
  const accountNumbers = numbers?.filter((one) => one.source === 'account') ?? [];
  const hasNone = numbers !== undefined && accountNumbers.length === 0;
  return (
    <>
      <Radio.Group
        label="Number source"
        value={source}
        onChange={(value) => {
          setSource(value);
          form.setFieldValue('number_from', value);
          changeNumber('');
        }}
      >
        <div className={styles.radios}>
          <Radio value="own" label="A number from another provider" />
          <Radio
            value="account"
            label="A number in this account"
            disabled={hasNone}
            {...(hasNone ? { description: 'This account has no suitable numbers.' } : {})}
          />
        </div>
      </Radio.Group>
      {source === 'own' ? (
        <OwnNumberField sender_id={sender_id} number={number} numbers={numbers} error={error} onChange={changeNumber} />
      ) : (
        <Select
          label="Number"
          description="The number can still send and receive SMS."
          placeholder="Choose a number"
          required
          data={accountNumbers.map((one) => ({ value: one.number, label: parsePhone(one.number).text }))}
          value={number || null}
          error={error}
          data-path="phone_number"
          onChange={(value) => changeNumber(value ?? '')}
        />
      )}
    </>
  );
}
