/** Viber business messages. */
import type { ChannelRules } from '../channel.ts';

export const viber: ChannelRules = {
  name: 'VIBER',
  label: 'Viber',
  types: ['text', 'image', 'video', 'document'],
  max_text: 1_000,
  max_buttons: 1,
  button_text: 20,
  counts: 'messages',
  charged_at: 'delivered',
  carried_by: 'sender',
  // Providers count 5 or 10 in a row; a connection's own settings win.
  session: { hours: 24, renewed: false, outside: 'promotional', in_a_row: 10, in_session: 60 },
  other_addresses: false,
  reads: true,
};
