/** The actions of a phone on Viber: writing to a service, which opens or continues a session, and pressing buttons. */
import { invalid, notFound, Problem } from '../problem.ts';
import { fetchForPhone } from '../storage/fetch.ts';
import { type Chat, chatStatus, type Inbound } from '../world/chat.ts';
import type { Content } from '../world/content.ts';
import { type ViberExtra, viberExtra } from './extra.ts';
import { toToken } from './numbers.ts';
import type { Business } from './request.ts';
import type { ViberState } from './state.ts';

const maxFileBytes = 200 * 1024 * 1024;
const maxTextLength = 7000;
const openTimeout = 10_000;

export async function writeInbound(viber: ViberState, digits: string, inbound: Inbound): Promise<Chat> {
  if (inbound.press) {
    const chat = findChat(viber, digits, inbound.press.message_id);
    return press(viber, chat, inbound.press.button, inbound.press.opened);
  }
  const business = businessFor(viber, digits, inbound.to);
  if (!business.two_way) throw new Problem(409, 'one_way', `${business.name} does not accept replies`);
  if (viber.world.messages.phones.getProfile(digits).viber_blocked.includes(business.service_id)) {
    throw new Problem(409, 'blocked', `this phone blocks ${business.name}`);
  }
  const content = await readContent(viber, inbound);
  const { numbers, sessions, world } = viber;
  const now = Date.now();
  const { service_id } = business;
  const session =
    sessions.findOpen(service_id, digits, now, viber.settings) ??
    sessions.restore(service_id, digits, numbers.next(), now);
  const before = session.unanswered;
  session.unanswered = 0;
  const extra: ViberExtra = { session: session.seq, session_opened: session.opened };
  try {
    return await world.chats.accept({
      channel: 'VIBER',
      direction: 'from_phone',
      phone: digits,
      peer: business.name,
      business_id: String(service_id),
      id: toToken(numbers.next()),
      content,
      reference: findTrackingData(viber, digits, String(service_id)),
      reply_to: null,
      extra: { ...extra },
      steps: [{ status: 'delivered', due: now, ...(!business.callback_url && { told: false as const }) }],
    });
  } catch (error) {
    session.unanswered = before;
    throw error;
  }
}

/**
 * Opens a button's URL as a browser would, but without following redirects. `opened` means that the page has already
 * opened it.
 */
export async function press(viber: ViberState, chat: Chat, button: string | number, opened = false): Promise<Chat> {
  const { chats } = viber.world;
  const buttons = chat.content.buttons ?? [];
  const place = typeof button === 'number' ? button : buttons.findIndex(({ text }) => text === button);
  const pressed = buttons[place];
  if (!pressed) throw invalid('button', 'is not on this message');
  if (!['delivered', 'read'].includes(chatStatus(chat))) {
    throw new Problem(409, 'not_there', 'the message has not reached the phone yet');
  }
  chats.markPressed(chat, place);
  if (opened) return chat;
  await fetch(pressed.value, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36' },
    signal: AbortSignal.timeout(openTimeout),
  }).then(
    (response) => response.body?.cancel(),
    () => {},
  );
  return chat;
}

function businessFor(viber: ViberState, digits: string, to: string): Business {
  if (to) {
    const named = viber.businesses.findByName(to);
    if (!named) throw invalid('to', 'is not a Viber service of this sandbox');
    return named;
  }
  for (const item of newestChats(viber, digits)) {
    const business = item.channel === 'VIBER' ? viber.businesses.find(Number(item.business_id)) : undefined;
    if (business) return business;
  }
  throw invalid('to', 'is required: no service has written to this phone');
}

function findChat(viber: ViberState, digits: string, message_id: string): Chat {
  for (const item of newestChats(viber, digits)) {
    if (item.channel === 'VIBER' && (item.id === message_id || String(item.seq) === message_id)) return item;
  }
  throw notFound(`message ${message_id}`);
}

/** Returns the tracking data from the last message that the service sent to this phone. */
function findTrackingData(viber: ViberState, digits: string, business_id: string): string | null {
  for (const item of newestChats(viber, digits)) {
    if (item.channel !== 'VIBER' || item.business_id !== business_id) continue;
    if (item.direction === 'to_phone' && viberExtra(item).type !== undefined) return item.reference;
  }
  return null;
}

/** Yields the chat messages of a phone, newest first. */
function* newestChats({ world }: ViberState, digits: string): Generator<Chat> {
  for (const item of world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
    if (item.kind === 'chat') yield item;
  }
}

async function readContent({ world }: ViberState, { text, media_url, ...rest }: Inbound): Promise<Content> {
  for (const field of ['location', 'contacts', 'reaction', 'unsupported', 'reply_to'] as const) {
    if (rest[field] !== undefined) throw invalid(field, 'is not supported on Viber');
  }
  if (text !== undefined && text.length > maxTextLength) {
    throw invalid('text', `must have at most ${maxTextLength} characters`);
  }
  if (media_url === undefined) return { kind: 'text', text: text ?? '' };
  const { bytes, mime } = await fetchForPhone(media_url, maxFileBytes, world.files);
  const kind = mime.startsWith('image/') ? 'image' : mime.startsWith('video/') ? 'video' : 'document';
  const media = world.files.media(bytes, mime, fileNameFrom(media_url));
  return { kind, media, ...(text && { caption: text }) };
}

function fileNameFrom(media_url: string): string | null {
  const url = URL.parse(media_url, 'http://localhost');
  return url?.searchParams.get('name') || url?.pathname.split('/').find((part) => /^[^.]+\.\w+$/.test(part)) || null;
}
