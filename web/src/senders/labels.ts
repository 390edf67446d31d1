/** Labels for senders: types, statuses, timeline entries, and fields. */

import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessForm } from '@parley/contract/channels/access_form.ts';
import { isAccessKind, mapAccessKinds } from '@parley/contract/channels/access_kinds.ts';
import { channelRules, channelsWithOwnNumber } from '@parley/contract/channels/index.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { FILE_LABELS, type FileKind } from '@parley/contract/registrations/access_files.ts';
import type { RequestKind, SenderDetail } from '@parley/contract/registrations/registration.ts';
import { type CarrierState, carrierValue } from '@parley/contract/senders/carrier_state.ts';
import { type ListedSender, SENDER_REQUEST, SENDER_STATUS } from '@parley/contract/senders/senders.ts';
import { accessTitle } from '../channels/access_title.ts';
import { channelLabel } from '../channels/index.ts';
import type { StatusWord, Tone } from '../ui/data/status.ts';

export const TYPE_LABELS: Readonly<Record<ListedSender['type'], string>> = {
  local: 'Local number',
  mobile: 'Mobile number',
  toll_free: 'Toll-free number',
  short_code: 'Short code',
  alphanumeric: 'Sender ID',
  business: 'Business',
};
/** The noun for a sender: "WhatsApp sender", "Mobile number". */
export const senderTypeLabel = ({ type, channel }: Pick<ListedSender, 'type' | 'channel'>): string =>
  channel === PHONE_CHANNEL ? TYPE_LABELS[type] : `${channelRules(channel).label} sender`;
/** The channels whose senders have their own number: "WhatsApp". */
export const OWN_NUMBER_CHANNELS = channelsWithOwnNumber().map(channelLabel).join(' or ');

export const KIND_TITLES: Readonly<Record<RequestKind, string>> = {
  sender_id: 'Request sender ID',
  short_code: 'Request short code',
  toll_free: 'Toll-free verification',
  tcr: '10DLC registration',
  ...mapAccessKinds(accessTitle),
};

export { carrierFields } from '@parley/contract/senders/carrier_state.ts';

/** A sender's quality and daily limit, for a table cell. */
export function carrierSummary(state: CarrierState | null): string {
  const { quality, limit } = state ?? {};
  const parts = [
    quality === undefined ? '' : carrierValue('quality', quality),
    limit === undefined ? '' : `${carrierValue('limit', limit)} per day`,
  ];
  return parts.filter(Boolean).join(', ') || '–';
}

/** Numbers and short codes show the status of their request: COMPLETED appears as Available, CANCELED as Rejected. */
export function senderStatus(sender: Pick<ListedSender, 'type' | 'status' | 'request_status'>): StatusWord {
  return sender.type === 'alphanumeric' || sender.request_status === null
    ? SENDER_STATUS[sender.status]
    : SENDER_REQUEST[sender.request_status];
}

type Kind = SenderDetail['timeline'][number]['kind'];
export const TIMELINE: Readonly<Record<Kind, { title: string; tone: Tone }>> = {
  created: { title: 'Created', tone: 'off' },
  bought: { title: 'Bought', tone: 'ok' },
  submitted: { title: 'Submitted for review', tone: 'flight' },
  asked: { title: 'More information requested', tone: 'wait' },
  resubmitted: { title: 'Resubmitted', tone: 'flight' },
  rejected: { title: 'Rejected', tone: 'fail' },
  approved: { title: 'Approved', tone: 'ok' },
  renewed: { title: 'Renewed for one month', tone: 'ok' },
  renewal_failed: { title: 'Renewal failed', tone: 'fail' },
  quality_changed: { title: '{channel} changed the quality rating', tone: 'wait' },
  limit_changed: { title: '{channel} changed the daily limit', tone: 'wait' },
  restricted: { title: '{channel} restricted the business account', tone: 'fail' },
  verification_wanted: { title: '{channel} requires verification of the number', tone: 'wait' },
  verified: { title: 'Verified by {channel}', tone: 'ok' },
  profile_refused: { title: '{channel} rejected parts of the profile', tone: 'fail' },
  removed: { title: 'Deleted', tone: 'off' },
};
export const timelineTitle = (kind: Kind, channel: ListedSender['channel']): string =>
  TIMELINE[kind].title.replace('{channel}', channelRules(channel).label);

export const daysText = ([least, most]: readonly [number, number]): string =>
  least === most ? `${most} business days` : `${least}-${most} business days`;

const FIELDS: Readonly<Record<string, string>> = {
  code: 'Sender ID',
  wish: 'Short code',
  countries: 'Countries',
  attachments: 'Documents',
  company: 'Company',
  'company.business_name': 'Company: name',
  'company.business_website': 'Company: website',
  'company.registration_number': 'Company: registration number',
  sms_campaign: 'Purpose',
  'sms_campaign.description': 'Purpose: description',
  signup_options: 'Opt-in',
  'signup_options.description': 'Opt-in: description',
  'signup_options.web_form_url': 'Opt-in: form URL',
  example_messages: 'Example messages',
  'example_messages.messages': 'Example messages',
  compliance_keyword_responses: 'Keyword replies',
  'compliance_keyword_responses.stop_text': 'Reply to STOP',
  'compliance_keyword_responses.help_text': 'Reply to HELP',
  toll_free: 'Toll-free details',
  tcr: 'Registry details',
};
/** The labels of the fields that all access forms have. */
const ACCESS_FIELDS: Readonly<Record<string, string>> = {
  business_name: 'Business name',
  business_address: 'Address',
  business_description: 'Description',
  business_website: 'Website',
  business_phone: 'Phone',
  business_country: 'Country',
  business_email: 'Email',
  business_industry: 'Industry',
  business_locations: 'Locations',
  parent_name: 'Parent company',
  targeted_countries: 'Target countries',
};
/** "example_messages.messages.1" -> "Example messages" */
export function fieldLabel(field: string): string {
  const [section, inner = ''] = field.split('.');
  if (section && isAccessKind(section)) {
    const { fields }: AccessForm = ACCESS_FORMS[section];
    return fields[inner]?.label ?? ACCESS_FIELDS[inner] ?? inner.replaceAll('_', ' ');
  }
  if (section === 'attachments' && inner in FILE_LABELS) return FILE_LABELS[inner as FileKind];
  for (let name = field; name; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const label = FIELDS[name];
    if (label) return label;
  }
  return field.replaceAll('_', ' ');
}
