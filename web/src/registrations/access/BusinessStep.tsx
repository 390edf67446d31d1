/** Who asks: the company, as registers and its website show it. Saving it the first time begins the draft. */
import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { putViber, putWhatsapp } from '@parley/contract/registrations/access.ts';
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { useMemo, useRef } from 'react';
import { call } from '../../kernel/http/client.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { countryOptions } from '../../ui/form/countries.ts';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { ReachFields } from '../ReachFields.tsx';
import styles from '../Registrations.module.css';
import { type Saver, useSection } from '../section.ts';

const INDUSTRY_OPTIONS = Object.entries(INDUSTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));
const LONG_LIST = { withScrollArea: false, styles: { options: { maxHeight: 260, overflowY: 'auto' } } } as const;

export interface BusinessStepProps {
  kind: AccessKind;
  sender: SenderDetail | null;
  saver: Saver;
  onSaved: (id: string) => void;
}

export function BusinessStep({ kind, sender, saver, onSaved }: BusinessStepProps) {
  const { account, user } = useSession();
  const begun = useRef(sender?.id ?? null);
  const places = useMemo(countryOptions, []);
  const saved = sender?.registration[kind] ?? null;
  const viber = kind === 'viber';
  const form = useSection({
    endpoint: viber ? putViber : putWhatsapp,
    params: async () => {
      if (!begun.current) {
        const body = { type: 'business', channel: ACCESS_FORMS[kind].channel } as const;
        begun.current = (await call(createSender, { body })).data.id;
      }
      return { id: begun.current };
    },
    typed: `business.${kind}.${sender?.id ?? 'new'}`,
    saver,
    labels: {},
    initial: {
      business_name: saved?.business_name ?? account.company_name,
      business_name_en: sender?.registration.viber?.business_name_en ?? '',
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
    },
    body: ({ business_industry, business_name_en, ...values }) => ({
      ...values,
      business_industry: Number(business_industry),
      ...(viber ? { business_name_en } : {}),
    }),
    onSaved: () => onSaved(begun.current!),
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
      {viber && (
        <TextInput
          label="Business name in English"
          description="People see it above your messages: up to 28 Latin letters and digits."
          required
          maxLength={28}
          {...field('business_name_en')}
        />
      )}
      <TextInput
        label="Parent company"
        description="Only if the business belongs to another company."
        maxLength={100}
        {...field('parent_name')}
      />
      <div className={styles.pair}>
        <CountrySelect label="Country" required {...field('business_country')} />
        <SearchSelect
          label="Industry"
          required
          data={INDUSTRY_OPTIONS}
          {...LONG_LIST}
          {...field('business_industry')}
        />
      </div>
      <TextInput label="Address" required maxLength={300} {...field('business_address')} />
      <MultiSelect
        label="Locations"
        description="Countries in which you have offices or shops."
        required
        data={places}
        searchable
        {...LONG_LIST}
        {...field('business_locations')}
      />
      <ReachFields field={field} website="Reviewers open it. It has to show the company and its name." />
      <Textarea
        label="Description"
        description={`What the company does, and what it writes about on ${ACCESS_FORMS[kind].label}.`}
        required
        autosize
        minRows={2}
        maxLength={500}
        {...field('business_description')}
      />
      <MultiSelect
        label="Targeted countries"
        description="Where the people are that you write to."
        required
        data={places}
        searchable
        {...LONG_LIST}
        {...field('targeted_countries')}
      />
    </div>
  );
}
