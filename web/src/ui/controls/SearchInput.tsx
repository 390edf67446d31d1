import { IconSearch } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './plain.module.css';

interface SearchInputProps extends ComponentProps<'input'> {
  'aria-label': string;
  small?: boolean;
  /** At the right end, such as a button that clears the text. */
  end?: ReactNode;
}

/** A search field for lists. Lighter than Mantine's fields, which bring labels, errors, and sizes. */
export function SearchInput({ className = '', small, end, ...input }: SearchInputProps) {
  return (
    <span className={`${styles.root} ${className}`} data-small={small || undefined}>
      {!small && <IconSearch size={15} className={styles.start} aria-hidden />}
      <input type="search" className={styles.input} {...input} />
      {end && <span className={styles.end}>{end}</span>}
    </span>
  );
}
