/** The text that the inbox shows of an inbound message: its own text, or else a description of its content. */
import { createHash } from 'node:crypto';
import type { Incoming, IncomingContent } from '../channel.ts';
import { type Json, listOf, nameOf, objectOf, parseJson, secondsOf, textOf } from '../wire_json.ts';

/** A business-scoped id: country, a dot, letters and digits. */
const USER_ID = /^[A-Z]{2}\.[\w.-]{1,150}$/;

/** Empty when it is no message from a person to us. */
export function incomingOf(message: Json, value: Json, session: string): Incoming[] {
  const external_id = textOf(message.id, 300);
  const to = textOf(objectOf(value.metadata).phone_number_id, 100);
  const who = personOf(message, listOf(value.contacts).map(objectOf));
  if (external_id === '' || to === '' || !who || message.group_id !== undefined) return [];
  const written = wordsOf(message);
  if (!written) return [];
  const at = secondsOf(message.timestamp);
  const { text, media = null, pressed = null, answers = '' } = written;
  const replied = answers || textOf(objectOf(message.context).id, 300);
  const content: IncomingContent | null =
    media || pressed || replied !== '' ? { media, pressed, answers: replied || null } : null;
  return [
    {
      from: who.from,
      to,
      text,
      part: null,
      digest: createHash('sha256').update(`whatsapp ${external_id}`).digest(),
      session,
      external_id,
      ...(who.alias ? { alias: who.alias } : {}),
      ...(who.name ? { profile_name: who.name } : {}),
      ...(at === undefined ? {} : { at }),
      ...(content ? { content } : {}),
    },
  ];
}

/**
 * The address of a person: the number if there is one, and WhatsApp's own id, which is all there is when the number is
 * hidden.
 */
function personOf(message: Json, contacts: readonly Json[]): { from: string; alias: string; name: string } | null {
  const given = [message.from, message.from_user_id].map((one) => textOf(one, 200));
  const contact =
    contacts.find(({ wa_id, user_id }) =>
      [wa_id, user_id].some((one) => one !== undefined && given.includes(textOf(one))),
    ) ?? (contacts.length === 1 ? contacts[0]! : {});
  const addresses = [...given, textOf(contact.wa_id, 200), textOf(contact.user_id, 200)];
  const number = addresses.find((one) => /^\d{5,20}$/.test(one));
  const user_id = addresses.find((one) => USER_ID.test(one)) ?? '';
  const from = number ?? user_id;
  if (from === '') return null;
  return { from, alias: from === user_id ? '' : user_id, name: nameOf(objectOf(contact.profile).name) };
}

interface Written {
  text: string;
  media?: IncomingContent['media'];
  pressed?: IncomingContent['pressed'];
  answers?: string;
}

type Reader = (part: Json, message: Json) => Written | null;

const file =
  (type: 'image' | 'video' | 'document', name?: (mime: string) => string): Reader =>
  (part) => {
    const source = textOf(part.id, 200);
    const mime = textOf(part.mime_type, 200);
    const file_name = nameOf(part.filename, 255) || name?.(mime) || null;
    const media = source === '' ? null : { type, source, content_type: mime || null, file_name };
    return { text: textOf(part.caption) || (media ? '' : UNREADABLE), media };
  };
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
};
const sound = (mime: string): string => `audio.${EXTENSIONS[mime.split(';')[0]!.trim()] ?? 'ogg'}`;

const UNREADABLE = 'A message that cannot be shown here';

const READERS: Readonly<Record<string, Reader>> = {
  text: ({ body }) => ({ text: textOf(body) }),
  image: file('image'),
  sticker: file('image'),
  video: file('video'),
  document: file('document'),
  audio: file('document', sound),
  voice: file('document', sound),
  location: (part) => ({ text: locationText(part) }),
  contacts: (_, { contacts }) => ({
    text: listOf(contacts)
      .map((one) => contactText(objectOf(one)))
      .join('\n'),
  }),
  button: ({ text, payload }) => pressedOf(textOf(text), textOf(payload)),
  interactive: (part) => interactiveOf(part),
  reaction: ({ message_id, emoji }) => {
    const sign = textOf(emoji, 50);
    return { text: sign === '' ? 'Took the reaction back' : `Reacted with ${sign}`, answers: textOf(message_id, 300) };
  },
  order: (part) => ({ text: orderText(part) }),
  // A changed number or key is not written by the person.
  system: () => null,
  request_welcome: () => null,
};

function wordsOf(message: Json): Written | null {
  const type = textOf(message.type, 50);
  const reader = Object.hasOwn(READERS, type) ? READERS[type]! : null;
  const content = reader ? reader(objectOf(message[type]), message) : { text: UNREADABLE };
  return content && content.text === '' && !content.media ? { ...content, text: UNREADABLE } : content;
}

const pressedOf = (text: string, value: string): Written => ({ text: text || value, pressed: { text, value } });

function interactiveOf({ type, button_reply, list_reply, nfm_reply }: Json): Written {
  const reply = objectOf(type === 'list_reply' ? list_reply : button_reply);
  if (type !== 'nfm_reply') return pressedOf(textOf(reply.title), textOf(reply.id));
  const form = objectOf(nfm_reply);
  const answers = Object.entries(objectOf(parseJson(textOf(form.response_json))))
    .filter(([name]) => name !== 'flow_token')
    .map(([name, value]) => `${textOf(name, 100)}: ${textOf(value, 500) || textOf(JSON.stringify(value), 500)}`);
  return { text: textOf([textOf(form.body), ...answers].filter((line) => line !== '').join('\n')) };
}

function locationText({ name, address, latitude, longitude }: Json): string {
  const [lat, lon] = [latitude, longitude].map((one) => (typeof one === 'number' ? one : Number.NaN)) as [
    number,
    number,
  ];
  const place = [textOf(name, 300), textOf(address, 500)].filter((line) => line !== '').join(', ');
  const point = Number.isFinite(lat) && Number.isFinite(lon) ? `https://www.google.com/maps?q=${lat},${lon}` : '';
  return `Location: ${[place, point].filter((line) => line !== '').join('\n') || 'unknown'}`;
}

function contactText({ name, phones, emails }: Json): string {
  const { formatted_name, first_name } = objectOf(name);
  const of = (list: unknown, field: string) => listOf(list).map((one) => textOf(objectOf(one)[field], 100));
  const parts = [
    textOf(formatted_name, 200) || textOf(first_name, 200),
    ...of(phones, 'phone'),
    ...of(emails, 'email'),
  ];
  return `Contact: ${parts.filter((part) => part !== '').join(', ')}`;
}

function orderText({ product_items, text }: Json): string {
  const lines = listOf(product_items)
    .map(objectOf)
    .map(({ product_retailer_id, quantity, item_price, currency }) => {
      const price = textOf(item_price, 30) === '' ? '' : ` at ${textOf(item_price, 30)} ${textOf(currency, 10)}`;
      return `${textOf(quantity, 20) || '1'} × ${textOf(product_retailer_id, 200)}${price}`;
    });
  return textOf(['Order:', ...lines, textOf(text)].filter((line) => line !== '').join('\n'));
}
