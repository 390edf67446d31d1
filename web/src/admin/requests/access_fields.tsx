/** The forms for WhatsApp and Viber access, as rows for operators. */
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { TRAFFIC } from '@parley/contract/channels/viber/access.ts';
import { PROFILE_CATEGORIES } from '@parley/contract/channels/whatsapp/access.ts';
import type { Registration } from '@parley/contract/registrations/registration.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { countryName } from '../../ui/form/countries.ts';
import type { FieldsProps } from '../../ui/layout/SidePanel.tsx';
import { WebLink } from '../WebLink.tsx';

type Field = FieldsProps['fields'][number];

const countryNames = (countries: readonly string[] | undefined): string =>
  (countries ?? []).map(countryName).join(', ') || '–';

export function accessFields({ whatsapp, viber }: Pick<Registration, 'whatsapp' | 'viber'>): Field[] {
  const form = whatsapp ?? viber;
  if (!form) return [];
  return [
    { label: 'Company', value: form.business_name ?? '–' },
    ...(viber ? [{ label: 'English name', value: viber.business_name_en ?? '–' }] : []),
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
    ...(whatsapp
      ? [
          {
            label: 'Number',
            value: (
              <>
                <PhoneNumber value={whatsapp.phone_number ?? ''} />{' '}
                {whatsapp.number_from === 'account' ? '(sends SMS with Parley)' : '(from another provider)'}
              </>
            ),
          },
          { label: 'Display name', value: whatsapp.display_name ?? '–' },
          { label: 'Meta business ID', value: whatsapp.meta_business_id || '–' },
          { label: 'Category', value: whatsapp.category ? PROFILE_CATEGORIES[whatsapp.category] : '–' },
          ...(whatsapp.about ? [{ label: 'About', value: whatsapp.about }] : []),
        ]
      : []),
    ...(viber
      ? [
          { label: 'Traffic', value: viber.traffic ? TRAFFIC[viber.traffic] : '–' },
          { label: 'Recipients can reply', value: viber.two_way === false ? 'No' : 'Yes' },
          ...(viber.sample_messages ?? []).map((text, index) => ({ label: `Example ${index + 1}`, value: text })),
        ]
      : []),
  ];
}
