/** Reports a change to a sender: an event for its account's pages, and an entry in its timeline. */
import type { SenderDetail } from '@parley/contract/registrations/registration.ts';
import { type Sender, senderUpdated } from '@parley/contract/senders/senders.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import * as queries from './queries.ts';

export type TimelineKind = SenderDetail['timeline'][number]['kind'];

export const addTimelineEntry = (tx: Tx, account_id: string, sender_id: string, kind: TimelineKind, text = '') =>
  tx.run(sql`
    insert into sender_timeline (account_id, id, sender_id, kind, text, create_date)
    values (${account_id}, ${newId()}, ${sender_id}, ${kind}, ${text}, ${tx.now})`);

/** Emits the current state of the sender, and returns it. */
export async function announceSender(
  tx: Tx,
  account_id: string,
  id: string,
  type: typeof senderUpdated = senderUpdated,
): Promise<Sender> {
  const sender = (await queries.findSender(tx, account_id, id))!;
  emit(tx, type, account_id, sender);
  return sender;
}
