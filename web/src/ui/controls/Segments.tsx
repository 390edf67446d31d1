import { useId } from 'react';
import styles from './Segments.module.css';

interface SegmentsProps<T extends string> {
  'aria-label': string;
  value: T;
  onChange: (value: T) => void;
  data: readonly { value: T; label: string }[];
  fullWidth?: boolean;
  className?: string | undefined;
}

/** A choice between a few options in one row. Lighter than Mantine's, for the pages that load first. */
export function Segments<T extends string>({
  value,
  onChange,
  data,
  fullWidth,
  className,
  ...label
}: SegmentsProps<T>) {
  const name = useId();
  return (
    <div
      {...label}
      role="radiogroup"
      className={`${styles.root} ${className ?? ''}`}
      data-full-width={fullWidth || undefined}
    >
      {data.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
