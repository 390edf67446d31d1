import { NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import styles from './Rules.module.css';

const UNITS = { minutes: 1, hours: 60, days: 1_440 } as const;
type Unit = keyof typeof UNITS;

/** The largest unit in which the time is a whole number. */
function findUnit(minutes: number | null): Unit {
  if (minutes === null) return 'minutes';
  return minutes % UNITS.days === 0 ? 'days' : minutes % UNITS.hours === 0 ? 'hours' : 'minutes';
}

interface TargetInputProps {
  label: string;
  /** Minutes; null: no target. */
  value: number | null;
  onChange: (minutes: number | null) => void;
  max: number;
  placeholder: string;
  disabled?: boolean;
}

/** A time in minutes, hours, or days. */
export function TargetInput({ label, value, onChange, max, placeholder, disabled = false }: TargetInputProps) {
  const [unit, setUnit] = useState(() => findUnit(value));
  const change = (count: number | string, of: Unit) =>
    onChange(count === '' ? null : Math.min(max, Math.max(1, Math.round(Number(count)) * UNITS[of])));
  const count = value === null ? '' : Math.round(value / UNITS[unit]);
  return (
    <div className={styles.target}>
      <NumberInput
        label={label}
        value={count}
        onChange={(next) => change(next, unit)}
        min={1}
        max={Math.floor(max / UNITS[unit])}
        clampBehavior="blur"
        allowDecimal={false}
        allowNegative={false}
        placeholder={placeholder}
        disabled={disabled}
        hideControls
      />
      <NativeSelect
        aria-label={`${label}: unit`}
        value={unit}
        data={Object.keys(UNITS)}
        disabled={disabled}
        onChange={({ currentTarget: { value: next } }) => {
          setUnit(next as Unit);
          change(count, next as Unit);
        }}
      />
    </div>
  );
}
