/** SMS: text only, from numbers and names, to any phone. */
import { linkFindings } from '../../links/inline.ts';
import type { MessageDraft } from '../../messages/draft.ts';
import { FIXED_TEXT } from '../../messages/fields.ts';
import { type Finding, finding, MAX_TEMPLATE_TEXT, type TemplateDraft } from '../../templates/draft.ts';
import { textLength } from '../../text_length.ts';
import type { ChannelRules } from '../channel.ts';
import { CHANNEL_LABELS } from '../names.ts';

export const sms: ChannelRules = {
  name: 'SMS',
  label: CHANNEL_LABELS.SMS,
  types: ['text'],
  cards: [],
  max_text: 1_000,
  max_buttons: 0,
  button_text: 0,
  default_button: 'quick_reply',
  rich: false,
  senders: 'numbers',
  own_number: false,
  access: null,
  codes: true,
  counts: 'segments',
  charged_at: 'sent',
  carried_by: 'routes',
  session: null,
  profile: false,
  other_addresses: false,
  reads: false,
  quotes: false,
  reactions: false,
  media: null,
  purposes: null,
  templates: {
    review: 'none',
    fields: [],
    name: null,
    values: 'optional',
    named_values: false,
    fixedText: () => null,
    isFileOnly: () => false,
    refuseValue: () => null,
    purpose: () => null,
  },
  verification: {
    template: 'optional',
    ttl: { refusal: 'TTL_SMS_NOT_SUPPORTED' },
    purpose: null,
    refuseTemplate: () => null,
  },
  checkMessage,
  checkTemplate,
};

function checkMessage({ text, template, media_id, url, buttons }: MessageDraft, type: string): Finding[] {
  const findings: Finding[] = [];
  if ((type !== '' && type !== 'text') || media_id !== null || url !== null)
    findings.push(finding('SMS_IMAGE_NOT_ALLOWED', 'type'));
  if (buttons.length > 0) findings.push(finding('SMS_BUTTON_NOT_ALLOWED', 'button'));
  if (template === null && text === '') findings.push(finding('MESSAGE_TEXT_REQUIRED', 'text'));
  if (template !== null && text !== '') findings.push(finding('MESSAGE_TEXT_INVALID', 'text', FIXED_TEXT));
  return findings;
}

function checkTemplate({ type, buttons, text }: TemplateDraft): Finding[] {
  const findings: Finding[] = [];
  if (type !== 'text') findings.push(finding('SMS_IMAGE_NOT_ALLOWED', 'type'));
  if (buttons.length > 0) findings.push(finding('SMS_BUTTON_NOT_ALLOWED', 'button'));
  if (text.trim() === '') findings.push(finding('TEMPLATE_TEXT_REQUIRED', 'text', 'Message is required!'));
  else if (textLength(text) > MAX_TEMPLATE_TEXT) findings.push(finding('TEMPLATE_TEXT_TOO_LONG', 'text'));
  findings.push(...linkFindings(text));
  return findings;
}
