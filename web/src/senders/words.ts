/** Senders in words: kinds, statuses as the list shows them, what happened. */
import type { RequestKind, SenderDetail } from '@parley/contract/sender_registration.ts';
import type { ListedSender } from '@parley/contract/senders.ts';
import { SENDER_REQUEST, STATUSES, type StatusLook, type Tone } from '../ui/status.ts';

export const TYPE_WORDS: Readonly<Record<ListedSender['type'], string>> = {
  local: 'Local number',
  mobile: 'Mobile number',
  toll_free: 'Toll-free number',
  short_code: 'Short code',
  alphanumeric: 'Sender ID',
};
export const KIND_TITLES: Readonly<Record<RequestKind, string>> = {
  sender_id: 'Request sender ID',
  short_code: 'Request short code',
  toll_free: 'Toll-free verification',
  tcr: '10DLC registration',
};

/** Numbers and short codes are things that were asked for: COMPLETED is Available, CANCELED is Rejected. */
export function lookOf(sender: Pick<ListedSender, 'type' | 'status' | 'request_status'>): {
  status: string;
  words: Readonly<Record<string, StatusLook>>;
} {
  return sender.type === 'alphanumeric' || sender.request_status === null
    ? { status: sender.status, words: STATUSES }
    : { status: sender.request_status, words: SENDER_REQUEST };
}

type Kind = SenderDetail['timeline'][number]['kind'];
export const TIMELINE: Readonly<Record<Kind, { title: string; tone: Tone }>> = {
  created: { title: 'Created', tone: 'off' },
  bought: { title: 'Bought', tone: 'ok' },
  submitted: { title: 'Sent for approval', tone: 'flight' },
  asked: { title: 'Our team has a question', tone: 'wait' },
  resubmitted: { title: 'Sent again', tone: 'flight' },
  rejected: { title: 'Rejected', tone: 'fail' },
  approved: { title: 'Approved', tone: 'ok' },
  renewed: { title: 'Renewed for a month', tone: 'ok' },
  renewal_failed: { title: 'Could not be renewed', tone: 'fail' },
  removed: { title: 'Deleted', tone: 'off' },
};

export const daysWords = ([least, most]: readonly [number, number]): string =>
  least === most ? `${most} working days` : `${least}-${most} working days`;

const FIELDS: Readonly<Record<string, string>> = {
  code: 'Sender ID',
  wish: 'Short code',
  countries: 'Countries',
  attachments: 'Documents',
  company: 'Company',
  'company.business_name': 'Company: name',
  'company.business_website': 'Company: website',
  'company.registration_number': 'Company: register number',
  sms_campaign: 'Purpose',
  'sms_campaign.description': 'Purpose: description',
  signup_options: 'Opt-in',
  'signup_options.description': 'Opt-in: description',
  'signup_options.web_form_url': 'Opt-in: address of the form',
  example_messages: 'Example messages',
  'example_messages.messages': 'Example messages',
  compliance_keyword_responses: 'Answers to keywords',
  'compliance_keyword_responses.stop_text': 'Answer to STOP',
  'compliance_keyword_responses.help_text': 'Answer to HELP',
  toll_free: 'Toll-free details',
  tcr: 'Registry details',
};
/** "example_messages.messages.1" -> "Example messages" */
export function fieldWords(field: string): string {
  for (let name = field; name; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const words = FIELDS[name];
    if (words) return words;
  }
  return field.replaceAll('_', ' ');
}
