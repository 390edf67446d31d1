/** The number that becomes the sender of WhatsApp, and the name people see. */
import { Radio, Select, TextInput } from '@mantine/core';
import { listOwnNumbers, putWhatsapp } from '@parley/contract/registrations/access.ts';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { parsePhone } from '../../ui/data/phone.ts';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';
import { OwnNumberField } from './OwnNumberField.tsx';

export function WhatsappAccountStep({ sender, saver }: StepProps) {
  const saved = sender.registration.whatsapp;
  const numbers = useEndpoint(listOwnNumbers).data?.data;
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
  const [from, setFrom] = useState(form.getValues().number_from);
  const [number, setNumber] = useState(form.getValues().phone_number);
  const choose = (value: string) => {
    setNumber(value);
    form.setFieldValue('phone_number', value);
  };
  const field = (name: string) => ({ key: form.key(name), ...form.getInputProps(name) });
  const error = form.getInputProps('phone_number').error as string | undefined;
  const mine = numbers?.filter(({ source }) => source === 'account') ?? [];
  return (
    <div className={styles.form}>
      <Radio.Group
        label="Which number"
        value={from}
        onChange={(value) => {
          setFrom(value);
          form.setFieldValue('number_from', value);
          choose('');
        }}
      >
        <div className={styles.radios}>
          <Radio value="own" label="One you have elsewhere" />
          <Radio
            value="account"
            label="A number of this account"
            disabled={numbers !== undefined && mine.length === 0}
            {...(numbers !== undefined && mine.length === 0 ? { description: 'You have none yet.' } : {})}
          />
        </div>
      </Radio.Group>
      {from === 'own' ? (
        <OwnNumberField sender_id={sender.id} number={number} numbers={numbers} error={error} onChange={choose} />
      ) : (
        <Select
          label="Number"
          description="It goes on sending and receiving SMS."
          placeholder="Choose a number"
          required
          data={mine.map((one) => ({ value: one.number, label: parsePhone(one.number).text }))}
          value={number || null}
          error={error}
          data-path="phone_number"
          onChange={(value) => choose(value ?? '')}
        />
      )}
      <p className={styles.hint}>
        A number that is used with a WhatsApp app has to be deleted there first: it cannot be at both.
      </p>
      <TextInput
        label="Display name"
        description="People see it above the conversation. It has to show your business, and your website has to show the name."
        required
        maxLength={60}
        {...field('display_name')}
      />
      <TextInput
        label="Meta business id"
        description="Of your business portfolio at Meta, if you have one. Otherwise leave it empty."
        inputMode="numeric"
        maxLength={20}
        {...field('meta_business_id')}
      />
    </div>
  );
}
