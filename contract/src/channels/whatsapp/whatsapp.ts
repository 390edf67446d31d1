/** WhatsApp, through the Cloud API. */
import type { ChannelRules } from '../channel.ts';
import { CHANNEL_LABELS } from '../names.ts';
import { AUTHENTICATION_TEXT, CODE_RULE, isCode } from './authentication.ts';
import { media } from './media.ts';
import { checkMessage, MAX_QUICK_REPLIES } from './messages.ts';
import { checkTemplate } from './templates.ts';

const PURPOSES = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' } as const;

export const whatsapp: ChannelRules = {
  name: 'WHATSAPP',
  label: CHANNEL_LABELS.WHATSAPP,
  types: ['text', 'image', 'video', 'document'],
  cards: ['location', 'contacts', 'list'],
  max_text: 1_000,
  max_buttons: MAX_QUICK_REPLIES,
  button_text: 20,
  default_button: 'quick_reply',
  rich: true,
  senders: 'business',
  own_number: true,
  access: 'whatsapp',
  codes: false,
  counts: 'messages',
  charged_at: 'delivered',
  carried_by: 'sender',
  session: { hours: 24, renewed: true, outside: 'templates', in_a_row: null, in_session: null },
  profile: true,
  other_addresses: true,
  reads: true,
  quotes: true,
  reactions: true,
  media,
  purposes: null,
  templates: {
    review: 'carrier',
    fields: ['header', 'footer', 'wa_category', 'wa_sender_code', 'samples'],
    name: { pattern: /^[a-z0-9_]+$/, rule: 'Only lowercase letters, numbers, and (_) are allowed' },
    values: 'required',
    named_values: false,
    fixedText: ({ wa_category }) => (wa_category === 'AUTHENTICATION' ? AUTHENTICATION_TEXT : null),
    isFileOnly: () => false,
    refuseValue: ({ wa_category }, value) => (wa_category === 'AUTHENTICATION' && !isCode(value) ? CODE_RULE : null),
    surplus_image: 'WHATSAPP_IMAGE_NOT_ALLOWED',
    purpose: ({ wa_category }) => wa_category && PURPOSES[wa_category],
  },
  verification: {
    template: 'required',
    ttl: { refusal: 'TTL_WHATSAPP_NOT_SUPPORTED' },
    purpose: null,
    refuseTemplate: ({ wa_category }) => (wa_category === 'AUTHENTICATION' ? null : 'VERIFICATION_CATEGORY_INVALID'),
  },
  checkMessage,
  checkTemplate,
};
