/**
 * Canned reasons for operators who reject a request or request more information. Each names the form field it is about.
 */
import { ACCESS_FORMS } from '../channels/access.ts';
import { isAccessKind } from '../channels/access_kinds.ts';
import type { RequestKind } from '../registrations/registration.ts';

interface CannedReason {
  readonly key: string;
  readonly field: string;
  readonly text: string;
}

const COMPANY: readonly CannedReason[] = [
  {
    key: 'company_not_found',
    field: 'company_name',
    text: 'The company is not listed in its country’s business registry.',
  },
  {
    key: 'website_unreachable',
    field: 'company_website',
    text: 'The website could not be opened or does not mention the company.',
  },
  {
    key: 'use_case_unclear',
    field: 'use_case',
    text: 'The description does not say which messages you send, to whom, and how recipients opted in.',
  },
  { key: 'prohibited_content', field: 'use_case', text: 'This kind of message is not allowed.' },
  {
    key: 'details_do_not_match',
    field: 'company_address',
    text: 'The details do not match each other or the attached documents.',
  },
  {
    key: 'free_mail_address',
    field: 'email',
    text: 'Sign up with a company email address.',
  },
];

const TEMPLATE: readonly CannedReason[] = [
  { key: 'no_name', field: 'text', text: 'The message does not say who it is from.' },
  {
    key: 'asks_for_data',
    field: 'text',
    text: 'The text asks for personal or payment data, which Viber does not allow.',
  },
  {
    key: 'prohibited_content',
    field: 'text',
    text: 'Gambling, alcohol, tobacco, and adult content are not allowed.',
  },
  { key: 'link_elsewhere', field: 'buttons', text: 'The link does not go to one of your company’s pages.' },
  { key: 'picture_unreadable', field: 'media', text: 'The image is not legible on a phone.' },
];

const SENDER: readonly CannedReason[] = [
  {
    key: 'website_unreachable',
    field: 'company.business_website',
    text: 'The website could not be opened or does not mention the company.',
  },
  {
    key: 'company_not_found',
    field: 'company.business_name',
    text: 'The company is not listed in its country’s business registry. Use its name exactly as registered.',
  },
  {
    key: 'tax_number',
    field: 'company.registration_number',
    text: 'The registration or tax number does not belong to this company.',
  },
  {
    key: 'name_not_yours',
    field: 'code',
    text:
      'The name does not match your company, brand, or website. Choose another name, or attach proof that you ' +
      'own it.',
  },
  { key: 'name_too_general', field: 'code', text: 'The name is too generic and could belong to any company.' },
  {
    key: 'use_case_unclear',
    field: 'sms_campaign.description',
    text: 'The description does not say what you send, to whom, and how often.',
  },
  {
    key: 'samples_mismatch',
    field: 'example_messages.messages',
    text: 'The example messages do not match the selected use case.',
  },
  { key: 'samples_brand', field: 'example_messages.messages', text: 'The example messages do not name the company.' },
  {
    key: 'no_opt_in',
    field: 'signup_options.description',
    text: 'The form does not show how recipients opt in to these messages.',
  },
  {
    key: 'no_stop',
    field: 'compliance_keyword_responses.stop_text',
    text: 'The reply to STOP must confirm the opt-out and name the company.',
  },
  { key: 'document_missing', field: 'attachments', text: 'A document is missing, unreadable, or unsigned.' },
  { key: 'code_taken', field: 'wish', text: 'None of the short codes you selected is available.' },
];

/** Reasons for every access form. Each channel adds its own reasons. */
const ACCESS: readonly CannedReason[] = [
  {
    key: 'website_unreachable',
    field: 'business_website',
    text: 'The website could not be opened or does not mention the company.',
  },
  {
    key: 'company_not_found',
    field: 'business_name',
    text: 'The company is not listed in its country’s business registry. Use its name exactly as registered.',
  },
  {
    key: 'description_unclear',
    field: 'business_description',
    text: 'The description does not say what the company does or who receives its messages.',
  },
  {
    key: 'industry_not_allowed',
    field: 'business_industry',
    text: 'Products from this industry are not allowed on this channel.',
  },
];
const LOGO: CannedReason = {
  key: 'logo',
  field: 'attachments',
  text: 'The logo is unrecognizable or does not belong to the company.',
};

/** Returns the canned reasons for a kind of request. */
export function cannedReasons(kind: 'company' | 'template' | RequestKind): readonly CannedReason[] {
  if (kind === 'company') return COMPANY;
  if (kind === 'template') return TEMPLATE;
  if (!isAccessKind(kind)) return SENDER;
  return [...ACCESS, ...ACCESS_FORMS[kind].reasons, LOGO].map(({ key, field, text }) => ({
    key,
    field: field.startsWith('attachments') ? field : `${kind}.${field}`,
    text,
  }));
}
