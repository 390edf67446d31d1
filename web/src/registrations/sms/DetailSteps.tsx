/** Example messages, and the additional details for toll-free numbers and The Campaign Registry. */
import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { putExamples, putTcr, putTollFree } from '@parley/contract/registrations/registration.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { ExampleFields } from '../../ui/form/ExampleFields.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import type { StepProps } from '../PurposeSteps.tsx';
import styles from '../Registrations.module.css';
import { useSection } from '../section.ts';

export function ExamplesStep({ sender, saver }: StepProps) {
  const form = useSection({
    endpoint: putExamples,
    params: { id: sender.id },
    draftKey: `examples.${sender.id}`,
    saver,
    labels: { messages: 'The example' },
    initial: { messages: (sender.registration.example_messages?.messages ?? ['', '']) as string[] },
  });
  return (
    <div className={styles.form}>
      <ExampleFields
        form={form}
        name="messages"
        min={2}
        maxLength={1_024}
        description="As recipients will read it. Include your company name, and mention STOP in at least one example."
      />
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
    labels: { notification_email: 'Email' },
    initial: {
      notification_email: saved?.notification_email ?? user.email,
      additional_information: saved?.additional_information ?? '',
    },
  });
  return (
    <div className={styles.form}>
      <Field
        form={form}
        name="notification_email"
        as={TextInput}
        label="Email"
        description="Carriers will use this address for questions about the verification."
        type="email"
      />
      <Field
        form={form}
        name="additional_information"
        as={Textarea}
        label="Additional information for reviewers"
        autosize
        minRows={3}
        maxLength={500}
      />
    </div>
  );
}

const FLAGS = [
  ['embedded_link', 'Links'],
  ['embedded_phone', 'Phone numbers'],
  ['age_gated', 'Age-restricted content'],
  ['direct_lending', 'Loan offers'],
] as const;
const LABELS = {
  tax_id: 'Tax number',
  tax_country: 'Issuing country',
  privacy_policy_url: 'Privacy policy',
  terms_url: 'Terms of service',
};

export function TcrStep({ sender, saver }: StepProps) {
  const { account } = useSession();
  const saved = sender.registration.tcr;
  const form = useSection({
    endpoint: putTcr,
    params: { id: sender.id },
    draftKey: `tcr.${sender.id}`,
    saver,
    labels: LABELS,
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
  const urlField = (name: 'privacy_policy_url' | 'terms_url') => (
    <Field
      form={form}
      name={name}
      as={TextInput}
      label={LABELS[name]}
      placeholder="https://"
      type="url"
      maxLength={300}
    />
  );
  return (
    <div className={styles.form}>
      <Pair>
        <Field
          form={form}
          name="tax_id"
          as={TextInput}
          label="Tax number"
          description="EIN in the United States, VAT number elsewhere."
          maxLength={21}
        />
        <Field
          form={form}
          name="tax_country"
          as={CountrySelect}
          label="Issuing country"
          description="The country that issued the tax number."
        />
      </Pair>
      {sender.registration.company?.entity_type === 'public_profit' && (
        <Pair>
          <Field form={form} name="stock_symbol" as={TextInput} label="Stock symbol" maxLength={10} />
          <Field form={form} name="stock_exchange" as={TextInput} label="Stock exchange" maxLength={30} />
        </Pair>
      )}
      {urlField('privacy_policy_url')}
      {urlField('terms_url')}
      <fieldset className={styles.form} style={{ gap: 8, border: 0, margin: 0, padding: 0 }}>
        <legend className={styles.heading}>Your messages contain</legend>
        {FLAGS.map(([name, label]) => (
          <Field key={name} form={form} name={name} as={Checkbox} type="checkbox" label={label} />
        ))}
      </fieldset>
    </div>
  );
}
