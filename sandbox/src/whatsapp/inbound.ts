/** Messages from a person to a business. Each message is stored with its webhook JSON and opens the 24-hour window. */
import { invalid, Problem } from '../problem.ts';
import { fetchForPhone } from '../storage/fetch.ts';
import type { Chat, Inbound } from '../world/chat.ts';
import type { Button, Content } from '../world/content.ts';
import type { WhatsappNumber } from './account.ts';
import type { WhatsappExtra } from './envelope.ts';
import { mediaKind, mediaLimits } from './media.ts';
import type { WhatsappState } from './state.ts';

interface Written {
  content: Content;
  message: Record<string, unknown>;
  reply_to?: string;
}

export async function write(whatsapp: WhatsappState, digits: string, inbound: Inbound): Promise<Chat> {
  const { world } = whatsapp;
  const original = inbound.press && findMessage(whatsapp, digits, inbound.press.message_id);
  const number = findBusiness(whatsapp, digits, inbound.to || original?.business_id || '');
  const written = await read(whatsapp, digits, inbound, original);
  const reply_to = written.reply_to ?? (inbound.reply_to ? findMessage(whatsapp, digits, inbound.reply_to).id : null);
  const extra: WhatsappExtra = { message: written.message };
  const chat = await world.chats.accept({
    channel: 'WHATSAPP',
    direction: 'from_phone',
    phone: digits,
    peer: number.digits,
    business_id: number.id,
    id: whatsapp.newMessageId(digits),
    content: written.content,
    reference: null,
    reply_to,
    extra: { ...extra },
    steps: [{ status: 'delivered', due: Date.now() }],
  });
  whatsapp.windows.recordInbound(number.id, digits, chat.time);
  return chat;
}

function findBusiness(whatsapp: WhatsappState, digits: string, idOrDigits: string): WhatsappNumber {
  const lastBusiness = () => {
    for (const item of whatsapp.world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind === 'chat' && item.channel === 'WHATSAPP') return item.business_id;
    }
    throw invalid('to', 'is required: no business has written to this phone yet');
  };
  const number = whatsapp.account.find(idOrDigits.replace(/[\s()+.-]/g, '') || lastBusiness());
  if (!number) throw invalid('to', 'is not a number of a WhatsApp business');
  if (number.status !== 'CONNECTED') {
    throw new Problem(409, 'not_on_whatsapp', `+${number.digits} is not registered on WhatsApp`);
  }
  return number;
}

function findMessage(whatsapp: WhatsappState, digits: string, id: string): Chat {
  const chat = whatsapp.find(digits, id);
  if (!chat) throw invalid('message_id', 'is not a WhatsApp message of this phone');
  return chat;
}

async function read(
  whatsapp: WhatsappState,
  digits: string,
  inbound: Inbound,
  original: Chat | undefined,
): Promise<Written> {
  const { text, media_url, location, contacts, reaction, press, unsupported } = inbound;
  if (press) return readPress(whatsapp, original!, press.button);
  if (media_url !== undefined) return readMedia(whatsapp, media_url, text);
  if (location) return { content: { kind: 'location', location }, message: { type: 'location', location } };
  if (contacts) {
    const cards = contacts.map(({ name, phones, emails }) => ({
      name: { formatted_name: name, first_name: name },
      phones: phones.map((phone) => ({ phone, type: 'CELL', wa_id: phone.replace(/\D/g, '') })),
      emails: emails.map((email) => ({ email, type: 'HOME' })),
    }));
    return { content: { kind: 'contacts', contacts }, message: { type: 'contacts', contacts: cards } };
  }
  if (reaction) {
    const { id } = findMessage(whatsapp, digits, reaction.message_id);
    const payload = { message_id: id, ...(reaction.emoji && { emoji: reaction.emoji }) };
    return {
      content: { kind: 'reaction', text: reaction.emoji },
      message: { type: 'reaction', reaction: payload },
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

async function readMedia(whatsapp: WhatsappState, url: string, caption: string | undefined): Promise<Written> {
  const { bytes, mime } = await fetchForPhone(url, mediaLimits.document.maxBytes, whatsapp.world.files);
  const kind = mediaKind(mime) ?? 'document';
  const name = new URL(url, 'http://localhost').searchParams.get('name') ?? fileNameFrom(url);
  const record = whatsapp.media.storeReceived(bytes, mime, kind === 'document' ? name : null);
  const payload = {
    ...(caption && kind !== 'audio' && kind !== 'sticker' && { caption }),
    ...(kind === 'document' && { filename: name }),
    mime_type: mime,
    sha256: Buffer.from(record.file, 'hex').toString('base64'),
    id: record.id,
    ...(kind === 'audio' && { voice: mime === 'audio/ogg' }),
    ...(kind === 'sticker' && { animated: false }),
  };
  return {
    content: { kind, ...(caption && { caption }), media: whatsapp.media.toMedia(record) },
    message: { type: kind, [kind]: payload },
  };
}

const fileNameFrom = (url: string) =>
  decodeURIComponent(new URL(url, 'http://localhost').pathname.split('/').at(-1) || 'file');

function readPress(whatsapp: WhatsappState, original: Chat, choice: string | number): Written {
  const buttons = original.content.buttons ?? [];
  const place = typeof choice === 'number' ? choice : buttons.findIndex(({ text }) => text === choice);
  const button = buttons[place];
  if (!button) throw invalid('button', 'is not a button of this message');
  if (button.type !== 'quick_reply') throw invalid('button', 'must be a quick reply or a list row');
  whatsapp.world.chats.markPressed(original, place);
  return {
    content: { kind: 'button', text: button.text },
    message: pressPayload(original, button),
    reply_to: original.id,
  };
}

function pressPayload({ content }: Chat, { text, value, description }: Button): Record<string, unknown> {
  if (content.kind === 'template') return { type: 'button', button: { payload: value, text } };
  if (content.list_title === undefined) {
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: value, title: text } } };
  }
  const list_reply = { id: value, title: text, ...(description && { description }) };
  return { type: 'interactive', interactive: { type: 'list_reply', list_reply } };
}
