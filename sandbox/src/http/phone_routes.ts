/**
 * The HTTP API for phones: the list of phones, the thread, settings, and actions of a phone (sending, reading, and
 * pressing buttons), and the files in the apps.
 */
import type { FastifyInstance } from 'fastify';
import {
  type Input,
  inputChoice,
  inputFlag,
  inputObject,
  inputString,
  invalid,
  notFound,
  Problem,
  phoneDigits,
  queryNumber,
  queryString,
} from '../problem.ts';
import { type ChatChannelName, chatChannels, type Inbound } from '../world/chat.ts';
import { maxReplyLength } from '../world/message.ts';
import { Phone, phoneStates } from '../world/phones.ts';
import { changeProfile, profileFields } from '../world/profile.ts';
import { messageJson, phoneJson } from '../world/view.ts';
import type { Parts } from './parts.ts';

type Digits = { Params: { digits: string } };
type Query = { Querystring: Input };

const maxSeq = Number.MAX_SAFE_INTEGER;
const pageSize = { min: 1, max: 500 };
const wholeNumber = { min: 0, max: maxSeq };
const maxChatLength = 7000;
const channels = ['SMS', ...chatChannels] as const;
/** The file types that a browser may display. All other files are downloaded. */
const displayable =
  /^(image\/(png|jpeg|webp|gif)|video\/(mp4|3gpp|quicktime)|audio\/[\w.+-]+|application\/pdf|text\/plain)$/;
const maxFileBytes = 210 * 1024 * 1024;

export function phoneRoutes(api: FastifyInstance, parts: Parts): void {
  const { world } = parts;
  const { phones } = world.messages;

  api.get<Query>('/api/phones', ({ query }) => {
    const search = queryString(query, 'search').replace(/\D/g, '');
    const after = queryNumber(query, 'after', maxSeq, wholeNumber);
    const page = phones.list(search, queryNumber(query, 'limit', 50, pageSize), after);
    return { phones: page.phones.map(phoneJson), next: page.next, total: phones.size };
  });

  api.put<Digits>('/api/phones/:digits', ({ params, body }) => {
    const digits = phoneDigits(params.digits);
    const input = inputObject(body, ['state', ...profileFields]);
    const state = input.state === undefined ? phones.getState(digits) : inputChoice(input, 'state', phoneStates);
    const before = phones.getProfile(digits);
    const profile = changeProfile(before, input);
    return phoneJson(world.setPhone(digits, state, profile === before ? undefined : profile));
  });

  api.get<Digits & Query>('/api/phones/:digits/messages', ({ params, query }) => {
    const digits = phoneDigits(params.digits);
    const phone = phones.get(digits) ?? new Phone(digits);
    const limit = queryNumber(query, 'limit', 50, pageSize);
    const older = phone.thread.before(queryNumber(query, 'before', maxSeq, wholeNumber));
    const messages = [...older.take(limit)].map(messageJson).reverse();
    const oldest = phone.thread.oldest;
    const hasMore = messages.length > 0 && oldest && Number(messages[0]!.id) > oldest.seq;
    return {
      phone: phoneJson(phone),
      senders: recentSenders(phone),
      chats: recentChats(phone),
      messages,
      next: hasMore ? messages[0]!.id : null,
    };
  });

  api.post<Digits>('/api/phones/:digits/messages', async ({ params, body }, response) => {
    const digits = phoneDigits(params.digits);
    const input = inputObject(body, [
      'channel',
      'to',
      'text',
      'media_url',
      'location',
      'contacts',
      'reaction',
      'press',
      'unsupported',
      'reply_to',
    ]);
    const channel = input.channel === undefined ? 'SMS' : inputChoice(input, 'channel', channels);
    const inbound = channel === 'SMS' ? readSms(input) : readInbound(input);
    const state = phones.getState(digits);
    if (state === 'off' || state === 'out_of_reach') {
      throw new Problem(409, 'phone_cannot_send', `a phone that is ${state.replaceAll('_', ' ')} cannot send`);
    }
    if (channel !== 'SMS' && !phones.getProfile(digits)[channel === 'WHATSAPP' ? 'whatsapp' : 'viber']) {
      throw new Problem(409, 'phone_cannot_send', `this phone has no ${channel}`);
    }
    const message =
      channel === 'SMS'
        ? await world.reply(digits, inbound.to, inbound.text ?? '')
        : await world.chats.channel(channel).write(digits, inbound);
    response.status(201);
    return messageJson(message);
  });

  api.post<Digits>('/api/phones/:digits/read', ({ params, body }) => {
    const input = inputObject(body, ['channel', 'from']);
    const channel = input.channel === undefined ? undefined : inputChoice(input, 'channel', chatChannels);
    const from = input.from === undefined ? '' : inputString(input, 'from', { min: 0, max: 100 });
    return { read: world.chats.markRead(phoneDigits(params.digits), channel, from.replace(/^\+/, '')) };
  });

  fileRoutes(api, parts);
}

function fileRoutes(api: FastifyInstance, { world }: Parts): void {
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxFileBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<Query>('/api/files', { bodyLimit: maxFileBytes }, ({ body, query, headers }, response) => {
      if (!Buffer.isBuffer(body) || body.length === 0) throw invalid('body', 'must be the bytes of the file');
      const mime = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      response.status(201);
      return world.files.media(body, mime || 'application/octet-stream', queryString(query, 'name') || null);
    });
  });

  api.get<{ Params: { id: string } } & Query>('/files/:id', ({ params, query }, response) => {
    const bytes = world.files.read(params.id);
    if (!bytes) throw notFound('this file');
    const mime = queryString(query, 'type');
    const name = encodeURIComponent(queryString(query, 'name') || 'file');
    // Files from people are not trusted, so scripts in them must never run.
    return response
      .header('content-disposition', `${displayable.test(mime) ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=3600')
      .type(displayable.test(mime) ? mime : 'application/octet-stream')
      .send(bytes);
  });
}

function readSms(input: Input): Inbound {
  for (const field of ['media_url', 'location', 'contacts', 'reaction', 'press', 'unsupported', 'reply_to'])
    if (input[field] !== undefined) throw invalid(field, 'is not supported for SMS');
  const to = businessAddress(inputString(input, 'to', { min: 1, max: 21 }));
  return { to, text: inputString(input, 'text', { min: 1, max: maxReplyLength }) };
}

function readInbound(input: Input): Inbound {
  const readText = (field: string, max: number, from: Input = input) => inputString(from, field, { min: 1, max });
  const inbound: Inbound = { to: input.to === undefined ? '' : readText('to', 100).replace(/^\+/, '') };
  if (input.text !== undefined) inbound.text = readText('text', maxChatLength);
  if (input.media_url !== undefined) inbound.media_url = readText('media_url', 2000);
  if (input.reply_to !== undefined) inbound.reply_to = readText('reply_to', 200);
  if (input.unsupported !== undefined) inbound.unsupported = inputFlag(input, 'unsupported');
  if (input.reaction !== undefined) {
    const reaction = inputObject(input.reaction, ['message_id', 'emoji']);
    inbound.reaction = {
      message_id: readText('message_id', 200, reaction),
      emoji: inputString(reaction, 'emoji', { min: 0, max: 16 }),
    };
  }
  if (input.press !== undefined) {
    const press = inputObject(input.press, ['message_id', 'button', 'opened']);
    const button = typeof press.button === 'number' ? press.button : readText('button', 256, press);
    const opened = press.opened === undefined ? false : inputFlag(press, 'opened');
    inbound.press = { message_id: readText('message_id', 200, press), button, opened };
  }
  if (input.location !== undefined) inbound.location = readLocation(inputObject(input.location, locationFields));
  if (input.contacts !== undefined) inbound.contacts = readContacts(input.contacts);
  const contents = [
    inbound.media_url,
    inbound.location,
    inbound.contacts,
    inbound.reaction,
    inbound.press,
    inbound.unsupported || undefined,
  ];
  const count = contents.filter((content) => content !== undefined).length;
  if (count > 1)
    throw new Problem(
      422,
      'invalid',
      'a message can have only one of a file, a location, contacts, a reaction, and a button press',
    );
  if (count === 0 && inbound.text === undefined) throw invalid('text', 'must be a string');
  return inbound;
}

function readContacts(given: unknown): Inbound['contacts'] {
  if (!Array.isArray(given) || given.length === 0 || given.length > 20)
    throw invalid('contacts', 'must be a list of 1 to 20 contacts');
  return given.map((item) => {
    const contact = inputObject(item, ['name', 'phones', 'emails']);
    const readTexts = (field: string): string[] => {
      const texts = contact[field] ?? [];
      if (!Array.isArray(texts) || texts.some((one) => typeof one !== 'string' || one.length > 200))
        throw invalid(field, 'must be a list of texts');
      return texts;
    };
    const name = inputString(contact, 'name', { min: 1, max: 200 });
    return { name, phones: readTexts('phones'), emails: readTexts('emails') };
  });
}

const locationFields = ['latitude', 'longitude', 'name', 'address'];

function readLocation(place: Input): Inbound['location'] {
  const degrees = (field: string, max: number) => {
    const value = place[field];
    if (typeof value !== 'number' || !(Math.abs(value) <= max)) throw invalid(field, `must be at most ${max} degrees`);
    return value;
  };
  return {
    latitude: degrees('latitude', 90),
    longitude: degrees('longitude', 180),
    ...(place.name !== undefined && { name: inputString(place, 'name', { min: 0, max: 200 }) }),
    ...(place.address !== undefined && { address: inputString(place, 'address', { min: 0, max: 300 }) }),
  };
}

/** The senders that a phone can reply to by SMS, newest first. */
function recentSenders(phone: Phone): string[] {
  const senders = new Set<string>();
  for (const item of phone.thread.before(maxSeq).take(1000)) {
    if (item.kind === 'chat') continue;
    const first = item.kind === 'long' ? item.parts[0]! : item;
    senders.add(first.kind === 'reply' ? first.to : first.from);
    if (senders.size === 20) break;
  }
  return [...senders];
}

/** The businesses that a phone has chats with, newest first. */
function recentChats(phone: Phone): { channel: ChatChannelName; peer: string; business_id: string }[] {
  const chats = new Map<string, { channel: ChatChannelName; peer: string; business_id: string }>();
  for (const item of phone.thread.before(maxSeq).take(1000)) {
    if (item.kind !== 'chat') continue;
    const { channel, peer, business_id } = item;
    const key = `${channel} ${business_id}`;
    if (!chats.has(key)) chats.set(key, { channel, peer, business_id });
    if (chats.size === 20) break;
  }
  return [...chats.values()];
}

function businessAddress(text: string): string {
  const digits = text.replace(/^\+/, '').replace(/[\s().-]/g, '');
  if (/^\d{3,20}$/.test(digits)) return digits;
  if (/^[A-Za-z0-9 _.&+'-]{1,11}$/.test(text.trim())) return text.trim();
  throw invalid('to', 'must be a number of 3 to 20 digits or a sender name of up to 11 letters and digits');
}
