// The carrier's counters in one answer: what a test asserts and the carrier panel shows.
import { statusName } from '@parley/smpp/status.ts';
import { state } from './message.ts';
import type { Parts } from './routes.ts';

export function stats({ world, smsc, mailbox }: Parts) {
  const { messages, outbox } = world;
  const count = (message_state: number) => messages.byState[message_state] ?? 0;
  return {
    /** Since the last reset, also those no longer kept. */
    accepted: messages.accepted,
    kept: messages.kept.length,
    by_outcome: {
      waiting: count(state.enroute),
      delivered: count(state.delivered),
      undelivered: count(state.undeliverable),
      expired: count(state.expired),
      rejected: count(state.rejected),
    },
    duplicates: messages.duplicates,
    incomplete: messages.incomplete,
    refused: Object.fromEntries([...world.refused].map(([status, times]) => [statusName(status), times])),
    receipts: { ...counters(outbox.sent.receipts, world.acknowledged.receipts), pending: messages.pendingReceipts },
    replies: { ...counters(outbox.sent.replies, world.acknowledged.replies), pending: messages.pendingReplies },
    /** Messages of the chat apps; `pending` steps are owed to a business. */
    chats: messages.chats,
    phones: messages.phones.size,
    mail: mailbox.size,
    binds: smsc.binds(),
    refusing_binds_until: smsc.refusingUntil <= Date.now() ? null : new Date(smsc.refusingUntil).toISOString(),
    memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
  };
}

/** Sent counts attempts, so it may be more than acked and pending together. */
const counters = (sent: number, acked: number) => ({ sent, acked });
