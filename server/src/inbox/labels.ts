/** Labels of conversations. A deleted label disappears immediately; a job then removes it from the conversations. */
import { type Conversation, conversationUpdated } from '@parley/contract/inbox/inbox.ts';
import { LABELS_MAX, type Label, labelsChanged } from '@parley/contract/inbox/labels.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { lockVisible } from './inbox.ts';
import * as queries from './label_queries.ts';
import { findConversation } from './queries.ts';
import { forgetLabel } from './targets/target_queries.ts';

/** Removes a deleted label from its conversations. Safe to repeat. */
export const unlabelJob = job<{ account_id: string; id: string }>('inbox.unlabel');

const PORTION = 1_000;

export async function createLabel(tx: Tx, { account_id }: Actor, body: Pick<Label, 'name' | 'color'>): Promise<Label> {
  await queries.lockLabels(tx, account_id);
  if ((await queries.listLabelRows(tx, account_id)).length >= LABELS_MAX) throw new Problem('LABELS_LIMIT_EXCEEDED');
  const label = await queries.insertLabel(tx, { account_id, id: newId(), ...body });
  if (!label) throw new Problem('LABEL_EXISTS');
  emit(tx, labelsChanged, account_id, { id: label.id });
  return label;
}

export async function updateLabel(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  { name, color }: { name?: string | undefined; color?: Label['color'] | undefined },
): Promise<Label> {
  await queries.lockLabels(tx, account_id);
  const before = await queries.lockLabel(tx, account_id, id);
  if (!before) throw new Problem('LABEL_NOT_FOUND');
  const label = { ...before, name: name ?? before.name, color: color ?? before.color };
  if (await queries.isNameTaken(tx, label)) throw new Problem('LABEL_EXISTS');
  await queries.setLabel(tx, label);
  emit(tx, labelsChanged, account_id, { id });
  return label;
}

export async function removeLabel(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if ((await queries.deleteLabel(tx, account_id, id)) === 0) throw new Problem('LABEL_NOT_FOUND');
  await forgetLabel(tx, account_id, id);
  await enqueue(tx, unlabelJob, { account_id, id });
  emit(tx, labelsChanged, account_id, { id });
}

export async function removeEverywhere(
  { db }: Kernel,
  { account_id, id }: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; )
    hasMore = await db.tx(async (tx) => (await queries.dropEverywhere(tx, account_id, id, PORTION)) === PORTION);
}

export async function labelConversation(tx: Tx, actor: Actor, id: string, label_id: string): Promise<Conversation> {
  await lockVisible(tx, actor, id);
  if (!(await queries.keepLabel(tx, actor.account_id, label_id))) throw new Problem('LABEL_NOT_FOUND');
  return announce(tx, actor, id, await queries.addLabel(tx, actor.account_id, id, label_id));
}

export async function unlabelConversation(tx: Tx, actor: Actor, id: string, label_id: string): Promise<Conversation> {
  await lockVisible(tx, actor, id);
  return announce(tx, actor, id, await queries.dropLabel(tx, actor.account_id, id, label_id));
}

async function announce(tx: Tx, { account_id }: Actor, id: string, changed: number): Promise<Conversation> {
  const row = (await findConversation(tx, account_id, id))!;
  if (changed > 0) emit(tx, conversationUpdated, account_id, row);
  return row;
}
