/**
 * The text that the inbox shows for an inbound message: its own text or, if it has none, a description of its content.
 */
import { createHash } from 'node:crypto';
import { type ContactCard, contactsText, type Place, placeText } from '@parley/contract/messages/cards.ts';
import { DELETED_TEXT, type Referral } from '@parley/contract/messages/marks.ts';
import type { Incoming } from '../channel.ts';
import type { Amendment, IncomingContent } from '../chat_event.ts';
import { fromSeconds, type Json, parseJson, toList, toName, toObject, toText } from '../wire_json.ts';

/** A business-scoped id: a country, a dot, and letters and digits. */
const USER_ID = /^[A-Z]{2}\.[\w.-]{1,150}$/;

/** Returns an empty list if the message is not from a person to us. */
export function readIncoming(message: Json, value: Json, session: string): Incoming[] {
  const external_id = toText(message.id, 300);
  const to = toText(toObject(value.metadata).phone_number_id, 100);
  const person = findPerson(message, toList(value.contacts).map(toObject));
  if (external_id === '' || to === '' || !person || message.group_id !== undefined) return [];
  const written = describeMessage(message);
  if (!written) return [];
  const at = fromSeconds(message.timestamp);
  const { text, amends, unknown } = written;
  const content = readContent(message, written);
  const referral = readReferral(toObject(message.referral));
  return [
    {
      from: person.from,
      to,
      text,
      part: null,
      digest: createHash('sha256').update(`whatsapp ${external_id}`).digest(),
      session,
      external_id,
      ...(person.alias ? { alias: person.alias } : {}),
      ...(person.name ? { profile_name: person.name } : {}),
      ...(at === undefined ? {} : { at }),
      ...(content ? { content } : {}),
      ...(amends ? { amends } : {}),
      ...(referral ? { referral } : {}),
      ...(unknown ? { unknown } : {}),
    },
  ];
}

export function readContent(
  message: Json,
  { media = null, pressed = null, answers = '', location, contacts }: Written,
): IncomingContent | null {
  const replied = answers || toText(toObject(message.context).id, 300);
  if (!media && !pressed && !location && !contacts && replied === '') return null;
  return {
    ...{ media, pressed, answers: replied || null },
    ...(location ? { location } : {}),
    ...(contacts ? { contacts } : {}),
  };
}

/** The ad or post that led the person to write. */
function readReferral(referral: Json): Referral | null {
  const { source_type, source_id, source_url, headline, body, ctwa_clid } = referral;
  if (Object.keys(referral).length === 0) return null;
  return {
    source_type: toText(source_type, 50),
    source_id: toText(source_id, 200),
    source_url: toText(source_url, 2_000),
    headline: toText(headline, 500),
    body: toText(body, 2_000),
    click_id: toText(ctwa_clid, 500),
  };
}

/** Finds a person's address: the number or, if the number is hidden, WhatsApp's own id. */
function findPerson(message: Json, contacts: readonly Json[]): { from: string; alias: string; name: string } | null {
  const sender_ids = [message.from, message.from_user_id].map((item) => toText(item, 200));
  const contact =
    contacts.find(({ wa_id, user_id }) =>
      [wa_id, user_id].some((item) => item !== undefined && sender_ids.includes(toText(item))),
    ) ?? (contacts.length === 1 ? contacts[0]! : {});
  const addresses = [...sender_ids, toText(contact.wa_id, 200), toText(contact.user_id, 200)];
  const number = addresses.find((item) => /^\d{5,20}$/.test(item));
  const user_id = addresses.find((item) => USER_ID.test(item)) ?? '';
  const from = number ?? user_id;
  if (from === '') return null;
  return { from, alias: from === user_id ? '' : user_id, name: toName(toObject(contact.profile).name) };
}

export interface Written {
  text: string;
  media?: IncomingContent['media'];
  pressed?: IncomingContent['pressed'];
  answers?: string;
  location?: Place;
  contacts?: ContactCard[];
  amends?: Amendment;
  unknown?: Incoming['unknown'];
}

type Reader = (part: Json, message: Json) => Written | null;

const file =
  (type: 'image' | 'video' | 'document', name?: (mime: string) => string): Reader =>
  (part) => {
    const source = toText(part.id, 200);
    const mime = toText(part.mime_type, 200);
    const file_name = toName(part.filename, 255) || name?.(mime) || null;
    const media = source === '' ? null : { type, source, content_type: mime || null, file_name };
    return { text: toText(part.caption) || (media ? '' : UNREADABLE), media };
  };
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
};
const sound = (mime: string): string => `audio.${EXTENSIONS[mime.split(';')[0]!.trim()] ?? 'ogg'}`;

const UNREADABLE = 'This message cannot be displayed here';

const READERS: Readonly<Record<string, Reader>> = {
  text: ({ body }) => ({ text: toText(body) }),
  image: file('image'),
  sticker: file('image'),
  video: file('video'),
  document: file('document'),
  audio: file('document', sound),
  voice: file('document', sound),
  location: (part) => {
    const location = readPlace(part);
    return location ? { text: placeText(location), location } : { text: 'Location: unknown' };
  },
  contacts: (_, message) => {
    const contacts = toList(message.contacts)
      .slice(0, MAX_CONTACTS)
      .map((item) => readContact(toObject(item)));
    return contacts.length > 0 ? { text: contactsText(contacts), contacts } : { text: '' };
  },
  button: ({ text, payload }) => toPressed(toText(text), toText(payload)),
  interactive: (part) => describeReply(part),
  reaction: ({ message_id, emoji }) => {
    const sign = toText(emoji, 50);
    const external_id = toText(message_id, 300);
    const text = sign === '' ? 'Removed the reaction' : `Reacted with ${sign}`;
    return { text, answers: external_id, amends: { kind: 'reaction', external_id, emoji: sign } };
  },
  edit: ({ original_message_id, message }) => {
    const written = describeMessage(toObject(message));
    if (!written) return null;
    return { ...written, amends: { kind: 'edit', external_id: toText(original_message_id, 300), text: written.text } };
  },
  revoke: ({ original_message_id }) => ({
    text: DELETED_TEXT,
    amends: { kind: 'revoke', external_id: toText(original_message_id, 300) },
  }),
  order: (part) => ({ text: orderText(part) }),
  // A notice about a changed number (events.ts) or key is not a message from the person.
  system: () => null,
  request_welcome: () => null,
};

export function describeMessage(message: Json): Written | null {
  const type = toText(message.type, 50);
  const reader = Object.hasOwn(READERS, type) ? READERS[type]! : null;
  const content = reader
    ? reader(toObject(message[type]), message)
    : { text: UNREADABLE, unknown: describeUnknown(type, message) };
  return content && content.text === '' && !content.media ? { ...content, text: UNREADABLE } : content;
}

/** Keeps a message of a type that Parley does not know as WhatsApp sent it. */
const describeUnknown = (type: string, message: Json): NonNullable<Incoming['unknown']> => {
  const { id: _id, from: _from, from_user_id: _user, timestamp: _time, type: _type, ...content } = message;
  return { type, content: toText(JSON.stringify(content), 4_000) };
};

const toPressed = (text: string, value: string, from_list = false): Written => ({
  text: text || value,
  pressed: { text, value, ...(from_list ? { from_list } : {}) },
});

function describeReply({ type, button_reply, list_reply, nfm_reply }: Json): Written {
  const reply = toObject(type === 'list_reply' ? list_reply : button_reply);
  const isChoice = type === 'list_reply';
  if (type !== 'nfm_reply') return toPressed(toText(reply.title), toText(reply.id), isChoice);
  const form = toObject(nfm_reply);
  const answers = Object.entries(toObject(parseJson(toText(form.response_json))))
    .filter(([name]) => name !== 'flow_token')
    .map(([name, value]) => `${toText(name, 100)}: ${toText(value, 500) || toText(JSON.stringify(value), 500)}`);
  return { text: toText([toText(form.body), ...answers].filter((line) => line !== '').join('\n')) };
}

/** Returns null if WhatsApp reports no point on the map. */
function readPlace({ name, address, latitude, longitude }: Json): Place | null {
  const isPoint = [latitude, longitude].every((degrees) => typeof degrees === 'number' && Number.isFinite(degrees));
  if (!isPoint) return null;
  return {
    ...{ latitude: latitude as number, longitude: longitude as number },
    ...{ name: toText(name, 300) || null, address: toText(address, 500) || null },
  };
}

/** A person can share more contacts than an inbox can show. */
const MAX_CONTACTS = 20;

function readContact({ name, phones, emails }: Json): ContactCard {
  const { formatted_name, first_name } = toObject(name);
  const fieldTexts = (list: unknown, field: string) =>
    toList(list)
      .map((item) => toText(toObject(item)[field], 100))
      .filter((text) => text !== '')
      .slice(0, MAX_CONTACTS);
  return {
    name: toName(formatted_name, 200) || toName(first_name, 200),
    phones: fieldTexts(phones, 'phone'),
    emails: fieldTexts(emails, 'email'),
  };
}

function orderText({ product_items, text }: Json): string {
  const lines = toList(product_items)
    .map(toObject)
    .map(({ product_retailer_id, quantity, item_price, currency }) => {
      const price = toText(item_price, 30) === '' ? '' : ` at ${toText(item_price, 30)} ${toText(currency, 10)}`;
      return `${toText(quantity, 20) || '1'} × ${toText(product_retailer_id, 200)}${price}`;
    });
  return toText(['Order:', ...lines, toText(text)].filter((line) => line !== '').join('\n'));
}
