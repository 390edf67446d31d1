/**
 * Simulates the events of WhatsApp other than new messages and statuses, in the published formats: edited and deleted
 * messages, ads, changed numbers, unknown types, account errors, and messages from the phone app of the business.
 */
import { inputChoice, inputObject, inputString, notFound } from '../problem.ts';
import { displayName } from '../world/profile.ts';
import { toUserId } from '../world/user_id.ts';
import type { WhatsappState } from './state.ts';

const types = ['edit', 'revoke', 'referral', 'number_change', 'unknown', 'error', 'echo', 'echo_edit', 'echo_revoke'];

type Fields = Record<string, string>;

/** Each returns the part of the message that depends on its type. */
const fromPerson: Readonly<Record<string, (fields: Fields) => object>> = {
  edit: ({ message_id, text }) => ({
    type: 'edit',
    edit: {
      original_message_id: message_id,
      message: { context: { id: message_id }, type: 'text', text: { body: text } },
    },
  }),
  revoke: ({ message_id }) => ({ type: 'revoke', revoke: { original_message_id: message_id } }),
  referral: ({ text }) => ({
    type: 'text',
    text: { body: text },
    referral: {
      source_url: 'https://fb.me/2QmV5Hf1s',
      source_id: '120208112233445566',
      source_type: 'ad',
      headline: 'Summer menu',
      body: 'Book a table by the harbor',
      media_type: 'image',
      image_url: 'https://example.com/ad.jpg',
      ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ-QTwRiyYHAFDLMNDBH0CD3qpjd0HR4irJ6LEkR7JwFF4XvnO2E4Nx0',
    },
  }),
  number_change: ({ phone = '', to = '' }) => ({
    type: 'system',
    system: { body: `User changed from ${phone} to ${to}`, wa_id: to, type: 'user_changed_number' },
  }),
  unknown: ({ text }) => ({ type: 'hologram', hologram: { caption: text, frames: 24 } }),
};

const fromBusiness: Readonly<Record<string, (fields: Fields) => object>> = {
  echo: ({ text }) => ({ type: 'text', text: { body: text } }),
  echo_edit: (fields) => fromPerson.edit!(fields),
  echo_revoke: (fields) => fromPerson.revoke!(fields),
};

/** Returns the ID of the webhook's message. */
export function play(whatsapp: WhatsappState, number_id: string, body: unknown): { id: string } {
  const number = whatsapp.account.number(number_id);
  if (!number) throw notFound('this number');
  const input = inputObject(body, ['type', 'phone', 'text', 'message_id', 'to']);
  const type = inputChoice(input, 'type', types);
  const fields: Fields = Object.fromEntries(
    ['phone', 'text', 'message_id', 'to'].map((name) => [
      name,
      input[name] === undefined ? '' : inputString(input, name, { min: 1, max: 1_000 }),
    ]),
  );
  const phone = fields.phone!;
  const id = whatsapp.newMessageId(phone);
  const base = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number.digits, phone_number_id: number.id },
  };
  const timestamp = String(Math.floor(Date.now() / 1_000));
  if (type === 'error') {
    const title = 'Something went wrong';
    const error_data = { details: fields.text || 'Message failed to send because of an unknown error.' };
    whatsapp.webhooks.addEvent('messages', {
      ...base,
      errors: [{ code: 130429, title, message: title, error_data }],
    });
  } else if (Object.hasOwn(fromBusiness, type)) {
    const echo = { from: number.digits, to: phone, id, timestamp, ...fromBusiness[type]!(fields) };
    whatsapp.webhooks.addEvent('smb_message_echoes', { ...base, message_echoes: [echo] });
  } else {
    const name = displayName(phone, whatsapp.world.messages.phones.getProfile(phone));
    const message = { from: phone, from_user_id: toUserId(phone), id, timestamp, ...fromPerson[type]!(fields) };
    const contact = { profile: { name }, wa_id: phone, user_id: toUserId(phone) };
    const contacts = type === 'number_change' ? {} : { contacts: [contact] };
    whatsapp.webhooks.addEvent('messages', { ...base, ...contacts, messages: [message] });
  }
  return { id };
}
