/**
 * Builds the JSON for a webhook when it is sent: statuses and messages from people, grouped by number as in the real
 * API. A person with a hidden number is identified only by a user ID.
 */
import type { Chat } from '../world/chat.ts';
import { contentText } from '../world/content.ts';
import { displayName, type Profile } from '../world/profile.ts';
import { toUserId } from '../world/user_id.ts';
import type { WhatsappNumber } from './account.ts';
import { webhookError } from './graph/graph_error.ts';

/** Step n of a message, as reported to the business. */
interface ChatItem {
  kind: 'chat';
  chat: Chat;
  n: number;
}

export interface EventItem {
  kind: 'event';
  id: string;
  field: string;
  value: Record<string, unknown>;
}

export type WebhookItem = ChatItem | EventItem;

/** The data that WhatsApp stores with a message. */
export interface WhatsappExtra {
  /** For a message from a person: its type and content in the webhook's format. */
  message?: Record<string, unknown>;
  /** For a message to a person: `category` and `in_window` determine the price. */
  category?: string;
  in_window?: boolean;
  /** The message was addressed to a phone number, so the business knows the number. */
  by_number?: boolean;
  /** A linked file that has not been fetched yet. */
  fetch?: { link: string; kind: string; file_name: string | null };
}

export const whatsappExtra = (chat: Chat): WhatsappExtra => (chat.extra ?? {}) as WhatsappExtra;

interface Change {
  field: string;
  value: Record<string, unknown>;
}

const seconds = (time: number) => String(Math.floor(time / 1000));

/** Gives the envelope access to the account, its numbers, and the profiles of phones. */
interface EnvelopeSource {
  waba_id: string;
  number: (id: string) => WhatsappNumber | undefined;
  profile: (digits: string) => Readonly<Profile>;
}

export function envelope(items: WebhookItem[], source: EnvelopeSource): Record<string, unknown> {
  const changes: Change[] = [];
  const groups = new Map<string, Change>();
  for (const item of items) {
    if (item.kind === 'event') {
      changes.push({ field: item.field, value: item.value });
      continue;
    }
    const { chat, n } = item;
    const inbound = chat.direction === 'from_phone';
    const key = `${chat.business_id} ${inbound}`;
    const group = groups.get(key) ?? startGroup(chat, source);
    if (!groups.has(key)) {
      groups.set(key, group);
      changes.push(group);
    }
    if (!inbound) {
      listIn(group, 'statuses').push(statusJson(chat, n, source));
      continue;
    }
    listIn(group, 'messages').push(messageJson(chat, source));
    const contacts = listIn(group, 'contacts');
    const user_id = toUserId(chat.phone);
    if (!contacts.some((contact) => contact.user_id === user_id)) contacts.push(contactJson(chat.phone, source));
  }
  const time = Math.floor(Date.now() / 1000);
  return { object: 'whatsapp_business_account', entry: [{ id: source.waba_id, time, changes }] };
}

function listIn({ value }: Change, field: string): Record<string, unknown>[] {
  if (!Array.isArray(value[field])) value[field] = [];
  return value[field] as Record<string, unknown>[];
}

function startGroup(chat: Chat, { number }: EnvelopeSource): Change {
  const { business_id } = chat;
  return {
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: {
        display_phone_number: number(business_id)?.digits ?? chat.peer,
        phone_number_id: business_id,
      },
    },
  };
}

function contactJson(digits: string, { profile }: EnvelopeSource): Record<string, unknown> {
  const person = profile(digits);
  return {
    profile: { name: displayName(digits, person) },
    ...(!person.number_hidden && { wa_id: digits }),
    user_id: toUserId(digits),
  };
}

function messageJson(chat: Chat, { profile }: EnvelopeSource): Record<string, unknown> {
  const hidden = profile(chat.phone).number_hidden;
  return {
    ...(chat.reply_to && { context: { from: chat.peer, id: chat.reply_to } }),
    ...(!hidden && { from: chat.phone }),
    from_user_id: toUserId(chat.phone),
    id: chat.id,
    timestamp: seconds(chat.time),
    ...(whatsappExtra(chat).message ?? { type: 'text', text: { body: contentText(chat.content) } }),
  };
}

function statusJson(chat: Chat, n: number, { profile }: EnvelopeSource): Record<string, unknown> {
  const step = chat.steps[n]!;
  const extra = whatsappExtra(chat);
  const showsNumber = extra.by_number || !profile(chat.phone).number_hidden;
  const priced = step.status === 'sent' || step.status === 'delivered';
  return {
    id: chat.id,
    status: step.status,
    timestamp: seconds(step.due),
    ...(showsNumber && { recipient_id: chat.phone }),
    recipient_user_id: toUserId(chat.phone),
    ...(chat.reference !== null && { biz_opaque_callback_data: chat.reference }),
    ...(priced && { pricing: pricing(extra) }),
    ...(step.error && { errors: [webhookError(step.error.code, step.error.title)] }),
  };
}

/** Within the 24-hour window, free-form messages and utility templates are free. */
function pricing({ category = 'service', in_window = false }: WhatsappExtra): Record<string, unknown> {
  const free = category === 'service' || (category === 'utility' && in_window);
  return {
    billable: !free,
    pricing_model: 'PMP',
    type: free ? 'free_customer_service' : 'regular',
    category,
  };
}
