import { Select, Textarea, TextInput } from '@mantine/core';
import { ENTITY_TYPES, putCompany, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { IndustrySelect } from '../../auth/sign_up/IndustrySelect.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { ReachFields } from '../ReachFields.tsx';
import styles from '../Registrations.module.css';
import { type Saver, useSection } from '../section.ts';

const ENTITIES = Object.entries(ENTITY_TYPES).map(([value, label]) => ({ value, label }));
const LABELS = {
  business_name: 'Business name',
  business_website: 'Website',
  business_email: 'Email',
  business_phone: 'Phone',
  contact_name: 'Contact',
};

/** The company that sends, prefilled from the account. */
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
  return (
    <div className={styles.form}>
      <Field
        form={form}
        name="business_name"
        as={TextInput}
        label="Business name"
        description="Exactly as it appears in the public register."
        maxLength={100}
      />
      <Pair>
        <Field form={form} name="entity_type" as={Select} label="Legal form" data={ENTITIES} allowDeselect={false} />
        <Field
          form={form}
          name="registration_number"
          as={TextInput}
          label="Registration or tax number"
          maxLength={40}
        />
      </Pair>
      <Pair>
        <Field form={form} name="business_country" as={CountrySelect} label="Country" />
        <Field form={form} name="business_industry" as={IndustrySelect} label="Industry" />
      </Pair>
      <Field form={form} name="business_address" as={TextInput} label="Address" maxLength={300} />
      <ReachFields form={form} website="Reviewers will visit this site. It must present your company." />
      <Field
        form={form}
        name="contact_name"
        as={TextInput}
        label="Contact"
        description="The person reviewers can contact."
        maxLength={100}
      />
      <Field
        form={form}
        name="business_description"
        as={Textarea}
        label="Business description"
        autosize
        minRows={2}
        maxLength={500}
      />
    </div>
  );
}
