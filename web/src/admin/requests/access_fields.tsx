/** The forms for access to a channel, as rows for operators. */
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import type { AccessFields } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { ACCESS_VIEWS } from '../../channels/access.ts';
import { countryName } from '../../ui/form/countries.ts';
import type { FieldsProps } from '../../ui/layout/SidePanel.tsx';
import { WebLink } from '../WebLink.tsx';

type Field = FieldsProps['fields'][number];

const countryNames = (countries: readonly string[] | undefined): string =>
  (countries ?? []).map(countryName).join(', ') || '–';

export function accessFields(kind: AccessKind, form: AccessFields | null): readonly Field[] {
  if (!form) return [];
  const { business, steps } = ACCESS_VIEWS[kind];
  return [
    { label: 'Company', value: form.business_name ?? '–' },
    ...(business?.rows(form) ?? []),
    ...(form.parent_name ? [{ label: 'Parent company', value: form.parent_name }] : []),
    { label: 'Industry', value: INDUSTRIES[form.business_industry ?? 0] ?? '–' },
    {
      label: 'Address',
      value: [form.business_address, form.business_country && countryName(form.business_country)]
        .filter(Boolean)
        .join(', '),
    },
    { label: 'Locations', value: countryNames(form.business_locations) },
    { label: 'Website', value: form.business_website ? <WebLink url={form.business_website} /> : '–' },
    { label: 'Contact', value: [form.business_email, form.business_phone].filter(Boolean).join(' · ') },
    { label: 'Description', value: form.business_description ?? '–' },
    { label: 'Target countries', value: countryNames(form.targeted_countries) },
    ...steps.flatMap(({ view }) => view?.rows(form) ?? []),
  ];
}
