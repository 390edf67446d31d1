import { DatePicker } from '@mantine/dates';
import { useEffect, useRef } from 'react';
import styles from './DateField.module.css';
import { type DateKind, DEFAULT_TIME } from './date_text.ts';
import '@mantine/dates/styles.layer.css';

interface DateChoicesProps {
  kind: DateKind;
  value: string;
  today: string;
  min: string | undefined;
  onReady: () => void;
  /** `isDone` closes the box: nothing else is left to choose. */
  onChange: (value: string, isDone: boolean) => void;
}

const TIMES = Array.from(
  { length: 48 },
  (_, half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`,
);

/** The calendar and the times of a date field. A default export, because it is loaded lazily. */
export default function DateChoices({ kind, value, today, min, onReady, onChange }: DateChoicesProps) {
  const ready = useRef(onReady);
  useEffect(() => ready.current(), []);
  const day = kind === 'time' ? '' : value.slice(0, 10);
  const time = kind === 'time' ? value : value.slice(11);
  // The days of the calendar get the focus on this one: the chosen day, or today.
  const focusDay = day || (min && min > today ? min : today);
  return (
    <>
      {kind !== 'time' && (
        <DatePicker
          value={day || null}
          defaultDate={focusDay}
          {...(min ? { minDate: min } : {})}
          getDayProps={(date) => ({
            ...(date === today ? { 'aria-current': 'date' as const, className: styles.today! } : {}),
            ...(date === focusDay ? { 'data-autofocus': true } : {}),
          })}
          onChange={(date) => {
            if (kind === 'date') onChange(date ?? day, true);
            else onChange(`${date ?? day}T${time || DEFAULT_TIME}`, false);
          }}
        />
      )}
      {kind !== 'date' && (
        <Times
          value={time}
          takesFocus={kind === 'time'}
          onChoose={(next) => onChange(kind === 'time' ? next : `${focusDay}T${next}`, true)}
        />
      )}
    </>
  );
}

function Times({
  value,
  takesFocus,
  onChoose,
}: {
  value: string;
  takesFocus: boolean;
  onChoose: (time: string) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const near = TIMES.findLast((time) => time <= (value || DEFAULT_TIME))!;
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[data-near]');
    if (item && list.current) list.current.scrollTop = item.offsetTop - list.current.clientHeight / 2;
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside
    <div
      ref={list}
      className={styles.times}
      onKeyDown={(event) => {
        const sibling =
          event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : null;
        if (!sibling) return;
        event.preventDefault();
        ((event.target as HTMLElement)[sibling] as HTMLElement | null)?.focus();
      }}
    >
      {TIMES.map((time) => (
        <button
          key={time}
          type="button"
          className={styles.time}
          aria-pressed={time === value}
          tabIndex={time === near ? 0 : -1}
          data-near={time === near || undefined}
          data-autofocus={(takesFocus && time === near) || undefined}
          onClick={() => onChoose(time)}
        >
          {time}
        </button>
      ))}
    </div>
  );
}
