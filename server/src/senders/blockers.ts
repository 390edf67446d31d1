/** Contacts blocked for one sender. They are entries on the stop list, so that every message respects them. */

import type { StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { Problem } from '@parley/contract/problem.ts';
import { createStopListEntry, removeStopListEntry } from '../audiences/audiences.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findSender } from './queries.ts';

export async function createBlocker(tx: Tx, actor: Actor, sender_id: string, number: string): Promise<StopListEntry> {
  if (!(await findSender(tx, actor.account_id, sender_id))) throw new Problem('SENDER_NOT_FOUND');
  return createStopListEntry(tx, actor, { number, sender_id });
}

export async function removeBlocker(tx: Tx, actor: Actor, sender_id: string, id: string): Promise<void> {
  if (!(await findSender(tx, actor.account_id, sender_id))) throw new Problem('SENDER_NOT_FOUND');
  const entry = await tx.maybeOne(sql`
    select 1 from stop_list where account_id = ${actor.account_id} and id = ${id} and sender_id = ${sender_id}`);
  if (!entry) throw new Problem('BLOCKED_CONTACT_NOT_FOUND');
  await removeStopListEntry(tx, actor, id);
}
