/**
 * Where a message is written: variables as chips, emoji, a counter, and whatever the channel wants to say about the text. Variables that
 * nobody will fill are marked in amber, characters the channel marks (those that force Unicode) are underlined; both in place, while typing.
 */
import { ActionIcon, Popover } from '@mantine/core';
import { IconAlertTriangle, IconBraces, IconMoodSmile } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react';
import { Skeleton } from '../feedback/Skeletons.tsx';
import styles from './Composer.module.css';
import { marksIn, type Span, unknownIn, VARIABLE } from './marks.ts';

// The list of emoji and its picker come when somebody opens them.
const EmojiPicker = lazy(() => import('./EmojiPicker.tsx'));

export interface ComposerVariable {
  /** As it is written between the braces. */
  key: string;
  label: string;
}

export interface ComposerProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  variables?: readonly ComposerVariable[];
  placeholder?: string;
  /** "162/1000 - 2 segments - GSM-7" */
  counter?: ReactNode;
  /** Under the field: which character forced Unicode, with its fix. */
  notice?: ReactNode;
  error?: ReactNode;
  /** Characters to underline. */
  marks?: readonly Span[];
  /** More buttons: media, templates. */
  tools?: ReactNode;
  minRows?: number;
  disabled?: boolean;
  /** For shortcuts of the page, such as Enter to send. */
  onKeyDown?: (event: React.KeyboardEvent<HTMLTextAreaElement>) => void;
}

export function Composer(props: ComposerProps) {
  const { label, value, onChange, variables = [], counter, notice, error, marks = [], disabled = false } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const backdrop = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<'emoji' | 'variables' | null>(null);
  const id = useId();
  const known = useMemo(() => new Set(variables.map((variable) => variable.key)), [variables]);
  const unknown = useMemo(() => (variables.length ? unknownIn(value, known) : []), [value, known, variables.length]);
  const spans = useMemo(
    () => marksIn(value, variables.length ? known : null, marks),
    [value, known, variables.length, marks],
  );

  const insert = (text: string) => {
    const area = field.current;
    const start = area?.selectionStart ?? value.length;
    const end = area?.selectionEnd ?? value.length;
    onChange(value.slice(0, start) + text + value.slice(end));
    setOpen(null);
    requestAnimationFrame(() => {
      area?.focus();
      area?.setSelectionRange(start + text.length, start + text.length);
    });
  };

  return (
    <div className={styles.root}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-error={error ? true : undefined} data-disabled={disabled || undefined}>
        <div className={styles.field}>
          <div ref={backdrop} className={styles.backdrop} aria-hidden>
            {spans.map((span) => (
              <span key={span.start} data-mark={span.mark}>
                {span.text}
              </span>
            ))}
            {'\u200b'}
          </div>
          <textarea
            ref={field}
            id={id}
            className={styles.area}
            value={value}
            rows={props.minRows ?? 5}
            placeholder={props.placeholder}
            disabled={disabled}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-notes`}
            onChange={(event) => onChange(event.currentTarget.value)}
            onBlur={props.onBlur}
            onKeyDown={props.onKeyDown}
            onScroll={(event) => {
              if (backdrop.current) backdrop.current.scrollTop = event.currentTarget.scrollTop;
            }}
          />
        </div>
        <div className={styles.bar}>
          <div className={styles.tools} role="toolbar" aria-label={`Insert into ${label.toLowerCase()}`}>
            {variables.length > 0 && (
              <Popover
                opened={open === 'variables'}
                onChange={(on) => setOpen(on ? 'variables' : null)}
                position="top-start"
                trapFocus
                withRoles
              >
                <Popover.Target>
                  <ActionIcon
                    aria-label="Insert a variable"
                    disabled={disabled}
                    onClick={() => setOpen(open === 'variables' ? null : 'variables')}
                  >
                    <IconBraces size={17} stroke={1.8} aria-hidden />
                  </ActionIcon>
                </Popover.Target>
                <Popover.Dropdown className={styles.chips} aria-label="Variables">
                  {variables.map((variable) => (
                    <button
                      key={variable.key}
                      type="button"
                      className={styles.chip}
                      onClick={() => insert(`{${variable.key}}`)}
                    >
                      {variable.label}
                    </button>
                  ))}
                </Popover.Dropdown>
              </Popover>
            )}
            <Popover
              opened={open === 'emoji'}
              onChange={(on) => setOpen(on ? 'emoji' : null)}
              position="top-start"
              trapFocus
              withRoles
            >
              <Popover.Target>
                <ActionIcon
                  aria-label="Insert an emoji"
                  disabled={disabled}
                  onClick={() => setOpen(open === 'emoji' ? null : 'emoji')}
                >
                  <IconMoodSmile size={17} stroke={1.8} aria-hidden />
                </ActionIcon>
              </Popover.Target>
              <Popover.Dropdown className={styles.emoji} aria-label="Emoji">
                <Suspense fallback={<Skeleton width={288} height={300} />}>
                  <EmojiPicker onPick={insert} />
                </Suspense>
              </Popover.Dropdown>
            </Popover>
            {props.tools}
          </div>
          <span className={styles.counter}>{counter}</span>
        </div>
      </div>
      <div id={`${id}-notes`} className={styles.notes}>
        {error && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
        {unknown.length > 0 && (
          <p className={styles.unknown}>
            <IconAlertTriangle size={14} aria-hidden />
            {unknown.length === 1 ? 'Unknown variable' : 'Unknown variables'}:{' '}
            {unknown.map((name) => `{${name}}`).join(', ')}. It would be sent as written.
          </p>
        )}
        {notice}
      </div>
    </div>
  );
}

export { VARIABLE };
