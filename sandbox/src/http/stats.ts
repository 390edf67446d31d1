import { statusName } from '@parley/smpp/status.ts';
import { state } from '../world/message.ts';
import type { Parts } from './parts.ts';

/** The counters that tests check and the carrier page shows. */
export function stats({ world, smsc, mailbox }: Parts) {
  const { messages, outbox } = world;
  const count = (message_state: number) => messages.byState[message_state] ?? 0;
  return {
    /** Counted since the last reset, including messages that are no longer stored. */
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
    /** Messages in the chat apps; `pending` counts unacknowledged steps. */
    chats: messages.chats,
    phones: messages.phones.size,
    mail: mailbox.size,
    binds: smsc.binds(),
    refusing_binds_until: smsc.refusingUntil <= Date.now() ? null : new Date(smsc.refusingUntil).toISOString(),
    memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
  };
}

/** `sent` counts attempts, so it can exceed the sum of `acked` and `pending`. */
const counters = (sent: number, acked: number) => ({ sent, acked });
