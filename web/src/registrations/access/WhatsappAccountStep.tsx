/** The number and display name of a WhatsApp sender. */
import { Radio, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { listOwnNumbers, putWhatsapp } from '@parley/contract/registrations/access.ts';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import { Field } from '../../ui/form/Field.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';
import { OwnNumberField } from './OwnNumberField.tsx';

export function WhatsappAccountStep({ sender, saver }: StepProps) {
  const saved = sender.registration.whatsapp;
  const form = useSection({
    endpoint: putWhatsapp,
    params: { id: sender.id },
    draftKey: `whatsapp_account.${sender.id}`,
    saver,
    labels: { phone_number: 'Number', display_name: 'Display name' },
    initial: {
      number_from: (saved?.number_from ?? 'own') as string,
      phone_number: saved?.phone_number ?? '',
      display_name: saved?.display_name ?? '',
      meta_business_id: saved?.meta_business_id ?? '',
    },
    check: ({ phone_number }) => ({ phone_number: phone_number.trim() ? null : 'Number is required!' }),
  });
  return (
    <div className={styles.form}>
      <NumberFields form={form} sender_id={sender.id} />
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
    </div>
  );
}

interface NumberFieldsProps {
  form: UseFormReturnType<{
    number_from: string;
    phone_number: string;
    display_name: string;
    meta_business_id: string;
  }>;
  sender_id: string;
}

/** A number from another provider, or one of the numbers in this account. */
function NumberFields({ form, sender_id }: NumberFieldsProps) {
  const numbers = useEndpoint(listOwnNumbers).data?.data;
  const [source, setSource] = useState(form.getValues().number_from);
  const [number, setNumber] = useState(form.getValues().phone_number);
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
