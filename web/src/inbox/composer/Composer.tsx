import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { NOTE_NEEDS } from '@parley/contract/inbox/notes.ts';
import { Suspense, useState } from 'react';
import type { ReplyBody } from '../../channels/compose/reply_body.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { Segments } from '../../ui/controls/Segments.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import styles from '../Inbox.module.css';
import { focusReply, ReplyBox } from './ReplyBox.tsx';
import { SessionClock } from './SessionClock.tsx';

const NoteBox = lazyPart(() => import('../notes/NoteBox.tsx'));

type Mode = 'reply' | 'note';
const MODES = [
  { value: 'reply' as const, label: 'Reply' },
  { value: 'note' as const, label: 'Note' },
];

interface Props {
  conversation: Conversation;
  onSend: (body: ReplyBody, schedule?: Date) => void;
  /** Sends the reply immediately, or asks the user first if another user has replied. */
  guard: (send: () => void) => void;
  /** Called with each change of a text: whether it is a reply that is not empty. */
  onText: (hasReply: boolean) => void;
  /** Called with each key. */
  onType: () => void;
}

/** Writes a reply to the contact or a note for the team. */
export function Composer({ conversation, onSend, guard, onText, onType }: Props) {
  const [mode, setMode] = useState<Mode>('reply');
  const mayNote = useReason(NOTE_NEEDS) === null;
  useShortcuts('Conversation', [
    {
      keys: 'N',
      label: 'Write a note',
      run: () => (mode === 'note' ? focusNote() : setMode('note')),
      when: () => mayNote,
    },
    {
      keys: 'R',
      label: 'Reply',
      run: () => {
        setMode('reply');
        requestAnimationFrame(focusReply);
      },
      when: () => mode === 'note',
    },
  ]);
  return (
    <div className={styles.composer} data-mode={mode} onInput={onType}>
      <div className={styles.modes}>
        {mayNote && <Segments aria-label="Write" value={mode} onChange={(next) => setMode(next)} data={MODES} />}
        <SessionClock conversation={conversation} />
      </div>
      {mode === 'reply' ? (
        <ReplyBox conversation={conversation} onSend={onSend} guard={guard} onText={onText} />
      ) : (
        <Suspense>
          <NoteBox conversation={conversation} />
        </Suspense>
      )}
    </div>
  );
}

function focusNote(): void {
  document.querySelector<HTMLTextAreaElement>('textarea[data-note]')?.focus();
}
