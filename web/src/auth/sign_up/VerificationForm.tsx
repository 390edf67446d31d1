import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { COMPANY_SIZES, INTERESTS } from '@parley/contract/accounts/accounts.ts';
import { type AccountReview, submitVerification } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { CHANNEL_INTERESTS } from '../../channels/index.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import styles from '../Auth.module.css';
import { IndustrySelect } from './IndustrySelect.tsx';
import { type Draft, discardDraft, loadDraft, storeDraft } from './verification_draft.ts';

const INTEREST_LABELS: Readonly<Record<string, string>> = {
  ...CHANNEL_INTERESTS,
  two_way: 'Customer conversations in the inbox',
  api: 'Sending through the API',
  campaigns: 'Campaigns',
  verification: 'Verification codes',
};
const VOLUMES = [
  { value: 'under_1000', label: 'Fewer than 1,000' },
  { value: '1000_10000', label: '1,000 to 10,000' },
  { value: '10000_100000', label: '10,000 to 100,000' },
  { value: 'over_100000', label: 'More than 100,000' },
];
const LABELS = {
  company_name: 'Company',
  country_code: 'Country',
  company_address: 'Address',
  company_website: 'Website',
  company_size: 'Company size',
  industry_id: 'Industry',
  vat_number: 'VAT or tax number',
  use_case: 'What you send',
  interests: 'Interests',
  monthly_volume: 'Messages per month',
};

type DraftForm = UseFormReturnType<Draft>;

export function VerificationForm({ latest }: { latest: AccountReview | null }) {
  const { account } = useSession();
  const [initial] = useState(() => loadDraft(account, latest));
  const { form, bind, sending, problem } = useContractForm(submitVerification, {
    initial,
    body: (values) => ({ ...values, industry_id: values.industry_id ? Number(values.industry_id) : null }),
    check: ({ interests, company_size, monthly_volume }) => ({
      interests: interests.length ? null : 'Interests are required!',
      company_size: company_size ? null : 'Company size is required!',
      monthly_volume: monthly_volume ? null : 'Messages per month is required!',
    }),
    labels: LABELS,
    invalidates: ['accounts', 'users'],
    // No guard is needed, because the stored draft keeps unsaved changes.
    guard: false,
    onChange: (values) => storeDraft(account.id, values),
    onDone: () => {
      discardDraft(account.id);
      toast.success('Your details were submitted');
    },
  });
  return (
    <Form {...bind} aria-label="Account verification" className={styles.fields}>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <CompanyFields form={form} />
      <UsageFields form={form} />
      <Allow needs={submitVerification.needs}>
        <Button type="submit" loading={sending} fullWidth>
          Submit for review
        </Button>
      </Allow>
    </Form>
  );
}

function CompanyFields({ form }: { form: DraftForm }) {
  return (
    <>
      <Field
        form={form}
        name="company_name"
        as={TextInput}
        label="Company"
        description="As it appears in the public register."
        autoComplete="organization"
        maxLength={100}
      />
      <div className={styles.pair}>
        <Field form={form} name="country_code" as={CountrySelect} label="Country" autoComplete="off" />
        <Field form={form} name="vat_number" as={TextInput} label="VAT or tax number" maxLength={40} />
      </div>
      <Field
        form={form}
        name="company_address"
        as={TextInput}
        label="Address"
        autoComplete="street-address"
        maxLength={300}
      />
      <Field
        form={form}
        name="company_website"
        as={TextInput}
        label="Website"
        placeholder="https://"
        type="url"
        inputMode="url"
        maxLength={300}
      />
      <div className={styles.pair}>
        <Field form={form} name="industry_id" as={IndustrySelect} label="Industry" allowDeselect={false} />
        <Field
          form={form}
          name="company_size"
          as={Select}
          label="Company size"
          placeholder="Choose one"
          data={[...COMPANY_SIZES]}
          allowDeselect={false}
        />
      </div>
    </>
  );
}

function UsageFields({ form }: { form: DraftForm }) {
  return (
    <>
      <Field
        form={form}
        name="monthly_volume"
        as={Select}
        label="Messages per month"
        description="An estimate is enough."
        placeholder="Choose one"
        data={VOLUMES}
        allowDeselect={false}
      />
      <Field
        form={form}
        name="use_case"
        as={Textarea}
        label="What you send"
        description="Which messages you send, to whom, and how recipients opt in. 20 to 1,000 characters."
        rows={5}
        resize="vertical"
        maxLength={1_000}
      />
      <Field form={form} name="interests" as={Checkbox.Group} label="Interests">
        <div className={styles.choices}>
          {INTERESTS.map((value, index) => (
            <Checkbox
              key={value}
              value={value}
              label={INTEREST_LABELS[value]}
              {...(index === 0 ? { 'data-path': 'interests' } : {})}
            />
          ))}
        </div>
      </Field>
    </>
  );
}
