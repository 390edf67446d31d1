/** WhatsApp, of the Cloud API. */
import type { ChannelRules } from '../channel.ts';

export const whatsapp: ChannelRules = {
  name: 'WHATSAPP',
  label: 'WhatsApp',
  types: ['text', 'image', 'video', 'document'],
  max_text: 1_000,
  max_buttons: 3,
  button_text: 20,
  counts: 'messages',
  charged_at: 'delivered',
  carried_by: 'sender',
  session: { hours: 24, renewed: true, outside: 'templates', in_a_row: null, in_session: null },
  other_addresses: true,
  reads: true,
};
