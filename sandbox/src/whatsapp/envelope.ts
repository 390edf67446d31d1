// What a webhook carries, built when it is sent: the JSON of statuses and of messages from people, grouped by number as the real one
// groups them. A person whose number is hidden has a user id only.
import type { Chat } from '../chat.ts';
import { contentText } from '../content.ts';
import { nameOf, type Profile } from '../profile.ts';
import { userIdOf } from '../user_id.ts';
import type { WhatsappNumber } from './account.ts';
import { webhookError } from './graph_error.ts';

export interface ChatNews {
  kind: 'chat';
  chat: Chat;
  n: number;
}

export interface EventNews {
  kind: 'event';
  id: string;
  field: string;
  value: Record<string, unknown>;
}

export type News = ChatNews | EventNews;

/** What is kept with a message for its webhooks. */
export interface Extra {
  /** Of a message from a person: its type and content as they are told. */
  message?: Record<string, unknown>;
  /** Of a message to a person: by what it is priced. */
  category?: string;
  in_window?: boolean;
  /** It was addressed by number, so the business knows it. */
  by_number?: boolean;
  /** A file still to be fetched. */
  fetch?: { link: string; kind: string; file_name: string | null };
  /** Decided when it was accepted. */
  plan?: { delivery: string };
}

export const extraOf = (chat: Chat): Extra => (chat.extra ?? {}) as Extra;

interface Change {
  field: string;
  value: Record<string, unknown>;
}

const seconds = (time: number) => String(Math.floor(time / 1000));

export interface Facts {
  waba_id: string;
  number: (id: string) => WhatsappNumber | undefined;
  profile: (digits: string) => Readonly<Profile>;
}

export function envelope(news: News[], facts: Facts): Record<string, unknown> {
  const changes: Change[] = [];
  const groups = new Map<string, Change>();
  for (const one of news) {
    if (one.kind === 'event') {
      changes.push({ field: one.field, value: one.value });
      continue;
    }
    const { chat, n } = one;
    const inbound = chat.direction === 'from_phone';
    const key = `${chat.business_id} ${inbound}`;
    const group = groups.get(key) ?? startGroup(chat, facts);
    if (!groups.has(key)) {
      groups.set(key, group);
      changes.push(group);
    }
    if (!inbound) {
      listIn(group, 'statuses').push(statusJson(chat, n, facts));
      continue;
    }
    listIn(group, 'messages').push(messageJson(chat, facts));
    const contacts = listIn(group, 'contacts');
    const user_id = userIdOf(chat.phone);
    if (!contacts.some((contact) => contact.user_id === user_id)) contacts.push(contactJson(chat.phone, facts));
  }
  const time = Math.floor(Date.now() / 1000);
  return { object: 'whatsapp_business_account', entry: [{ id: facts.waba_id, time, changes }] };
}

function listIn({ value }: Change, field: string): Record<string, unknown>[] {
  if (!Array.isArray(value[field])) value[field] = [];
  return value[field] as Record<string, unknown>[];
}

function startGroup(chat: Chat, { number }: Facts): Change {
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

function contactJson(digits: string, { profile }: Facts): Record<string, unknown> {
  const person = profile(digits);
  return {
    profile: { name: nameOf(digits, person) },
    ...(!person.number_hidden && { wa_id: digits }),
    user_id: userIdOf(digits),
  };
}

function messageJson(chat: Chat, { profile }: Facts): Record<string, unknown> {
  const hidden = profile(chat.phone).number_hidden;
  return {
    ...(chat.reply_to && { context: { from: chat.peer, id: chat.reply_to } }),
    ...(!hidden && { from: chat.phone }),
    from_user_id: userIdOf(chat.phone),
    id: chat.id,
    timestamp: seconds(chat.time),
    ...(extraOf(chat).message ?? { type: 'text', text: { body: contentText(chat.content) } }),
  };
}

function statusJson(chat: Chat, n: number, { profile }: Facts): Record<string, unknown> {
  const step = chat.steps[n]!;
  const extra = extraOf(chat);
  const known = extra.by_number || !profile(chat.phone).number_hidden;
  const priced = step.status === 'sent' || step.status === 'delivered';
  return {
    id: chat.id,
    status: step.status,
    timestamp: seconds(step.due),
    ...(known && { recipient_id: chat.phone }),
    recipient_user_id: userIdOf(chat.phone),
    ...(chat.reference !== null && { biz_opaque_callback_data: chat.reference }),
    ...(priced && { pricing: pricing(extra) }),
    ...(step.error && { errors: [webhookError(step.error.code, step.error.title)] }),
  };
}

/** Free in the window: what is not a template, and utility templates. */
function pricing({ category = 'service', in_window = false }: Extra): Record<string, unknown> {
  const free = category === 'service' || (category === 'utility' && in_window);
  return {
    billable: !free,
    pricing_model: 'PMP',
    type: free ? 'free_customer_service' : 'regular',
    category,
  };
}
