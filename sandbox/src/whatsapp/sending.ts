/**
 * Handles one call to /messages: checks it in the same order as the real API, stores the message in the journal, and
 * then responds.
 */
import { fetchFile } from '../storage/fetch.ts';
import { chance } from '../world/carrier.ts';
import type { Chat, Step } from '../world/chat.ts';
import type { Content } from '../world/content.ts';
import { fromUserId, toUserId } from '../world/user_id.ts';
import type { WhatsappNumber } from './account.ts';
import { type WhatsappExtra, whatsappExtra } from './envelope.ts';
import { type Body, object, optionalText } from './graph/body.ts';
import { GraphError, invalidParameter, invalidValue, missing } from './graph/graph_error.ts';
import { findWhatsappMagic, type WhatsappRule } from './magic.ts';
import { type MediaKind, mediaLimits, mediaProblem } from './media.ts';
import { type Outgoing, readOutgoing } from './outgoing.ts';
import { failedStep, planSteps } from './plan.ts';
import type { WhatsappState } from './state.ts';
import { fillTemplate } from './templates/template_fill.ts';

export interface Sent {
  body: Record<string, unknown>;
  chat: Chat;
  /** True if the connection must be cut without a response. */
  cut: boolean;
}

/** Thrown to cut the connection without accepting the message. */
export class ConnectionCut extends Error {}

interface Recipient {
  input: string;
  digits: string;
  by_number: boolean;
}

export async function send(whatsapp: WhatsappState, number: WhatsappNumber, body: Body): Promise<Sent> {
  const { world, settings, templates } = whatsapp;
  if (body.messaging_product !== 'whatsapp')
    throw invalidParameter('Param messaging_product must be one of {WHATSAPP}');
  if (number.status !== 'CONNECTED') throw new GraphError(133010, 'The number is not registered');
  if (number.name_status === 'DECLINED') throw new GraphError(131037, 'The display name of the number was declined');
  if (settings.fail_code && chance(settings.fail_percent))
    throw new GraphError(settings.fail_code, 'The sandbox settings cause this error');
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') {
    throw invalidValue('recipient_type must be individual');
  }
  const recipient = readRecipient(body);
  const outgoing = readOutgoing(body, (template) =>
    fillTemplate(template, (name, language) => templates.find(name, language)),
  );
  const reference = optionalText(body, 'biz_opaque_callback_data', '', 512) ?? null;
  const reply_to = body.context === undefined ? null : readContext(body);
  const { digits } = recipient;
  if (digits === number.digits) throw new GraphError(131021, 'The recipient is the sender');
  if (settings.allowed_recipients.length > 0 && !settings.allowed_recipients.includes(digits)) {
    throw new GraphError(131030, 'The recipient is not in the allowed list');
  }
  const rule = findWhatsappMagic(digits)?.rule;
  checkLimits(whatsapp, number, digits, rule, body);
  const in_window = whatsapp.windows.isOpen(number.id, digits);
  const template = outgoing.template?.template;
  if (!template && !in_window && settings.window_refusal === 'answer' && outgoing.content.kind !== 'reaction') {
    throw new GraphError(131047, 'More than 24 hours have passed since the recipient last wrote to this number');
  }
  if (template && !in_window) whatsapp.windows.countRecipient(digits, settings.messaging_limit);
  const extra: WhatsappExtra = {
    category: template?.category.toLowerCase() ?? 'service',
    in_window: in_window || outgoing.content.kind === 'reaction',
    by_number: recipient.by_number,
  };
  const { content, steps } = planDelivery(whatsapp, digits, outgoing, extra, rule);
  const chat = await world.chats.accept({
    channel: 'WHATSAPP',
    direction: 'to_phone',
    phone: digits,
    peer: number.digits,
    business_id: number.id,
    id: whatsapp.newMessageId(digits),
    content,
    reference,
    reply_to,
    extra: { ...extra },
    steps,
  });
  if (template) templates.recordUse(template);
  if (rule?.reply) whatsapp.autoReplies.schedule(chat, rule.reply);
  if (rule?.statuses === 'before_response') await whatsapp.waitForAck(chat, 0);
  const hidden = world.messages.phones.getProfile(digits).number_hidden && !recipient.by_number;
  return {
    chat,
    cut: rule?.cut === 'accepted' || chance(settings.answers_cut_percent),
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: recipient.input, ...(!hidden && { wa_id: digits }), user_id: toUserId(digits) }],
      messages: [{ id: chat.id, ...(template && { message_status: 'accepted' }) }],
    },
  };
}

function readRecipient(body: Body): Recipient {
  const { to, recipient } = body;
  if (to !== undefined && to !== '') {
    const digits = String(to).replace(/[\s()+.-]/g, '');
    if (typeof to !== 'string' || !/^\d{7,15}$/.test(digits))
      throw invalidValue('to must be a phone number with its country code');
    return { input: to, digits, by_number: true };
  }
  if (recipient === undefined || recipient === '') throw missing('to');
  const digits = typeof recipient === 'string' ? fromUserId(recipient) : undefined;
  if (!digits) throw invalidValue('recipient must be the user id of a person who has written to this business');
  return { input: String(recipient), digits, by_number: false };
}

function readContext(body: Body): string {
  const { message_id } = object(body.context, 'context');
  if (typeof message_id !== 'string' || !message_id.startsWith('wamid.'))
    throw invalidValue('context.message_id must be a message id');
  return message_id;
}

function checkLimits(
  whatsapp: WhatsappState,
  number: WhatsappNumber,
  digits: string,
  rule: WhatsappRule | undefined,
  body: Body,
) {
  const { settings } = whatsapp;
  if (rule?.cut === 'lost') throw new ConnectionCut();
  const key = `${digits} ${JSON.stringify([body.type, body.text, body.template, body.biz_opaque_callback_data])}`;
  if (rule?.refuse && whatsapp.refusals.shouldRefuse(key, rule.refuse_times)) {
    throw new GraphError(rule.refuse, 'The recipient is a magic number in the sandbox');
  }
  if (!whatsapp.throttle.take(number.id, settings.throughput_per_second, Date.now())) {
    throw new GraphError(130429, 'Message failed to send because the throughput of the number was reached');
  }
  if (!whatsapp.pairLimit.take(`${number.id} ${digits}`, settings.pair_seconds * 1000)) {
    throw new GraphError(131056, 'Too many messages from this number to one recipient in a short time');
  }
}

/**
 * Returns the content that the phone shows and the steps of the message. A message with a linked file has no steps yet,
 * because the file is fetched first.
 */
function planDelivery(
  whatsapp: WhatsappState,
  digits: string,
  { content, file }: Outgoing,
  extra: WhatsappExtra,
  rule?: WhatsappRule,
) {
  const now = Date.now();
  const withSteps = (shown: Content, problem?: string): { content: Content; steps: Step[] } => ({
    content: shown,
    steps: problem
      ? [failedStep(131053, now + whatsapp.settings.sent_delay_ms, problem)]
      : planSteps(now, whatsapp.circumstances(digits, extra, file !== undefined, rule)),
  });
  if (!file) return withSteps(content);
  if (file.id !== undefined) {
    const record = whatsapp.media.get(file.id);
    if (!record) throw invalidValue(`${file.kind}.id: there is no media object ${file.id}, or it has expired`);
    const media = whatsapp.media.toMedia({ ...record, file_name: file.file_name ?? record.file_name });
    return withSteps({ ...content, media }, mediaProblem(file.kind, record.mime, record.size));
  }
  extra.fetch = { link: file.link!, kind: file.kind, file_name: file.file_name };
  return { content, steps: [] as Step[] };
}

/** Fetches the linked file for a message and then plans its delivery or its failure. */
export async function fetchLinked(whatsapp: WhatsappState, chat: Chat): Promise<void> {
  const { world } = whatsapp;
  const extra = whatsappExtra(chat);
  const { link, kind, file_name } = extra.fetch!;
  const { maxBytes } = mediaLimits[kind as MediaKind];
  let steps: Step[];
  try {
    const { bytes, mime } = await fetchFile(link, maxBytes + 1, world.files);
    const problem = mediaProblem(kind as MediaKind, mime, bytes.length, bytes);
    if (problem) steps = [failedStep(131053, Date.now(), problem)];
    else {
      const name =
        kind === 'document' ? (file_name ?? decodeURIComponent(new URL(link).pathname.split('/').at(-1)!)) : null;
      world.chats.setContent(chat, { ...chat.content, media: world.files.media(bytes, mime, name) });
      const rule = findWhatsappMagic(chat.phone)?.rule;
      steps = planSteps(Date.now(), whatsapp.circumstances(chat.phone, extra, true, rule));
    }
  } catch (error) {
    steps = [failedStep(131052, Date.now(), `Downloading media from the link failed: ${(error as Error).message}`)];
  }
  if (!whatsapp.closed) world.chats.addSteps(chat, steps);
}
