/** Example messages, and what toll-free numbers and The Campaign Registry ask beside. */
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { putExamples, putTcr, putTollFree } from '@parley/contract/registrations/registration.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';

export function ExamplesStep({ sender, saver }: StepProps) {
  const saved = sender.registration.example_messages?.messages ?? ['', ''];
  const form = useSection({
    endpoint: putExamples,
    params: { id: sender.id },
    draftKey: `examples.${sender.id}`,
    saver,
    labels: { messages: 'The example' },
    initial: { messages: saved as string[] },
  });
  const [count, setCount] = useState(Math.max(2, form.getValues().messages.length));
  return (
    <div className={styles.form}>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className={styles.example}>
          <Textarea
            label={`Example ${index + 1}`}
            {...(index === 0
              ? { description: 'As people will read it: with your name, and with STOP in one of them.' }
              : {})}
            required
            autosize
            minRows={2}
            maxLength={1_024}
            key={form.key(`messages.${index}`)}
            {...form.getInputProps(`messages.${index}`)}
          />
          {index >= 2 && index === count - 1 && (
            <div>
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  form.removeListItem('messages', index);
                  setCount(count - 1);
                }}
              >
                Remove example {index + 1}
              </Button>
            </div>
          )}
        </div>
      ))}
      {count < 5 && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => {
              form.insertListItem('messages', '');
              setCount(count + 1);
            }}
          >
            Add an example
          </Button>
        </div>
      )}
    </div>
  );
}

export function TollFreeStep({ sender, saver }: StepProps) {
  const { user } = useSession();
  const saved = sender.registration.toll_free;
  const form = useSection({
    endpoint: putTollFree,
    params: { id: sender.id },
    draftKey: `toll_free.${sender.id}`,
    saver,
    labels: { notification_email: 'E-mail' },
    initial: {
      notification_email: saved?.notification_email ?? user.email,
      additional_information: saved?.additional_information ?? '',
    },
  });
  return (
    <div className={styles.form}>
      <TextInput
        label="E-mail"
        description="Where carriers write about the verification."
        type="email"
        required
        key={form.key('notification_email')}
        {...form.getInputProps('notification_email')}
      />
      <Textarea
        label="Anything else reviewers should know"
        autosize
        minRows={3}
        maxLength={500}
        key={form.key('additional_information')}
        {...form.getInputProps('additional_information')}
      />
    </div>
  );
}

const FLAGS = [
  ['embedded_link', 'Messages contain links'],
  ['embedded_phone', 'Messages contain phone numbers'],
  ['age_gated', 'For adults only'],
  ['direct_lending', 'About loans'],
] as const;

export function TcrStep({ sender, saver }: StepProps) {
  const { account } = useSession();
  const saved = sender.registration.tcr;
  const form = useSection({
    endpoint: putTcr,
    params: { id: sender.id },
    draftKey: `tcr.${sender.id}`,
    saver,
    labels: {
      tax_id: 'Tax number',
      tax_country: 'Country of the tax number',
      privacy_policy_url: 'Privacy policy',
      terms_url: 'Terms',
    },
    initial: {
      tax_id: saved?.tax_id ?? account.vat_number,
      tax_country: saved?.tax_country ?? account.country_code,
      stock_symbol: saved?.stock_symbol ?? '',
      stock_exchange: saved?.stock_exchange ?? '',
      privacy_policy_url: saved?.privacy_policy_url ?? '',
      terms_url: saved?.terms_url ?? '',
      embedded_link: saved?.embedded_link ?? false,
      embedded_phone: saved?.embedded_phone ?? false,
      age_gated: saved?.age_gated ?? false,
      direct_lending: saved?.direct_lending ?? false,
    },
  });
  const field = (name: string) => ({ key: form.key(name), ...form.getInputProps(name) });
  return (
    <div className={styles.form}>
      <div className={styles.pair}>
        <TextInput
          label="Tax number"
          description="EIN in the United States, else the VAT number."
          required
          maxLength={21}
          {...field('tax_id')}
        />
        <CountrySelect
          label="Country of the tax number"
          description="Which authority gave it."
          required
          {...field('tax_country')}
        />
      </div>
      {sender.registration.company?.entity_type === 'public_profit' && (
        <div className={styles.pair}>
          <TextInput label="Stock symbol" maxLength={10} {...field('stock_symbol')} />
          <TextInput label="Stock exchange" maxLength={30} {...field('stock_exchange')} />
        </div>
      )}
      <TextInput
        label="Privacy policy"
        placeholder="https://"
        type="url"
        maxLength={300}
        {...field('privacy_policy_url')}
      />
      <TextInput label="Terms" placeholder="https://" type="url" maxLength={300} {...field('terms_url')} />
      <fieldset className={styles.form} style={{ gap: 8, border: 0, margin: 0, padding: 0 }}>
        <legend className={styles.heading}>What the messages contain</legend>
        {FLAGS.map(([name, label]) => (
          <Checkbox key={form.key(name)} label={label} {...form.getInputProps(name, { type: 'checkbox' })} />
        ))}
      </fieldset>
    </div>
  );
}
