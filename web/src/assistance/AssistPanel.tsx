import { Button } from '@mantine/core';
import { ACTION_RULES } from '@parley/contract/assistance/actions.ts';
import { createNote, NOTE_MAX } from '@parley/contract/inbox/notes.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { copyText } from '../ui/data/CopyId.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Assistance.module.css';
import type { Work } from './use_assist.ts';

/** The time after which the panel states that the model is slow. */
const SLOW_MS = 8_000;

interface Props {
  work: Work;
  conversation_id: string;
  onCancel: () => void;
  onUndo: () => void;
  onRetry: () => void;
}

/** The state of a request, its text, and the actions for it. Nothing here sends a message. */
export function AssistPanel({ work, conversation_id, onCancel, onUndo, onRetry }: Props) {
  const { state, text, error, action } = work;
  const { label, writes_draft } = ACTION_RULES[action];
  const isResult = state === 'done' && writes_draft;
  return (
    <section className={styles.panel} aria-label={label} data-state={state}>
      <p className={styles.state} role={state === 'failed' ? 'alert' : 'status'}>
        <strong>{label}</strong> {state === 'failed' ? error : isResult ? 'Check the text before you send it.' : null}
        {state === 'running' && <Progress hasText={text !== ''} />}
      </p>
      {text !== '' && !isResult && (
        <div className={styles.text} dir="auto">
          {text}
        </div>
      )}
      <div className={styles.actions}>
        {state === 'running' ? (
          <FocusedButton onPress={onCancel}>Cancel</FocusedButton>
        ) : (
          <Button size="compact-sm" variant="subtle" onClick={onCancel}>
            Close
          </Button>
        )}
        {state === 'failed' && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {isResult && (
          <Button size="compact-sm" variant="default" onClick={onUndo}>
            Undo
          </Button>
        )}
        {state === 'done' && !writes_draft && (
          <ReadActions text={text} conversation_id={conversation_id} onDone={onCancel} />
        )}
        {state === 'done' && work.model && <span className={styles.model}>Written by {work.model}</span>}
      </div>
    </section>
  );
}

function Progress({ hasText }: { hasText: boolean }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (hasText) return 'Receiving the text…';
  return isSlow
    ? 'The language model is slow. You can cancel and write the reply yourself.'
    : 'Waiting for the language model…';
}

/** Takes the focus from the menu, so that the keyboard can cancel. */
function FocusedButton({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      ref={(button) => button?.focus({ preventScroll: true })}
      onClick={onPress}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onPress();
      }}
    >
      {children}
    </Button>
  );
}

function ReadActions({
  text,
  conversation_id,
  onDone,
}: Pick<Props, 'conversation_id'> & { text: string; onDone: () => void }) {
  const note = useAction(createNote, {
    onSuccess: () => {
      toast.success('Note added');
      onDone();
    },
  });
  const copy = async () => {
    if (await copyText(text)) toast.success('The text was copied');
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => void copy()}>
        Copy
      </Button>
      <Allow needs={createNote.needs}>
        <Button
          size="compact-sm"
          variant="default"
          loading={note.isPending}
          onClick={() => note.mutate({ params: { id: conversation_id }, body: { text: text.slice(0, NOTE_MAX) } })}
        >
          Add as note
        </Button>
      </Allow>
    </>
  );
}
