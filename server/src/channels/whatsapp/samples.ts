/** Messages and callbacks for the adapter's tests. */
import { createHmac } from 'node:crypto';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import type { CallbackRequest, Outgoing } from '../channel.ts';
import type { OutgoingContent, OutgoingMedia } from '../outgoing_content.ts';
import { whatsapp } from './whatsapp.ts';

const NO_CONTENT: OutgoingContent = {
  media: null,
  header: null,
  footer: null,
  buttons: [],
  template: null,
  purpose: null,
};
export const message = (
  text: string,
  content: Partial<OutgoingContent> | null = null,
  to = '447700900123',
): Outgoing => ({
  from: '1030507',
  to,
  text,
  content: content && { ...NO_CONTENT, ...content },
  reference: 4711,
  key: 'k4711',
  valid_seconds: 3_600,
  sent_parts: [],
});
export const media = (type: OutgoingMedia['type'], changes: Partial<OutgoingMedia> = {}): OutgoingMedia => ({
  type,
  key: null,
  link: `https://files.example/a.${type}`,
  file_name: 'menu.pdf',
  content_type: null,
  bytes: null,
  open: null,
  ...changes,
});
export const reply = (text: string, value = '') => ({ type: 'quick_reply', text, value }) as const;
export const link = { type: 'link', text: 'Book a table', value: 'https://harbour.example/book' } as const;
export const call = { type: 'phone_call', text: 'Call us', value: '+442079460000' } as const;
export const template = (changes: Partial<NonNullable<OutgoingContent['template']>> = {}) => ({
  name: 'table_ready',
  external_id: '88001',
  language: 'en_GB',
  header_values: [],
  body_values: [],
  ...changes,
});
export const templateReference = { name: 'table_ready', language: { code: 'en_GB', policy: 'deterministic' } };

export const settings = WhatsAppSettings.parse({ app_secret: 'app-secret', verify_token: 'a-word', waba_id: '55' });
export const connection = { id: '00000000-0000-7000-8000-000000000001', settings };

export const signed = (body: Buffer, secret = 'app-secret') =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
export const read = (request: Partial<CallbackRequest>, overrides: object = settings) =>
  whatsapp.callbacks!.read(
    { ...connection, settings: overrides },
    { method: 'POST', url: '', query: {}, headers: {}, body: Buffer.alloc(0), ...request },
  );
export const post = (payload: unknown) => {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return read({ body, headers: { 'x-hub-signature-256': signed(body) } });
};
export const change = (value: object, field = 'messages') => ({
  field,
  value: { messaging_product: 'whatsapp', ...value },
});
export const envelope = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '55', changes }],
});
export const metadata = { display_phone_number: '442079460000', phone_number_id: '1030507' };
export const nothing = { status: 200, body: '', reports: [], incoming: [], notices: [] };
