/** Writes a note. A default export, because it loads when the user starts a note. */
import { Button, Textarea } from '@mantine/core';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { createNote, listReaders, NOTE_MAX, NOTE_NEEDS } from '@parley/contract/inbox/notes.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { growing } from '../../ui/form/growing.ts';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import { useDraft } from '../composer/draft.ts';
import foot from '../composer/Foot.module.css';
import inbox from '../Inbox.module.css';
import { MentionList } from './MentionList.tsx';
import { mentionedIds } from './mention_text.ts';
import { useMentions } from './mentions.ts';
import styles from './Notes.module.css';

export default function NoteBox({ conversation: { id } }: { conversation: Pick<Conversation, 'id'> }) {
  const [text, setText] = useDraft('note', id);
  const readers = useEndpoint(listReaders, { params: { id } }).data?.data ?? [];
  const reason = useReason(NOTE_NEEDS);
  const field = useRef<HTMLTextAreaElement>(null);
  const mentions = useMentions({ text, setText, readers, field });
  const { users, current } = mentions;
  const [problem, setProblem] = useState<string | null>(null);
  const note = useAction(createNote, {
    invalidates: ['conversation_entries'],
    onSuccess: () => {
      setText('');
      mentions.reset();
      field.current?.focus();
    },
    onError: ({ message }) => setProblem(message),
  });
  const listId = useId();
  useEffect(() => field.current?.focus(), []);

  const body = text.trim();
  const isTooLong = body.length > NOTE_MAX;
  const submit = () => {
    if (!body || isTooLong || note.isPending || reason !== null) return;
    setProblem(null);
    note.mutate({ params: { id }, body: { text: body, mentions: mentionedIds(body, readers, mentions.chosen) } });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (isSend) submit();
    if (isSend || mentions.onKey(event)) event.preventDefault();
    else if (event.key === 'Escape') event.currentTarget.blur();
  };
  return (
    <form
      className={inbox.reply}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={styles.field}>
        {current && <MentionList id={listId} mentions={mentions} users={users} current={current} />}
        <Textarea
          ref={field}
          data-note
          aria-label="Note"
          placeholder={reason === null ? 'Write a note for your team. Type @ to mention a user.' : ''}
          {...growing(styles.input)}
          value={text}
          disabled={reason !== null}
          aria-autocomplete="list"
          aria-controls={current ? listId : undefined}
          aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            mentions.typed(event.currentTarget.selectionStart);
          }}
          onSelect={(event) => mentions.moveCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          error={isTooLong ? `A note can have at most ${formatNumber(NOTE_MAX)} characters` : problem}
          dir="auto"
        />
      </div>
      <NoteFoot isSending={note.isPending} isDisabled={!body || isTooLong} />
    </form>
  );
}

function NoteFoot({ isSending, isDisabled }: { isSending: boolean; isDisabled: boolean }) {
  return (
    <div className={foot.foot}>
      <span className={styles.hint}>Only your team sees notes.</span>
      <span className={foot.keys}>
        <KeyHint keys={['mod', 'Enter']} />
      </span>
      <Allow needs={NOTE_NEEDS}>
        <Button type="submit" size="sm" loading={isSending} disabled={isDisabled}>
          Add note
        </Button>
      </Allow>
    </div>
  );
}
