// What a person sends to a business: kept with the JSON its webhook will carry, and opening the window for free text.
import type { Chat, Inbound } from '../chat.ts';
import type { Button, Content } from '../content.ts';
import { fetchForPhone } from '../phone_routes.ts';
import { invalid, Problem } from '../problem.ts';
import type { WhatsappNumber } from './account.ts';
import type { Extra } from './envelope.ts';
import { kindOf, mediaLimits } from './media.ts';
import type { Whatsapp } from './whatsapp.ts';

interface Written {
  content: Content;
  message: Record<string, unknown>;
  reply_to?: string;
}

export async function write(whatsapp: Whatsapp, digits: string, inbound: Inbound): Promise<Chat> {
  const { world } = whatsapp;
  const original = inbound.press && findMessage(whatsapp, digits, inbound.press.message_id);
  const number = businessOf(whatsapp, digits, inbound.to || original?.business_id || '');
  const written = await read(whatsapp, digits, inbound, original);
  const reply_to = written.reply_to ?? (inbound.reply_to ? findMessage(whatsapp, digits, inbound.reply_to).id : null);
  const extra: Extra = { message: written.message };
  const chat = await world.chats.accept({
    channel: 'WHATSAPP',
    direction: 'from_phone',
    phone: digits,
    peer: number.digits,
    business_id: number.id,
    id: whatsapp.newId(digits),
    content: written.content,
    reference: null,
    reply_to,
    extra: { ...extra },
    steps: [{ status: 'delivered', due: Date.now() }],
  });
  whatsapp.windows.wrote(number.id, digits, chat.time);
  return chat;
}

function businessOf(whatsapp: Whatsapp, digits: string, wanted: string): WhatsappNumber {
  const last = () => {
    for (const item of whatsapp.world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind === 'chat' && item.channel === 'WHATSAPP') return item.business_id;
    }
    throw invalid('to', 'must say which business to write to: none has written to this phone yet');
  };
  const number = whatsapp.account.find(wanted.replace(/[\s()+.-]/g, '') || last());
  if (!number) throw invalid('to', 'is not a number of a business on WhatsApp');
  if (number.status !== 'CONNECTED') {
    throw new Problem(409, 'not_on_whatsapp', `+${number.digits} is not registered on WhatsApp`);
  }
  return number;
}

function findMessage(whatsapp: Whatsapp, digits: string, id: string): Chat {
  const found = whatsapp.find(digits, id);
  if (!found) throw invalid('message_id', 'is not a WhatsApp message of this phone');
  return found;
}

async function read(
  whatsapp: Whatsapp,
  digits: string,
  inbound: Inbound,
  original: Chat | undefined,
): Promise<Written> {
  const { text, media_url, location, reaction, press, unsupported } = inbound;
  if (press) return readPress(whatsapp, original!, press.button);
  if (media_url !== undefined) return readMedia(whatsapp, media_url, text);
  if (location) return { content: { kind: 'location', location }, message: { type: 'location', location } };
  if (reaction) {
    const { id } = findMessage(whatsapp, digits, reaction.message_id);
    const told = { message_id: id, ...(reaction.emoji && { emoji: reaction.emoji }) };
    return {
      content: { kind: 'reaction', text: reaction.emoji },
      message: { type: 'reaction', reaction: told },
    };
  }
  if (unsupported) {
    const details = 'Message type is currently not supported.';
    const error = {
      code: 131051,
      title: 'Message type unknown',
      message: 'Message type unknown',
      error_data: { details },
    };
    return { content: { kind: 'unsupported' }, message: { type: 'unsupported', errors: [error] } };
  }
  return { content: { kind: 'text', text: text! }, message: { type: 'text', text: { body: text } } };
}

async function readMedia(whatsapp: Whatsapp, url: string, caption: string | undefined): Promise<Written> {
  const { bytes, mime } = await fetchForPhone(whatsapp, url, mediaLimits.document.most);
  const kind = kindOf(mime) ?? 'document';
  const name = new URL(url, 'http://localhost').searchParams.get('name') ?? lastOf(url);
  const record = whatsapp.media.received(bytes, mime, kind === 'document' ? name : null);
  const told = {
    ...(caption && kind !== 'audio' && kind !== 'sticker' && { caption }),
    ...(kind === 'document' && { filename: name }),
    mime_type: mime,
    sha256: Buffer.from(record.file, 'hex').toString('base64'),
    id: record.id,
    ...(kind === 'audio' && { voice: mime === 'audio/ogg' }),
    ...(kind === 'sticker' && { animated: false }),
  };
  return {
    content: { kind, ...(caption && { caption }), media: whatsapp.media.shown(record) },
    message: { type: kind, [kind]: told },
  };
}

const lastOf = (url: string) =>
  decodeURIComponent(new URL(url, 'http://localhost').pathname.split('/').at(-1) || 'file');

function readPress(whatsapp: Whatsapp, original: Chat, wanted: string | number): Written {
  const buttons = original.content.buttons ?? [];
  const place = typeof wanted === 'number' ? wanted : buttons.findIndex(({ text }) => text === wanted);
  const button = buttons[place];
  if (!button) throw invalid('button', 'is not a button of this message');
  if (button.type !== 'quick_reply') throw invalid('button', 'is not one that answers; only quick replies and rows do');
  whatsapp.world.chats.pressed(original, place);
  return { content: { kind: 'button', text: button.text }, message: pressed(original, button), reply_to: original.id };
}

function pressed({ content }: Chat, { text, value, description }: Button): Record<string, unknown> {
  if (content.kind === 'template') return { type: 'button', button: { payload: value, text } };
  if (content.list_title === undefined) {
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: value, title: text } } };
  }
  const list_reply = { id: value, title: text, ...(description && { description }) };
  return { type: 'interactive', interactive: { type: 'list_reply', list_reply } };
}
