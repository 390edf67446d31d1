import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { type Account, COMPANY_SIZES, INTERESTS } from '@parley/contract/accounts/accounts.ts';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { CHANNEL_INTERESTS } from '../../channels/index.ts';
import { type ContractForm, useContractForm } from '../../kernel/form/form.ts';
import { useSavedDraft } from '../../kernel/form/saved_draft.ts';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { brandName } from '../../ui/brand.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import styles from '../Settings.module.css';

const INTEREST_WORDS: Readonly<Record<string, string>> = {
  ...CHANNEL_INTERESTS,
  two_way: 'Two-way conversations',
  api: 'Sending through the API',
  campaigns: 'Campaigns',
  verification: 'Verification codes',
};
const SIZES = [
  { value: '', label: 'Not specified' },
  ...COMPANY_SIZES.map((size) => ({ value: size, label: `${size.replace('-', ' to ').replace('and', 'or')} people` })),
];
const INDUSTRY_OPTIONS = Object.entries(INDUSTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.label === 'Other') - Number(b.label === 'Other') || a.label.localeCompare(b.label));

/** The form is read-only during a review, because operators approve the details that they reviewed. */
const IN_REVIEW = 'We are reviewing your details. During the review, only support can change them.';

const initialValues = (account: Account) => ({
  company_name: account.company_name,
  country_code: account.country_code,
  company_address: account.company_address,
  company_website: account.company_website,
  company_size: account.company_size as '',
  industry_id: String(account.industry_id),
  use_case: account.use_case,
  interests: account.interests as (typeof INTERESTS)[number][],
});

type Values = ReturnType<typeof initialValues>;

const useCompanyForm = (account: Account) => {
  // The name and the country of a verified company cannot change, so they are not sent.
  const toBody = ({ company_name, country_code, industry_id, ...rest }: Values) => ({
    ...(account.verified ? {} : { company_name, country_code }),
    industry_id: Number(industry_id),
    ...rest,
  });
  const initial = initialValues(account);
  return useContractForm(updateAccount, {
    initial,
    draft: useSavedDraft('company', initial),
    body: toBody,
    labels: { company_name: 'Company name', country_code: 'Country' },
    onDone: () => toast.success('The company details were saved'),
  });
};

export function CompanyForm() {
  const { account } = useSession();
  const missing = useReason(updateAccount.needs);
  const isInReview = account.status === 'FORM_SUBMITTED';
  const reason = missing ?? (isInReview ? IN_REVIEW : null);
  const readOnly = reason !== null;
  const { form, bind, saveBar } = useCompanyForm(account);
  return (
    <Form {...bind} className={styles.form}>
      {isInReview && <p className={styles.hint}>{IN_REVIEW}</p>}
      {account.verified && (
        <p className={styles.hint}>The name and country are verified. Contact support to change them.</p>
      )}
      <DetailFields form={form} readOnly={readOnly} isVerified={account.verified} />
      <UsageFields form={form} readOnly={readOnly} />
      <SaveBar {...saveBar} save="Save company" reason={reason} />
    </Form>
  );
}

interface FieldsProps {
  form: ContractForm<Values>['form'];
  readOnly: boolean;
}

const DetailFields = ({ form, readOnly, isVerified }: FieldsProps & { isVerified: boolean }) => (
  <>
    <Pair>
      <Field
        form={form}
        name="company_name"
        as={TextInput}
        label="Company name"
        maxLength={100}
        readOnly={readOnly || isVerified}
        autoComplete="organization"
      />
      <Field form={form} name="country_code" as={CountrySelect} label="Country" readOnly={readOnly || isVerified} />
    </Pair>
    <Field
      form={form}
      name="company_address"
      as={TextInput}
      label="Address"
      maxLength={300}
      readOnly={readOnly}
      autoComplete="street-address"
    />
    <Field
      form={form}
      name="company_website"
      as={TextInput}
      label="Website"
      placeholder="https://"
      maxLength={300}
      readOnly={readOnly}
      autoComplete="url"
    />
  </>
);

const UsageFields = ({ form, readOnly }: FieldsProps) => (
  <>
    <Pair>
      <Field
        form={form}
        name="company_size"
        as={Select}
        label="Company size"
        allowDeselect={false}
        readOnly={readOnly}
        data={SIZES}
      />
      <Field
        form={form}
        name="industry_id"
        as={SearchSelect}
        label="Industry"
        readOnly={readOnly}
        data={INDUSTRY_OPTIONS}
      />
    </Pair>
    <Field
      form={form}
      name="use_case"
      as={Textarea}
      label="What you send"
      description="Which messages you send, to whom, and how recipients opted in."
      autosize
      minRows={3}
      maxRows={8}
      maxLength={1_000}
      readOnly={readOnly}
    />
    <Field
      form={form}
      name="interests"
      as={Checkbox.Group}
      label={`What you use ${brandName()} for`}
      readOnly={readOnly}
    >
      <Pair>
        {INTERESTS.map((interest) => (
          <Checkbox key={interest} value={interest} label={INTEREST_WORDS[interest]} />
        ))}
      </Pair>
    </Field>
  </>
);
