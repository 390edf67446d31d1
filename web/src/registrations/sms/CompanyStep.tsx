import { Select, Textarea, TextInput } from '@mantine/core';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { ENTITY_TYPES, putCompany, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { ReachFields } from '../ReachFields.tsx';
import styles from '../Registrations.module.css';
import { type Saver, useSection } from '../section.ts';

const ENTITIES = Object.entries(ENTITY_TYPES).map(([value, label]) => ({ value, label }));
const INDUSTRY_OPTIONS = Object.entries(INDUSTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));
const LABELS = {
  business_name: 'Business name',
  business_website: 'Website',
  business_email: 'E-mail',
  business_phone: 'Phone',
  contact_name: 'Contact',
};

/** Who sends: begins with what the account knows of its company. */
export function CompanyStep({ sender, saver }: { sender: SenderDetail; saver: Saver }) {
  const { account, user } = useSession();
  const saved = sender.registration.company;
  const form = useSection({
    endpoint: putCompany,
    params: { id: sender.id },
    draftKey: `company.${sender.id}`,
    saver,
    labels: LABELS,
    initial: {
      business_name: saved?.business_name ?? account.company_name,
      entity_type: saved?.entity_type ?? 'private_profit',
      registration_number: saved?.registration_number ?? account.vat_number,
      business_industry: String(saved?.business_industry ?? account.industry_id),
      business_description: saved?.business_description ?? '',
      business_country: saved?.business_country ?? account.country_code,
      business_address: saved?.business_address ?? account.company_address,
      business_website: saved?.business_website ?? account.company_website,
      business_email: saved?.business_email ?? user.email,
      business_phone: saved?.business_phone ?? (user.phone_number ? `+${user.phone_number}` : ''),
      contact_name: saved?.contact_name ?? user.full_name,
    },
    body: (values) => ({ ...values, business_industry: Number(values.business_industry) }),
  });
  const field = (name: string) => ({ key: form.key(name), ...form.getInputProps(name) });
  return (
    <div className={styles.form}>
      <TextInput
        label="Business name"
        description="Exactly as in the public register."
        required
        maxLength={100}
        {...field('business_name')}
      />
      <div className={styles.pair}>
        <Select label="Form" data={ENTITIES} allowDeselect={false} {...field('entity_type')} />
        <TextInput label="Register or tax number" maxLength={40} {...field('registration_number')} />
      </div>
      <div className={styles.pair}>
        <CountrySelect label="Country" required {...field('business_country')} />
        <SearchSelect
          label="Industry"
          data={INDUSTRY_OPTIONS}
          withScrollArea={false}
          styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
          {...field('business_industry')}
        />
      </div>
      <TextInput label="Address" required maxLength={300} {...field('business_address')} />
      <ReachFields field={field} website="Reviewers open it. It has to show the company." />
      <TextInput
        label="Contact"
        description="Whom reviewers may ask."
        required
        maxLength={100}
        {...field('contact_name')}
      />
      <Textarea label="What the company does" autosize minRows={2} maxLength={500} {...field('business_description')} />
    </div>
  );
}
