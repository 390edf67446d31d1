/** Writes a note. A default export, because it loads when the user starts a note. */
import { Button, Textarea } from '@mantine/core';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { createNote, listReaders, NOTE_MAX, NOTE_NEEDS } from '@parley/contract/inbox/notes.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError, call } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { randomId } from '../../kernel/random.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import { useStoredText } from '../composer/stored_text.ts';
import inbox from '../Inbox.module.css';
import { MentionList } from './MentionList.tsx';
import { matchUsers, mentionedIds, typedMention } from './mention_text.ts';
import styles from './Notes.module.css';

/** The users in the list of mentions. */
const MAX_SHOWN = 6;

export default function NoteBox({ conversation: { id } }: { conversation: Pick<Conversation, 'id'> }) {
  const [text, setText] = useStoredText('note', id);
  const readers = useEndpoint(listReaders, { params: { id } }).data?.data ?? [];
  const reason = useReason(NOTE_NEEDS);
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [caret, setCaret] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const { send, isSending, problem } = useSendNote(id, () => {
    setText('');
    setChosen(new Set());
    field.current?.focus();
  });
  const listId = useId();
  useEffect(() => field.current?.focus(), []);

  const typed = typedMention(text, caret);
  const users = typed && typed.at !== closedAt ? matchUsers(readers, typed.letters).slice(0, MAX_SHOWN) : [];
  const current = users[Math.min(active, users.length - 1)];
  const isTooLong = text.length > NOTE_MAX;
  const submit = () => {
    const body = text.trim();
    if (body && !isTooLong && !isSending && reason === null) void send(body, mentionedIds(body, readers, chosen));
  };
  const mention = (user: (typeof readers)[number]) => {
    if (!typed) return;
    const before = `${text.slice(0, typed.at)}@${user.full_name} `;
    setText(before + text.slice(caret));
    setChosen(new Set([...chosen, user.id]));
    setCaret(before.length);
    setActive(0);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return submit();
    }
    if (!current || !typed) {
      if (event.key === 'Escape') event.currentTarget.blur();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((users.indexOf(current) + step + users.length) % users.length);
    else if (event.key === 'Enter' || event.key === 'Tab') mention(current);
    else if (event.key === 'Escape') setClosedAt(typed.at);
    else return;
    event.preventDefault();
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
        {current && <MentionList id={listId} users={users} current={current} onChoose={mention} onActive={setActive} />}
        <Textarea
          ref={field}
          data-note
          aria-label="Note"
          placeholder={reason === null ? 'Write a note for your team. Type @ to mention a user.' : ''}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          disabled={reason !== null}
          classNames={{ input: styles.input }}
          aria-autocomplete="list"
          aria-controls={current ? listId : undefined}
          aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setCaret(event.currentTarget.selectionStart);
            setClosedAt(null);
            setActive(0);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          error={isTooLong ? `A note can have at most ${NOTE_MAX.toLocaleString('en-US')} characters` : problem}
          dir="auto"
        />
      </div>
      <div className={inbox.replyFoot}>
        <span className={styles.hint}>Only your team sees notes.</span>
        <span className={inbox.sendKeys}>
          <KeyHint keys={['mod', 'Enter']} />
        </span>
        <Allow needs={NOTE_NEEDS}>
          <Button type="submit" size="sm" loading={isSending} disabled={!text.trim() || isTooLong}>
            Add note
          </Button>
        </Allow>
      </div>
    </form>
  );
}

/** Sends notes. A retry of the same note uses the same key, so that the note is added once. */
function useSendNote(id: string, onDone: () => void) {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = useRef({ note: '', key: '' });
  const send = async (text: string, mentions: string[]) => {
    const note = JSON.stringify([text, mentions]);
    if (attempt.current.note !== note) attempt.current = { note, key: randomId() };
    setSending(true);
    setProblem(null);
    try {
      await call(createNote, { params: { id }, body: { text, mentions } }, { idempotency_key: attempt.current.key });
      attempt.current = { note: '', key: '' };
      onDone();
      await client.invalidateQueries({ queryKey: ['conversation_entries'] });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The note could not be added. Try again.');
    } finally {
      setSending(false);
    }
  };
  return { send, isSending, problem };
}
