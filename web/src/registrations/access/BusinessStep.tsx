/** The company that requests access. Saving this step for the first time creates the draft. */
import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { SAVE_ACCESS } from '@parley/contract/registrations/access.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { useRef } from 'react';
import { IndustrySelect } from '../../auth/sign_up/IndustrySelect.tsx';
import { ACCESS_VIEWS } from '../../channels/access.ts';
import { call } from '../../kernel/http/client.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { ReachFields } from '../ReachFields.tsx';
import styles from '../Registrations.module.css';
import { type Saver, useSection } from '../section.ts';

interface BusinessStepProps {
  kind: AccessKind;
  sender: SenderDetail | null;
  saver: Saver;
  onSaved: (id: string) => void;
}

function useBusinessForm({ kind, sender, saver, onSaved }: BusinessStepProps) {
  const { account, user } = useSession();
  const draftId = useRef(sender?.id ?? null);
  const saved = sender?.registration[kind] ?? null;
  const own = ACCESS_VIEWS[kind].business;
  return useSection({
    endpoint: SAVE_ACCESS[kind],
    params: async () => {
      if (!draftId.current) {
        const body = { type: 'business', channel: ACCESS_FORMS[kind].channel } as const;
        draftId.current = (await call(createSender, { body })).data.id;
      }
      return { id: draftId.current };
    },
    draftKey: `business.${kind}.${sender?.id ?? 'new'}`,
    saver,
    labels: own?.labels ?? {},
    initial: {
      business_name: saved?.business_name ?? account.company_name,
      business_country: saved?.business_country ?? account.country_code,
      business_industry: String(saved?.business_industry ?? account.industry_id),
      business_address: saved?.business_address ?? account.company_address,
      business_website: saved?.business_website ?? account.company_website,
      business_email: saved?.business_email ?? user.email,
      business_phone: saved?.business_phone ?? (user.phone_number ? `+${user.phone_number}` : ''),
      business_description: saved?.business_description ?? '',
      business_locations: saved?.business_locations ?? [account.country_code],
      parent_name: saved?.parent_name ?? '',
      targeted_countries: saved?.targeted_countries ?? [account.country_code],
      ...own?.initial(saved),
    },
    body: ({ business_industry, ...values }) => ({ ...values, business_industry: Number(business_industry) }),
    onSaved: () => onSaved(draftId.current!),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the channel's own inputs are not typed
type BusinessForm = UseFormReturnType<any>;

export function BusinessStep(props: BusinessStepProps) {
  const { kind } = props;
  const form = useBusinessForm(props);
  return (
    <div className={styles.form}>
      <CompanyFields form={form} kind={kind} sender_id={props.sender?.id ?? ''} />
      <CountriesField
        form={form}
        name="business_locations"
        label="Locations"
        description="Countries where you have offices or shops."
      />
      <ReachFields
        form={form}
        website="Reviewers will visit this site. It must present your company and show its name."
      />
      <Field
        form={form}
        name="business_description"
        as={Textarea}
        label="Description"
        description={`What the company does and what it sends on ${ACCESS_FORMS[kind].label}.`}
        autosize
        minRows={2}
        maxLength={500}
      />
      <CountriesField
        form={form}
        name="targeted_countries"
        label="Target countries"
        description="The countries of your recipients."
      />
    </div>
  );
}

interface CompanyFieldsProps {
  form: BusinessForm;
  kind: AccessKind;
  sender_id: string;
}

function CompanyFields({ form, kind, sender_id }: CompanyFieldsProps) {
  const OwnFields = ACCESS_VIEWS[kind].business?.Fields;
  return (
    <>
      <Field
        form={form}
        name="business_name"
        as={TextInput}
        label="Business name"
        description="Exactly as it appears in the public register."
        maxLength={100}
      />
      {OwnFields && <OwnFields form={form} sender_id={sender_id} />}
      <Field
        form={form}
        name="parent_name"
        as={TextInput}
        label="Parent company"
        description="Only if the business belongs to another company."
        maxLength={100}
      />
      <Pair>
        <Field form={form} name="business_country" as={CountrySelect} label="Country" />
        <Field form={form} name="business_industry" as={IndustrySelect} label="Industry" />
      </Pair>
      <Field form={form} name="business_address" as={TextInput} label="Address" maxLength={300} />
    </>
  );
}

interface CountriesFieldProps {
  form: BusinessForm;
  name: 'business_locations' | 'targeted_countries';
  label: string;
  description: string;
}

function CountriesField({ form, name, label, description }: CountriesFieldProps) {
  return <Field form={form} name={name} as={CountriesSelect} label={label} description={description} />;
}
