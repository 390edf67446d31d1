/** A channel for tests, as small as a channel can be: it sends text to phone numbers. */
import type { ChannelRules } from '@parley/contract/channels/channel.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { finding } from '@parley/contract/templates/draft.ts';

export const PAGER = 'PAGER' as ChannelName;

export const pager: ChannelRules = {
  name: PAGER,
  label: 'Pager',
  types: ['text'],
  cards: [],
  max_text: 100,
  max_buttons: 0,
  button_text: 0,
  default_button: 'quick_reply',
  rich: false,
  senders: 'numbers',
  own_number: false,
  access: null,
  codes: false,
  counts: 'messages',
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
    ttl: { refusal: 'TTL_NOT_SUPPORTED' },
    purpose: null,
    refuseTemplate: () => null,
  },
  checkMessage: ({ text }) => (text.length > 100 ? [finding('MESSAGE_TEXT_TOO_LONG', 'text')] : []),
  checkTemplate: () => [],
};
