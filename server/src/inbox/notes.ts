/**
 * Notes in conversations. Only users who can view the conversation see them, and only those users can be mentioned. A
 * mentioned user gets an event and an email.
 */
import type { InboxUser } from '@parley/contract/inbox/assignments.ts';
import type { ConversationEntry } from '@parley/contract/inbox/entries.ts';
import { canViewBucket, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { mentionCreated, mentionsChanged, noteRemoved } from '@parley/contract/inbox/notes.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { removeText, writeTexts } from '../messages/messages.ts';
import { initials } from './assignments.ts';
import { addEntry } from './entries.ts';
import { getConversation, lockVisible } from './inbox.ts';
import { deleteMentions, insertMentions } from './mention_queries.ts';
import { sendMention } from './note_mails.ts';
import * as queries from './note_queries.ts';

/** The part of a note that events and emails repeat. */
const EXCERPT = 300;

interface Assigned {
  id: string;
  assignee_id: string | null;
}

const canRead = ({ id, permissions, is_owner }: queries.TeamUser, { assignee_id }: Assigned): boolean =>
  canViewBucket(conversationBucket(assignee_id, id), {
    user_id: id,
    permissions: is_owner ? allPermissions() : permissions,
  });

const listAllowedUsers = async (
  db: Queryable,
  account_id: string,
  conversation: Assigned,
): Promise<queries.TeamUser[]> =>
  (await queries.listTeamUsers(db, account_id)).filter((user) => canRead(user, conversation));

export const listReaders = async (db: Queryable, account_id: string, conversation: Assigned): Promise<InboxUser[]> =>
  (await listAllowedUsers(db, account_id, conversation)).map(({ id, full_name, email }) => ({
    id,
    full_name,
    email,
    initials: initials(full_name),
  }));

export async function createNote(
  kernel: Kernel,
  tx: Tx,
  actor: Actor,
  conversation_id: string,
  { text, mentions }: { text: string; mentions: readonly string[] },
): Promise<ConversationEntry> {
  const { account_id, user_id } = actor;
  const row = await lockVisible(tx, actor, conversation_id);
  const ids = [...new Set(mentions)];
  const allowed = ids.length > 0 ? await listAllowedUsers(tx, account_id, row) : [];
  const mentioned = allowed.filter(({ id }) => ids.includes(id));
  if (mentioned.length < ids.length) throw new Problem('MENTION_NOT_ALLOWED');
  const note = await addEntry(tx, account_id, row, {
    kind: 'note',
    user_id,
    text,
    detail: { mentions: mentioned.map(({ id, full_name }) => ({ id, full_name })) },
  });
  await writeTexts(tx, 'note', [{ account_id, id: note.id, text }]);
  await notify(kernel, tx, actor, note, mentioned);
  return note;
}

/** Users who mention themselves are not notified. */
async function notify(
  kernel: Kernel,
  tx: Tx,
  actor: Actor,
  note: ConversationEntry,
  mentioned: readonly queries.TeamUser[],
): Promise<void> {
  const others = mentioned.filter(({ id }) => id !== actor.user_id);
  if (others.length === 0) return;
  const { account_id } = actor;
  const ids = others.map(({ id }) => id);
  await insertMentions(tx, account_id, note, ids);
  const conversation = await getConversation(tx, actor, note.conversation_id);
  const by_name = note.user?.full_name ?? '';
  const excerpt = shorten(note.text);
  for (const user of others) {
    emit(tx, mentionCreated, account_id, {
      id: note.id,
      conversation_id: note.conversation_id,
      assignee_id: conversation.assignee_id,
      user_id: user.id,
      by_name,
      text: excerpt,
    });
    await sendMention(tx, kernel.config, { note_id: note.id, by_name, excerpt, user, conversation });
  }
}

const shorten = (text: string): string => {
  const letters = [...text];
  return letters.length > EXCERPT ? `${letters.slice(0, EXCERPT).join('')}…` : text;
};

export async function removeNote(tx: Tx, actor: Actor, conversation_id: string, id: string): Promise<void> {
  const { account_id } = actor;
  const { assignee_id } = await lockVisible(tx, actor, conversation_id);
  const note = await queries.lockNote(tx, account_id, conversation_id, id);
  if (!note) throw new Problem('NOTE_NOT_FOUND');
  if (note.user_id === null || note.user_id !== actor.user_id) throw new Problem('NOTE_NOT_OWN');
  const user_ids = note.mentions.map((user) => user.id);
  await queries.deleteNote(tx, account_id, id);
  await removeText(tx, account_id, id);
  await deleteMentions(tx, account_id, id, user_ids);
  emit(tx, noteRemoved, account_id, { id, conversation_id, assignee_id });
  if (user_ids.length > 0) emit(tx, mentionsChanged, account_id, { user_ids });
}
