/** Viber business messages. */
import type { ChannelRules } from '../channel.ts';
import { CHANNEL_LABELS } from '../names.ts';
import { media } from './media.ts';
import { checkMessage } from './messages.ts';
import { purposes } from './purposes.ts';
import { refuseCodeTemplate, refuseStored } from './stored_templates.ts';
import { checkTemplate } from './templates.ts';

export const viber: ChannelRules = {
  name: 'VIBER',
  label: CHANNEL_LABELS.VIBER,
  types: ['text', 'image', 'video', 'document'],
  cards: [],
  max_text: 1_000,
  max_buttons: 1,
  button_text: 20,
  default_button: 'link',
  rich: true,
  senders: 'business',
  own_number: false,
  access: 'viber',
  codes: false,
  counts: 'messages',
  charged_at: 'delivered',
  carried_by: 'sender',
  // Providers allow 5 or 10 messages in a row. A connection's settings override this limit.
  session: { hours: 24, renewed: false, outside: 'promotional', in_a_row: 10, in_session: 60 },
  profile: false,
  other_addresses: false,
  reads: true,
  quotes: false,
  reactions: false,
  media,
  purposes,
  templates: {
    review: 'operator',
    fields: [],
    name: null,
    values: 'optional',
    named_values: true,
    fixedText: () => null,
    isFileOnly: (type) => type === 'document',
    refuseValue: () => null,
    refuseStored,
    purpose: () => null,
  },
  verification: {
    template: 'required',
    ttl: { min: 30, max: 60, too_short: 'TTL_VIBER_TOO_SHORT', too_long: 'TTL_VIBER_TOO_LONG' },
    purpose: 'transactional',
    refuseTemplate: refuseCodeTemplate,
  },
  checkMessage,
  checkTemplate,
};
