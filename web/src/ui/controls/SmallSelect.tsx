import { IconChevronDown } from '@tabler/icons-react';
import styles from './plain.module.css';

interface SmallSelectProps {
  'aria-label': string;
  value: string;
  onChange: (value: string) => void;
  data: readonly { value: string; label: string }[];
  /** As high as a button, for a select beside the chips of a filter bar. */
  isTall?: boolean;
}

/** A native select for the tools of a list. Lighter than Mantine's, which brings its own list. */
export function SmallSelect({ value, onChange, data, isTall, ...label }: SmallSelectProps) {
  return (
    <span className={styles.root} data-small={isTall ? 'tall' : true}>
      <select {...label} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)}>
        {data.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} className={styles.arrow} aria-hidden />
    </span>
  );
}
