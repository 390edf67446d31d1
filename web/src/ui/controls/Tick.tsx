import type { ChangeEvent, ReactNode } from 'react';
import styles from './Tick.module.css';

interface TickProps {
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  label?: ReactNode;
  'aria-label'?: string;
  indeterminate?: boolean;
  disabled?: boolean;
  className?: string | undefined;
}

/** A checkbox for rows and filters. Lighter than Mantine's: a table shows up to a hundred. */
export function Tick({ label, className, indeterminate = false, ...props }: TickProps) {
  const input = (
    <input
      {...props}
      type="checkbox"
      className={styles.box}
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
      }}
    />
  );
  if (label === undefined) return input;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the input is above
    <label className={`${styles.root} ${className ?? ''}`}>
      {input}
      {label}
    </label>
  );
}
