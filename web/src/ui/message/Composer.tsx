/**
 * The message editor: variable chips, emoji, a counter, and the channel's notices. While the user types, it marks
 * unknown variables in amber and underlines the characters that the channel flags, such as those that force Unicode.
 */
import { ActionIcon, Popover } from '@mantine/core';
import { IconAlertTriangle, IconBraces } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useId, useMemo, useRef, useState } from 'react';
import { EmojiButton } from '../controls/emoji/EmojiButton.tsx';
import styles from './Composer.module.css';
import { findUnknownVariables, type Span, splitIntoSpans } from './marks.ts';

export interface ComposerVariable {
  /** The variable's name, without the braces. */
  key: string;
  label: string;
}

interface ComposerProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
  variables?: readonly ComposerVariable[];
  placeholder?: string;
  /** "162/1000 - 2 segments - GSM-7" */
  counter?: ReactNode;
  /** A notice below the field, such as one about a character that forces Unicode, with a fix. */
  notice?: ReactNode;
  error?: ReactNode;
  /** Lets the summary of errors find the field. */
  name?: string;
  /** Characters to underline. */
  marks?: readonly Span[];
  /** Additional buttons, such as media and templates. */
  tools?: ReactNode;
  minRows?: number;
  disabled?: boolean;
  /** Handles the page's shortcuts, such as Enter to send. */
  onKeyDown?: (event: React.KeyboardEvent<HTMLTextAreaElement>) => void;
}

export function Composer(props: ComposerProps) {
  const { label, value, onChange, variables = NO_VARIABLES, counter, error, disabled = false } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  const insert = (text: string) => {
    const area = field.current;
    const start = area?.selectionStart ?? value.length;
    const end = area?.selectionEnd ?? value.length;
    onChange(value.slice(0, start) + text + value.slice(end));
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
        <TextArea {...props} id={id} field={field} />
        <div className={styles.bar}>
          <div className={styles.tools} role="toolbar" aria-label={`Insert into ${label.toLowerCase()}`}>
            <InsertTools variables={variables} disabled={disabled} onInsert={insert} />
            {props.tools}
          </div>
          <span className={styles.counter}>{counter}</span>
        </div>
      </div>
      <Notes {...props} id={id} />
    </div>
  );
}

const NO_VARIABLES: readonly ComposerVariable[] = [];
const NO_SPANS: readonly Span[] = [];

const useVariableKeys = (variables: readonly ComposerVariable[]) =>
  useMemo(() => (variables.length > 0 ? new Set(variables.map(({ key }) => key)) : null), [variables]);

/** A text area on top of a layer with the same text, which draws the marks. */
function TextArea(props: ComposerProps & { id: string; field: RefObject<HTMLTextAreaElement | null> }) {
  const { id, field, value, onChange, variables = NO_VARIABLES, marks = NO_SPANS, error } = props;
  const backdrop = useRef<HTMLDivElement>(null);
  const keys = useVariableKeys(variables);
  const spans = useMemo(() => splitIntoSpans(value, keys, marks), [value, keys, marks]);
  return (
    <div className={styles.field}>
      <div ref={backdrop} className={styles.backdrop} aria-hidden dir="auto">
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
        dir="auto"
        value={value}
        rows={props.minRows ?? 5}
        placeholder={props.placeholder}
        disabled={props.disabled ?? false}
        data-path={props.name}
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
  );
}

interface InsertToolsProps {
  variables: readonly ComposerVariable[];
  disabled: boolean;
  onInsert: (text: string) => void;
}

function InsertTools({ variables, disabled, onInsert }: InsertToolsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {variables.length > 0 && (
        <Popover opened={isOpen} onChange={setOpen} position="top-start" trapFocus withRoles>
          <Popover.Target>
            <ActionIcon aria-label="Insert a variable" disabled={disabled} onClick={() => setOpen(!isOpen)}>
              <IconBraces size={17} stroke={1.8} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown className={styles.chips} aria-label="Variables">
            {variables.map((variable) => (
              <button
                key={variable.key}
                type="button"
                className={styles.chip}
                onClick={() => {
                  onInsert(`{${variable.key}}`);
                  setOpen(false);
                }}
              >
                {variable.label}
              </button>
            ))}
          </Popover.Dropdown>
        </Popover>
      )}
      <EmojiButton disabled={disabled} onPick={onInsert} />
    </>
  );
}

/** The error, unknown variables, and the channel's notice, shown below the field. */
function Notes({ id, value, variables = NO_VARIABLES, error, notice }: ComposerProps & { id: string }) {
  const keys = useVariableKeys(variables);
  const unknown = useMemo(() => (keys ? findUnknownVariables(value, keys) : []), [value, keys]);
  return (
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
          {unknown.map((name) => `{${name}}`).join(', ')}.{' '}
          {unknown.length === 1 ? 'It will be sent as written.' : 'They will be sent as written.'}
        </p>
      )}
      {notice}
    </div>
  );
}
