import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { COMPANY_SIZES, INTERESTS } from '@parley/contract/accounts/accounts.ts';
import { type AccountReview, submitVerification } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { CHANNEL_INTERESTS } from '../../channels/index.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import styles from '../Auth.module.css';
import { IndustrySelect } from './IndustrySelect.tsx';
import { draftOf, forgetDraft, keepDraft } from './verification_draft.ts';

const INTEREST_WORDS: Readonly<Record<string, string>> = {
  ...CHANNEL_INTERESTS,
  two_way: 'Talking with customers in the inbox',
  api: 'Sending from our own software',
  campaigns: 'Campaigns to many people',
  verification: 'One-time codes',
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
  company_size: 'Employees',
  industry_id: 'Industry',
  vat_number: 'VAT or tax number',
  use_case: 'What you send',
  interests: 'What you are interested in',
  monthly_volume: 'Messages a month',
};

export function VerificationForm({ latest }: { latest: AccountReview | null }) {
  const { account } = useSession();
  const [initial] = useState(() => draftOf(account, latest));
  const { form, onSubmit, sending, problem } = useContractForm(submitVerification, {
    initial,
    body: (values) => ({ ...values, industry_id: values.industry_id ? Number(values.industry_id) : null }),
    check: ({ interests, company_size, monthly_volume }) => ({
      interests: interests.length ? null : 'Choose at least one',
      company_size: company_size ? null : 'Employees is required!',
      monthly_volume: monthly_volume ? null : 'Messages a month is required!',
    }),
    labels: LABELS,
    invalidates: ['accounts', 'users'],
    // The draft keeps what was typed.
    guard: false,
    onChange: (values) => keepDraft(account.id, values),
    onDone: () => {
      forgetDraft(account.id);
      toast.success('Your details were sent');
    },
  });
  const field = (name: keyof typeof LABELS) => form.getInputProps(name);
  return (
    <form noValidate aria-label="Account verification" onSubmit={onSubmit} className={styles.fields}>
      {problem && (
        <p className={styles.refused} role="alert">
          {problem}
        </p>
      )}
      <TextInput
        label="Company"
        description="As it stands in the public register."
        autoComplete="organization"
        maxLength={100}
        key={form.key('company_name')}
        {...field('company_name')}
      />
      <div className={styles.pair}>
        <CountrySelect label="Country" autoComplete="off" key={form.key('country_code')} {...field('country_code')} />
        <TextInput
          label="VAT or tax number (optional)"
          maxLength={40}
          key={form.key('vat_number')}
          {...field('vat_number')}
        />
      </div>
      <TextInput
        label="Address"
        autoComplete="street-address"
        maxLength={300}
        key={form.key('company_address')}
        {...field('company_address')}
      />
      <TextInput
        label="Website (optional)"
        placeholder="https://"
        type="url"
        inputMode="url"
        maxLength={300}
        key={form.key('company_website')}
        {...field('company_website')}
      />
      <div className={styles.pair}>
        <IndustrySelect
          label="Industry"
          allowDeselect={false}
          key={form.key('industry_id')}
          {...field('industry_id')}
        />
        <Select
          label="Employees"
          placeholder="Choose one"
          data={[...COMPANY_SIZES]}
          allowDeselect={false}
          key={form.key('company_size')}
          {...field('company_size')}
        />
      </div>
      <Select
        label="Messages a month"
        description="A guess is good enough."
        placeholder="Choose one"
        data={VOLUMES}
        allowDeselect={false}
        key={form.key('monthly_volume')}
        {...field('monthly_volume')}
      />
      <Textarea
        label="What you send"
        description="Which messages, to whom, and how people agreed to get them. 20 to 1,000 characters."
        rows={5}
        resize="vertical"
        maxLength={1_000}
        key={form.key('use_case')}
        {...field('use_case')}
      />
      <Checkbox.Group label="What you are interested in" key={form.key('interests')} {...field('interests')}>
        <div className={styles.choices}>
          {INTERESTS.map((value, at) => (
            <Checkbox
              key={value}
              value={value}
              label={INTEREST_WORDS[value]}
              {...(at === 0 ? { 'data-path': 'interests' } : {})}
            />
          ))}
        </div>
      </Checkbox.Group>
      <Allow needs={submitVerification.needs}>
        <Button type="submit" loading={sending} fullWidth>
          Send for approval
        </Button>
      </Allow>
    </form>
  );
}
