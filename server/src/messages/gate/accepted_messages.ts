import { contentMessageType } from '@parley/contract/messages/content.ts';
import { type Message, messageCreated } from '@parley/contract/messages/messages.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { touchConversations } from '../thread/conversations.ts';
import type { AcceptedBatch } from './queue.ts';

/** Builds the messages of a batch as the API returns them, without reading the inserted rows. */
export function toMessages(
  tx: Tx,
  batch: AcceptedBatch,
  networkName: (mccmnc: string | null) => string | null,
): Message[] {
  const now = wireTime(tx.now);
  const { content } = batch;
  const shared = {
    account_id: batch.account_id,
    channel: batch.channel,
    type: contentMessageType(content),
    template_id: batch.template_id,
    status: batch.status,
    direction: 'MT' as const,
    source: batch.source,
    create_date: now,
    update_date: now,
    schedule: batch.schedule ? wireTime(batch.schedule) : null,
    currency: batch.currency,
    charge: 'held' as const,
    sender_id: batch.sender.id,
    campaign_id: batch.campaign_id ?? null,
    user_id: batch.user_id ?? null,
    failure: null,
    carrier_code: null,
    status_details: null,
  };
  return batch.people.map((person, index) => ({
    ...shared,
    ...(batch.in_session?.[index] ? { type: 'text' as const, template_id: null } : {}),
    id: batch.ids[index]!,
    from: batch.origins?.[index] ?? batch.sender.code,
    to: person.number,
    text: person.text,
    content: content && { ...content, ...batch.contents?.[index], purpose: person.purpose },
    segments_count: person.segments_count,
    encoding: person.encoding,
    country: person.country,
    mccmnc: person.mccmnc,
    network: networkName(person.mccmnc),
    price: person.price_micros / 1_000_000,
    price_micros: person.price_micros,
    marks: person.review?.rule.action === 'hold' ? { review: 'waiting' as const } : null,
  }));
}

/** The price of all messages of a batch. */
export const batchMicros = ({ people }: Pick<AcceptedBatch, 'people'>): number =>
  people.reduce((sum, { price_micros }) => sum + price_micros, 0);

/** The hold of a batch. */
export const toHold = (batch: AcceptedBatch) => ({
  id: batch.hold_id,
  account_id: batch.account_id,
  amount_micros: batchMicros(batch),
  message_count: batch.people.length,
  message_id: batch.ids.length === 1 ? batch.ids[0]! : null,
  campaign_id: batch.campaign_id ?? null,
});

const wireTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/** Each single message updates its conversation and emits an event; campaigns report their progress instead. */
export async function announceAccepted(tx: Tx, accepted: readonly Message[]): Promise<void> {
  const conversations = await touchConversations(
    tx,
    accepted.map((message) => ({ ...message, number: message.to })),
  );
  for (const message of accepted) {
    message.conversation_id = conversations.get(message.id) ?? null;
    emit(tx, messageCreated, message.account_id, message);
  }
}
