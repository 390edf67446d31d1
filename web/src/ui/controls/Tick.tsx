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
  /** The option belongs to the one above it. */
  nested?: boolean | undefined;
}

/** A checkbox for rows and filters. Lighter than Mantine's: a table shows up to a hundred. */
export function Tick({ label, className, nested, indeterminate = false, ...props }: TickProps) {
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
    <label className={`${styles.root} ${className ?? ''}`} data-nested={nested || undefined}>
      {input}
      {label}
    </label>
  );
}
