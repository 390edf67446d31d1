/** SMS: text only, from numbers and names, to any phone. */
import type { MessageDraft } from '../../messages/draft.ts';
import { FIXED_TEXT } from '../../messages/fields.ts';
import { type Finding, finding, MAX_TEMPLATE_TEXT, type TemplateDraft } from '../../templates/draft.ts';
import type { ChannelRules } from '../channel.ts';

export const sms: ChannelRules = {
  name: 'SMS',
  label: 'SMS',
  types: ['text'],
  max_text: 1_000,
  max_buttons: 0,
  button_text: 0,
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
  media: null,
  purposes: null,
  templates: {
    review: 'none',
    fields: [],
    name: null,
    placeholders: 'contact',
    values: 'optional',
    named_values: false,
    form: 'edit',
    refuseValue: () => null,
    purpose: () => null,
  },
  checkMessage,
  checkTemplate,
};

function checkMessage({ text, template, media_id, url, buttons }: MessageDraft, type: string): Finding[] {
  const found: Finding[] = [];
  if ((type !== '' && type !== 'text') || media_id !== null || url !== null) found.push(finding(1518, 'type'));
  if (buttons.length > 0) found.push(finding(1519, 'button'));
  if (template === null && text === '') found.push(finding(1508, 'text'));
  if (template !== null && text !== '') found.push(finding(1509, 'text', FIXED_TEXT));
  return found;
}

function checkTemplate({ type, buttons, text }: TemplateDraft): Finding[] {
  const found: Finding[] = [];
  if (type !== 'text') found.push(finding(1518, 'type'));
  if (buttons.length > 0) found.push(finding(1519, 'button'));
  if (text.trim() === '') found.push(finding(1254, 'text', 'Message is required!'));
  else if (text.length > MAX_TEMPLATE_TEXT) found.push(finding(1260, 'text'));
  return found;
}
