/**
 * The input for a date, a date and time, or a time. Users type it, change a part of it with the arrow keys, or choose
 * it in the box that the button or Alt + Down opens. The value has no time zone: the form that has the field converts
 * it (`controls/local_time.ts`). Text that is not a date is passed on unchanged, so that the form's rules refuse it.
 */
import { TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar, IconClock } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, Suspense, useState } from 'react';
import { dayKey } from '../../data/format.ts';
import { useZone } from '../../data/zone.ts';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { Skeleton } from '../../feedback/Skeletons.tsx';
import { useFloating } from '../../layout/floating.ts';
import popup from '../../layout/Popup.module.css';
import styles from './DateField.module.css';
import { DATE_FORMATS, type DateKind, formatValue, parseDate, step } from './date_text.ts';

// The calendar (30 KiB) is loaded when the user opens it.
const DateChoices = lazyPart(() => import('./DateChoices.tsx'));

export interface DateFieldProps
  extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max' | 'rightSection'> {
  kind?: DateKind;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  /** The first day that the calendar offers. */
  min?: string | undefined;
}

const BOX_LABELS: Readonly<Record<DateKind, string>> = {
  date: 'Calendar',
  datetime: 'Calendar',
  time: 'List of hours',
};

export function DateField(props: DateFieldProps) {
  const { kind = 'date', value, defaultValue, onChange, min, error, onBlur, onKeyDown, ...input } = props;
  const field = useDateText(props);
  const { opened, open, close, rootProps, boxProps, targetProps, root, box } = useFloating('end');
  const isFixed = Boolean(input.readOnly || input.disabled);
  const Icon = kind === 'time' ? IconClock : IconCalendar;
  const focusInput = () => root.current?.querySelector('input')?.focus();
  const leave = () => {
    close();
    focusInput();
  };
  return (
    <TextInput
      placeholder={DATE_FORMATS[kind]}
      autoComplete="off"
      {...input}
      value={field.text}
      error={
        error || (field.isWrong ? `Enter ${kind === 'time' ? 'a time' : 'a date'} as ${DATE_FORMATS[kind]}` : null)
      }
      onChange={(event) => field.type(event.currentTarget.value)}
      onBlur={(event) => {
        field.finish();
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (isFixed) return;
        if (event.altKey && event.key === 'ArrowDown') {
          event.preventDefault();
          open();
        } else field.stepAt(event);
      }}
      rightSection={<span />}
      rightSectionWidth={36}
      inputContainer={(children) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the input and the box inside
        <div
          {...rootProps}
          className={styles.root}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !opened) return;
            event.stopPropagation();
            leave();
          }}
        >
          {children}
          {!isFixed && (
            <button
              {...targetProps}
              className={styles.open}
              aria-haspopup="dialog"
              aria-label={`Open ${BOX_LABELS[kind].toLowerCase()}`}
              onClick={opened ? close : open}
            >
              <Icon size={16} aria-hidden />
            </button>
          )}
          {opened && (
            <div
              {...boxProps}
              role="dialog"
              aria-label={BOX_LABELS[kind]}
              className={`${popup.box} ${styles.box}`}
              onFocusCapture={keepDialogOpen}
            >
              <Choices kind={kind} min={min} field={field} box={box} onDone={leave} />
            </div>
          )}
        </div>
      )}
    />
  );
}

interface ChoicesProps extends Pick<DateFieldProps, 'min'> {
  kind: DateKind;
  field: ReturnType<typeof useDateText>;
  box: RefObject<HTMLDivElement | null>;
  onDone: () => void;
}

const Choices = ({ kind, min, field, box, onDone }: ChoicesProps) => (
  <Suspense fallback={<Skeleton width={kind === 'time' ? 72 : 252} height={270} />}>
    <DateChoices
      kind={kind}
      value={field.value}
      today={field.today}
      min={min?.slice(0, 10)}
      onReady={() => box.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()}
      onChange={(next, isDone) => {
        field.set(next);
        if (isDone) onDone();
      }}
    />
  </Suspense>
);

/** In a dialog, Esc closes only the box. */
const keepDialogOpen = ({ target }: { target: EventTarget }): void =>
  (target as HTMLElement).setAttribute('data-mantine-stop-propagation', 'true');

/** The text of the field, and its value in the form. */
function useDateText({ kind = 'date', value, defaultValue = '', onChange }: DateFieldProps) {
  const today = dayKey(new Date(), useZone());
  const [sent, setSent] = useState(value ?? defaultValue);
  const [seen, setSeen] = useState(value);
  const [text, setText] = useState(() => formatValue(sent, kind));
  const [isWrong, setWrong] = useState(false);
  if (value !== seen) {
    setSeen(value);
    // The form has changed the value itself.
    if (value !== undefined && value !== sent) {
      setSent(value);
      setText(formatValue(value, kind));
      setWrong(false);
    }
  }
  const read = (typed: string) => (typed.trim() === '' ? '' : parseDate(typed, kind, today));
  const send = (next: string) => {
    setSent(next);
    if (next !== sent) onChange?.(next);
  };
  const set = (next: string) => {
    setText(formatValue(next, kind));
    setWrong(false);
    send(next);
  };
  const current = read(text);
  return {
    text,
    isWrong,
    today,
    value: current ?? '',
    set,
    type(typed: string) {
      setText(typed);
      setWrong(false);
      send(read(typed) ?? typed);
    },
    finish() {
      if (current === null) setWrong(true);
      else setText(formatValue(current, kind));
    },
    stepAt(event: KeyboardEvent<HTMLInputElement>) {
      const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null;
      if (!by || !current || text !== formatValue(current, kind)) return;
      event.preventDefault();
      const input = event.currentTarget;
      const next = step(current, kind, input.selectionStart ?? 0, by);
      set(next.value);
      requestAnimationFrame(() => input.setSelectionRange(...next.at));
    },
  };
}
