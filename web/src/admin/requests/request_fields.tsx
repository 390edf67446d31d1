/** The submitted form of a request, as rows for operators. */
import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import {
  ENTITY_TYPES,
  OPT_IN_METHODS,
  type Registration,
  USE_CASES,
} from '@parley/contract/registrations/registration.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { countryName } from '../../ui/form/countries.ts';
import type { FieldsProps } from '../../ui/layout/SidePanel.tsx';
import { INTERESTS, VOLUMES } from '../account_words.ts';
import { WebLink } from '../WebLink.tsx';
import { accessFields } from './access_fields.tsx';

type Field = FieldsProps['fields'][number];

export function requestFields(request: RequestDetail): Field[] {
  const { company, sender, create_date, expected_date } = request;
  return [
    ...(company ? companyFields(company) : []),
    ...(sender ? senderFields(request, sender) : []),
    { label: 'Submitted', value: <DateTime value={create_date} /> },
    ...(expected_date ? [{ label: 'Due', value: <DateTime value={expected_date} /> }] : []),
  ];
}

const companyFields = ({ form, customer }: NonNullable<RequestDetail['company']>): Field[] => [
  { label: 'Country', value: countryName(form.country_code) },
  { label: 'Address', value: form.company_address },
  { label: 'Website', value: <WebLink url={form.company_website} /> },
  { label: 'Industry', value: INDUSTRIES[form.industry_id] ?? '–' },
  { label: 'Company size', value: form.company_size },
  { label: 'VAT or tax number', value: form.vat_number || '–' },
  { label: 'Messages per month', value: VOLUMES[form.monthly_volume] ?? form.monthly_volume },
  { label: 'Interests', value: form.interests.map((key) => INTERESTS[key] ?? key).join(', ') },
  { label: 'Use case', value: form.use_case },
  { label: 'Owner', value: [customer.owner_name, customer.owner_email].filter(Boolean).join(' · ') || '–' },
  { label: 'Signed up', value: <DateTime value={customer.create_date} /> },
];

type SenderRequest = NonNullable<RequestDetail['sender']>;

const senderFields = ({ kind, countries }: RequestDetail, { sender, wish, form }: SenderRequest): Field[] => [
  ...(wish
    ? [{ label: 'Requested codes', value: wish.kind === 'random' ? 'Any available' : wish.codes.join(', ') }]
    : []),
  ...(sender.code ? [{ label: 'Sender', value: sender.code }] : []),
  ...(sender.business_name && sender.business_name !== sender.code
    ? [{ label: 'Display name', value: sender.business_name }]
    : []),
  { label: 'Name', value: sender.name },
  { label: 'Countries', value: countries.map(countryName).join(', ') || 'All' },
  ...(isAccessKind(kind) ? accessFields(kind, form[kind]) : formFields(form)),
];

function formFields(form: Registration): Field[] {
  const { company, sms_campaign: campaign, signup_options: signup, tcr, toll_free } = form;
  const keywords = form.compliance_keyword_responses;
  return [
    ...(company
      ? [
          { label: 'Company', value: company.business_name },
          { label: 'Legal form', value: ENTITY_TYPES[company.entity_type] },
          { label: 'Registration or tax number', value: company.registration_number || '–' },
          { label: 'Industry', value: INDUSTRIES[company.business_industry] ?? '–' },
          { label: 'Address', value: `${company.business_address}, ${countryName(company.business_country)}` },
          { label: 'Website', value: <WebLink url={company.business_website} /> },
          {
            label: 'Contact',
            value: `${company.contact_name} · ${company.business_email} · ${company.business_phone}`,
          },
          ...(company.business_description
            ? [{ label: 'Company description', value: company.business_description }]
            : []),
        ]
      : []),
    ...(tcr ? [{ label: 'Tax number', value: `${tcr.tax_id} (${countryName(tcr.tax_country)})` }] : []),
    ...(campaign
      ? [
          { label: 'Purpose', value: USE_CASES[campaign.use_case] },
          { label: 'Description', value: campaign.description },
        ]
      : []),
    ...(signup
      ? [
          {
            label: 'Opt-in',
            value: `${signup.methods.map((method) => OPT_IN_METHODS[method]).join(', ')}. ${signup.description}`,
          },
          ...(signup.web_form_url ? [{ label: 'Web form', value: <WebLink url={signup.web_form_url} /> }] : []),
        ]
      : []),
    ...(form.example_messages?.messages.map((text, index) => ({ label: `Example ${index + 1}`, value: text })) ?? []),
    ...(keywords
      ? [
          { label: 'Reply to STOP', value: keywords.stop_text },
          { label: 'Reply to HELP', value: keywords.help_text },
        ]
      : []),
    ...(toll_free?.additional_information
      ? [{ label: 'Additional information', value: toll_free.additional_information }]
      : []),
  ];
}
