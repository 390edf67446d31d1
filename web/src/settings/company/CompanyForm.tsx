import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { COMPANY_SIZES, INTERESTS } from '@parley/contract/accounts/accounts.ts';
import { updateAccount } from '@parley/contract/accounts/company.ts';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { FormFooter, Pair } from '../../ui/form/FormParts.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import styles from '../Settings.module.css';

export const INTEREST_WORDS: Readonly<Record<(typeof INTERESTS)[number], string>> = {
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  viber: 'Viber',
  two_way: 'Conversations both ways',
  api: 'Sending from our own programs',
  campaigns: 'Campaigns',
  verification: 'Codes and verification',
};
const SIZES = [
  { value: '', label: 'Not said' },
  ...COMPANY_SIZES.map((size) => ({ value: size, label: `${size.replace('-', ' to ')} people` })),
];
const INDUSTRY_OPTIONS = Object.entries(INDUSTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.label === 'Other') - Number(b.label === 'Other') || a.label.localeCompare(b.label));

/** An operator approves what they have read. */
const WAITS = 'Your form is being looked at. Until that is decided only our support can change what it says.';

export function CompanyForm() {
  const { account } = useSession();
  const missing = useReason(updateAccount.needs);
  const waits = account.status === 'FORM_SUBMITTED';
  const closed = missing ?? (waits ? WAITS : null);
  const { form, onSubmit, sending, problem } = useContractForm(updateAccount, {
    initial: {
      company_name: account.company_name,
      country_code: account.country_code,
      company_address: account.company_address,
      company_website: account.company_website,
      company_size: account.company_size as '',
      industry_id: account.industry_id,
      use_case: account.use_case,
      interests: account.interests as (typeof INTERESTS)[number][],
    },
    input: ({ company_name, country_code, ...rest }) => ({
      body: account.verified ? rest : { company_name, country_code, ...rest },
    }),
    labels: { company_name: 'Company name', country_code: 'Country' },
    onDone: () => toast.success('The company was saved'),
  });
  // Checked by somebody: changing them would undo that.
  const fixed = account.verified;
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {waits && <p className={styles.hint}>{WAITS}</p>}
      {fixed && (
        <p className={styles.hint}>Name and country were checked with the verification; support can change them.</p>
      )}
      <Pair>
        <TextInput
          label="Company name"
          required
          maxLength={100}
          readOnly={closed !== null || fixed}
          autoComplete="organization"
          key={form.key('company_name')}
          {...form.getInputProps('company_name')}
        />
        <CountrySelect
          label="Country"
          required
          readOnly={closed !== null || fixed}
          key={form.key('country_code')}
          {...form.getInputProps('country_code')}
        />
      </Pair>
      <TextInput
        label="Address"
        maxLength={300}
        readOnly={closed !== null}
        autoComplete="street-address"
        key={form.key('company_address')}
        {...form.getInputProps('company_address')}
      />
      <TextInput
        label="Website"
        placeholder="https://"
        maxLength={300}
        readOnly={closed !== null}
        autoComplete="url"
        key={form.key('company_website')}
        {...form.getInputProps('company_website')}
      />
      <Pair>
        <Select
          label="Size"
          allowDeselect={false}
          readOnly={closed !== null}
          data={SIZES}
          key={form.key('company_size')}
          {...form.getInputProps('company_size')}
        />
        <SearchSelect
          label="Industry"
          readOnly={closed !== null}
          data={INDUSTRY_OPTIONS}
          key={form.key('industry_id')}
          defaultValue={String(account.industry_id)}
          error={form.errors.industry_id}
          data-path="industry_id"
          onChange={(value) => form.setFieldValue('industry_id', Number(value))}
        />
      </Pair>
      <Textarea
        label="What you send"
        description="Which messages, to whom, and how people agreed to get them."
        autosize
        minRows={3}
        maxRows={8}
        maxLength={1_000}
        readOnly={closed !== null}
        key={form.key('use_case')}
        {...form.getInputProps('use_case')}
      />
      <Checkbox.Group
        label="What you use Parley for"
        readOnly={closed !== null}
        key={form.key('interests')}
        {...form.getInputProps('interests')}
      >
        <Pair>
          {INTERESTS.map((interest) => (
            <Checkbox key={interest} value={interest} label={INTEREST_WORDS[interest]} />
          ))}
        </Pair>
      </Checkbox.Group>
      <FormFooter problem={problem}>
        <Allow needs={updateAccount.needs} reason={closed}>
          <Button type="submit" loading={sending}>
            Save company
          </Button>
        </Allow>
      </FormFooter>
    </form>
  );
}
