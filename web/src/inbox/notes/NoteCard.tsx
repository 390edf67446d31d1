import { ActionIcon } from '@mantine/core';
import type { ConversationEntry } from '@parley/contract/inbox/entries.ts';
import { removeNote } from '@parley/contract/inbox/notes.ts';
import { IconNote, IconTrash } from '@tabler/icons-react';
import { removeWithUndo } from '../../kernel/http/undo.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { formatExact, formatTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { LinkedText } from '../../ui/message/LinkedText.tsx';
import { splitMentions } from './mention_text.ts';
import styles from './Notes.module.css';

/** A note in the thread. Its user can delete it. */
export function NoteCard({ note }: { note: ConversationEntry }) {
  const { user: me } = useSession();
  const zone = useZone();
  const { id, conversation_id, user, text, mentions, timestamp } = note;
  const remove = () =>
    removeWithUndo({
      id,
      endpoint: removeNote,
      input: { params: { id: conversation_id, note_id: id } },
      message: 'The note was deleted.',
      invalidates: ['conversation_entries', 'conversation_badges'],
    });
  return (
    <article className={styles.card} aria-label={`Note from ${user?.full_name ?? 'a former user'}`}>
      <header className={styles.head}>
        <IconNote size={14} aria-hidden />
        <bdi className={styles.author}>{user?.full_name ?? 'Former user'}</bdi>
        <Tooltip label={formatExact(timestamp, zone)}>
          <time dateTime={timestamp}>{formatTime(timestamp, zone)}</time>
        </Tooltip>
        {user?.id === me.id && (
          <Tooltip label="Delete note">
            <ActionIcon className={styles.remove} variant="subtle" size={24} aria-label="Delete note" onClick={remove}>
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </header>
      <p className={styles.text} dir="auto">
        {splitMentions(text, mentions).map((part) =>
          part.user ? (
            <b key={part.start} className={styles.mention} data-me={part.user.id === me.id || undefined}>
              <bdi>{part.text}</bdi>
            </b>
          ) : (
            <LinkedText key={part.start} text={part.text} />
          ),
        )}
      </p>
    </article>
  );
}
