/** Applies edits, deletions, and reactions to earlier messages. Changes can arrive repeatedly and in any order. */
import { DELETED_TEXT, type Marks } from '@parley/contract/messages/marks.ts';
import type { Amendment } from '../../channels/chat_event.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { releaseMedia } from '../../media/media.ts';
import { timelineTime } from '../model/status_fold.ts';
import { announceChange } from '../thread/announce_change.ts';
import { announceLast } from '../thread/conversations.ts';
import { removeText, writeTexts } from '../thread/search_texts.ts';
import type { OwnedMessage } from './store.ts';

type Author = 'contact' | 'business';

interface AmendedState {
  text: string;
  marks: Marks | null;
}

/** Returns the state after the change, or null if the change has no effect. */
export function amend(
  { text, marks }: AmendedState,
  change: Amendment,
  by: Author,
  at: string,
): { text: string; marks: Marks } | null {
  if (marks?.deleted) return null;
  if (change.kind === 'revoke') {
    const { edits: _, ...rest } = marks ?? {};
    return { text: DELETED_TEXT, marks: { ...rest, deleted: at } };
  }
  if (change.kind === 'edit') {
    const edits = marks?.edits ?? [];
    if (change.text === text || edits.some((edit) => edit.at > at)) return null;
    return { text: change.text, marks: { ...marks, edits: [...edits, { text, at }] } };
  }
  const reactions = marks?.reactions ?? [];
  const own = reactions.find((reaction) => reaction.by === by);
  if (own ? own.at > at || own.emoji === change.emoji : change.emoji === '') return null;
  const others = reactions.filter((reaction) => reaction.by !== by);
  return { text, marks: { ...marks, reactions: [...others, { by, emoji: change.emoji, at }] } };
}

interface Target {
  account_id: string;
  connection_id: string;
  number: string;
  amends: Amendment;
  by: Author;
  at: Date;
}

/** Returns false if the message is unknown. A person can change only their own messages but can react to any. */
export async function applyAmendment(tx: Tx, target: Target): Promise<boolean> {
  const { account_id, connection_id, number, amends, by, at } = target;
  const own = by === 'contact' ? 'MO' : 'MT';
  const original = await tx.maybeOne<AmendedState & { id: string; sender_id: string }>(sql`
    select m.id, m.text, m.marks, m.sender_id
    from submissions s join messages m on m.account_id = s.account_id and m.id = s.message_id
    where s.connection_id = ${connection_id} and s.external_id = ${amends.external_id} and s.account_id = ${account_id}
      and m.number = ${number} and (${amends.kind} = 'reaction' or m.direction = ${own})
    for update of m`);
  if (!original) return false;
  const { id, sender_id } = original;
  const result = amend(original, amends, by, timelineTime(at).slice(0, 19));
  if (!result) return true;
  const isDeleted = result.marks.deleted !== undefined;
  await tx.run(sql`
    update messages set text = ${result.text}, marks = ${JSON.stringify(result.marks)}::jsonb, update_date = ${tx.now},
      content = case when ${isDeleted} then null else content end,
      type = case when ${isDeleted} then 'text' else type end
    where account_id = ${account_id} and id = ${id}`);
  if (result.text !== original.text) {
    await removeText(tx, account_id, id);
    if (!isDeleted) await writeTexts(tx, 'message', [{ account_id, id, text: result.text }]);
  }
  if (isDeleted) await releaseMedia(tx, account_id, `message:${id}`);
  await announceChange(tx, account_id, id);
  await announceLast(tx, { account_id, sender_id, number }, id);
  return true;
}

/** Returns the changes to unknown messages. They are stored as messages, so that nothing is lost. */
export async function applyChanges<M extends OwnedMessage & { number: string }>(
  tx: Tx,
  changes: readonly M[],
): Promise<M[]> {
  const unknown: M[] = [];
  for (const change of changes) {
    const { account_id, connection_id, number, written_at, details } = change;
    const target = {
      account_id,
      connection_id,
      number,
      amends: details.amends!,
      by: 'contact',
      at: written_at,
    } as const;
    if (!(await applyAmendment(tx, target))) unknown.push(change);
  }
  return unknown;
}
