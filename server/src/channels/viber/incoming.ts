/** Reads Viber's callbacks: delivery receipts, inbound messages, and opt-outs. Unsigned callbacks are refused. */
import { createHash } from 'node:crypto';
import type { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import type { Callback, CallbackRequest, Incoming, Notice, Report } from '../channel.ts';
import type { IncomingContent } from '../chat_event.ts';
import { isSigned } from '../signature.ts';
import { fromMilliseconds, type Json, parseJson, toName, toObject, toText } from '../wire_json.ts';

const statusOnly = (status: number): Callback => ({ status, body: '', reports: [], incoming: [], notices: [] });

export function readCallback({ auth_token }: ViberSettings, request: CallbackRequest, session: string): Callback {
  if (request.method !== 'POST') return statusOnly(405);
  const signature = request.headers['x-viber-content-signature'] ?? '';
  if (signature === '') return statusOnly(401);
  if (!isSigned(auth_token, request.body, signature)) return statusOnly(403);
  const payload = parseJson(request.body.toString('utf8'));
  if (payload === undefined) return statusOnly(400);
  const fields = toObject(payload);
  if (fields.message_status !== undefined) return { ...statusOnly(200), reports: readReports(fields) };
  if (fields.message !== undefined) return { ...statusOnly(200), incoming: readIncoming(fields, session) };
  return { ...statusOnly(200), notices: readNotices(fields) };
}

const STATUSES = ['delivered', 'read', 'expired'] as const;
const STATES: Readonly<Record<(typeof STATUSES)[number], string>> = {
  delivered: 'DELIVERED',
  read: 'SEEN',
  expired: 'EXPIRED',
};

/** Ids have more digits than a number can hold, so they are read as text. */
const toId = (value: unknown): string => (/^\d{1,20}$/.test(toText(value, 30)) ? toText(value, 30) : '');
const toNumber = (value: unknown): string => toText(value, 30).replace(/^\+/, '');

function readTime(value: unknown): { at?: number } {
  const at = fromMilliseconds(value);
  return at === undefined ? {} : { at };
}

function readReports({ message_token, message_status, message_time, phone_number, service_id }: Json): Report[] {
  const external_id = toId(message_token);
  const status = typeof message_status === 'number' ? STATUSES[message_status] : undefined;
  if (external_id === '' || !status) return [];
  const state = STATES[status];
  const detail = { id: external_id, message_status: message_status as number };
  const [number, sender] = [toNumber(phone_number), toId(service_id)];
  return [
    { external_id, status, state, code: null, reference: null, number, sender, ...readTime(message_time), detail },
  ];
}

function readIncoming(payload: Json, session: string): Incoming[] {
  const external_id = toId(payload.message_token);
  const [from, to] = [toNumber(payload.phone_number), toId(payload.service_id)];
  if (external_id === '' || to === '' || !/^\d{5,20}$/.test(from)) return [];
  const message = toObject(payload.message);
  const media = readMedia(message);
  const written = toText(message.text);
  const unknown = describeUnknown(message);
  return [
    {
      from,
      to,
      text: written || (media ? '' : describe(message)),
      part: null,
      digest: createHash('sha256').update(`viber ${external_id}`).digest(),
      session,
      external_id,
      ...readTime(payload.message_time),
      ...(media ? { content: { media, pressed: null, answers: null } } : {}),
      ...(unknown ? { unknown } : {}),
    },
  ];
}

/** The types of messages that are read. A message without a type is a text. */
const KNOWN_TYPES = ['', 'text', 'picture', 'video', 'file', 'location', 'contact', 'url'];

/** Keeps a message of a type that Parley does not know as Viber sent it. */
function describeUnknown({ type, text: _text, ...content }: Json): Incoming['unknown'] {
  const name = toText(type, 50);
  return KNOWN_TYPES.includes(name) ? undefined : { type: name, content: toText(JSON.stringify(content), 4_000) };
}

const FILES: Readonly<Record<string, 'image' | 'video' | 'document'>> = {
  picture: 'image',
  video: 'video',
  file: 'document',
};

function readMedia({ type, media, file_name }: Json): IncomingContent['media'] {
  const kind = toText(type, 30);
  const source = toText(media, 4_000);
  if (!Object.hasOwn(FILES, kind) || !URL.canParse(source)) return null;
  return { type: FILES[kind]!, source, content_type: null, file_name: toName(file_name, 255) || lastSegment(source) };
}

function lastSegment(address: string): string | null {
  const last = new URL(address).pathname.split('/').at(-1)!;
  try {
    return toName(decodeURIComponent(last), 255) || null;
  } catch {
    return last.slice(0, 255);
  }
}

function describe({ type, media, location, contact }: Json): string {
  if (type === 'location') {
    const { lat, lon } = toObject(location);
    if (typeof lat === 'number' && typeof lon === 'number')
      return `Location: https://www.google.com/maps?q=${lat},${lon}`;
  }
  if (type === 'contact') {
    const { name, phone_number } = toObject(contact);
    return `Contact: ${[toText(name, 200), toText(phone_number, 50)].filter((part) => part !== '').join(', ')}`;
  }
  return (type === 'url' && toText(media, 4_000)) || 'This message cannot be displayed here';
}

/** The person blocked the sender, or allows its messages again. */
function readNotices({ event, phone_number, service_id }: Json): Notice[] {
  const [from, address] = [toNumber(phone_number), toId(service_id)];
  if ((event !== 'unsubscribed' && event !== 'subscribed') || from === '' || address === '') return [];
  return [{ kind: 'consent', address, from, stopped: event === 'unsubscribed' }];
}
