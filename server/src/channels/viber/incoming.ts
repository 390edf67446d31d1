/**
 * Reads the callbacks of Viber: delivery receipts, inbound messages and opt-outs. Pure. Unsigned callbacks are refused.
 */
import { createHash } from 'node:crypto';
import type { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import type { Callback, CallbackRequest, Incoming, IncomingContent, Notice, Report } from '../channel.ts';
import { isSigned } from '../signature.ts';
import { type Json, millisecondsOf, nameOf, objectOf, parseJson, textOf } from '../wire_json.ts';

const only = (status: number): Callback => ({ status, body: '', reports: [], incoming: [], notices: [] });

export function callbackOf({ auth_token }: ViberSettings, request: CallbackRequest, session: string): Callback {
  if (request.method !== 'POST') return only(405);
  const signature = request.headers['x-viber-content-signature'] ?? '';
  if (signature === '') return only(401);
  if (!isSigned(auth_token, request.body, signature)) return only(403);
  const payload = parseJson(request.body.toString('utf8'));
  if (payload === undefined) return only(400);
  const found = objectOf(payload);
  if (found.message_status !== undefined) return { ...only(200), reports: reportOf(found) };
  if (found.message !== undefined) return { ...only(200), incoming: incomingOf(found, session) };
  return { ...only(200), notices: noticeOf(found) };
}

const STATUSES = ['delivered', 'read', 'expired'] as const;
const STATES: Readonly<Record<(typeof STATUSES)[number], string>> = {
  delivered: 'DELIVERED',
  read: 'SEEN',
  expired: 'EXPIRED',
};

/** Ids have more digits than a number can hold, so they are read as text. */
const idOf = (value: unknown): string => (/^\d{1,20}$/.test(textOf(value, 30)) ? textOf(value, 30) : '');
const numberOf = (value: unknown): string => textOf(value, 30).replace(/^\+/, '');

function timeOf(value: unknown): { at?: number } {
  const at = millisecondsOf(value);
  return at === undefined ? {} : { at };
}

function reportOf({ message_token, message_status, message_time, phone_number, service_id }: Json): Report[] {
  const external_id = idOf(message_token);
  const status = typeof message_status === 'number' ? STATUSES[message_status] : undefined;
  if (external_id === '' || !status) return [];
  const state = STATES[status];
  const detail = { id: external_id, message_status: message_status as number };
  const [number, sender] = [numberOf(phone_number), idOf(service_id)];
  return [{ external_id, status, state, code: null, reference: null, number, sender, ...timeOf(message_time), detail }];
}

function incomingOf(payload: Json, session: string): Incoming[] {
  const external_id = idOf(payload.message_token);
  const [from, to] = [numberOf(payload.phone_number), idOf(payload.service_id)];
  if (external_id === '' || to === '' || !/^\d{5,20}$/.test(from)) return [];
  const message = objectOf(payload.message);
  const media = fileOf(message);
  const words = textOf(message.text);
  return [
    {
      from,
      to,
      text: words || (media ? '' : inWords(message)),
      part: null,
      digest: createHash('sha256').update(`viber ${external_id}`).digest(),
      session,
      external_id,
      ...timeOf(payload.message_time),
      ...(media ? { content: { media, pressed: null, answers: null } } : {}),
    },
  ];
}

const FILES: Readonly<Record<string, 'image' | 'video' | 'document'>> = {
  picture: 'image',
  video: 'video',
  file: 'document',
};

function fileOf({ type, media, file_name }: Json): IncomingContent['media'] {
  const kind = textOf(type, 30);
  const source = textOf(media, 4_000);
  if (!Object.hasOwn(FILES, kind) || !URL.canParse(source)) return null;
  return { type: FILES[kind]!, source, content_type: null, file_name: nameOf(file_name, 255) || lastOf(source) };
}

function lastOf(address: string): string | null {
  const last = new URL(address).pathname.split('/').at(-1)!;
  try {
    return nameOf(decodeURIComponent(last), 255) || null;
  } catch {
    return last.slice(0, 255);
  }
}

function inWords({ type, media, location, contact }: Json): string {
  if (type === 'location') {
    const { lat, lon } = objectOf(location);
    if (typeof lat === 'number' && typeof lon === 'number')
      return `Location: https://www.google.com/maps?q=${lat},${lon}`;
  }
  if (type === 'contact') {
    const { name, phone_number } = objectOf(contact);
    return `Contact: ${[textOf(name, 200), textOf(phone_number, 50)].filter((part) => part !== '').join(', ')}`;
  }
  return (type === 'url' && textOf(media, 4_000)) || 'A message that cannot be shown here';
}

/** The person has blocked the sender, or allows its messages again. */
function noticeOf({ event, phone_number, service_id }: Json): Notice[] {
  const [from, address] = [numberOf(phone_number), idOf(service_id)];
  if ((event !== 'unsubscribed' && event !== 'subscribed') || from === '' || address === '') return [];
  return [{ kind: 'consent', address, from, stopped: event === 'unsubscribed' }];
}
