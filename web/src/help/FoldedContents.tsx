import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from './Help.module.css';

const NARROW = '(max-width: 767px)';

/** The contents of a long text. On a phone they are folded, because they are longer than the screen. */
export function FoldedContents({ isFolded, children }: { isFolded: boolean; children: ReactNode }) {
  const isNarrow = useMediaQuery(NARROW, window.matchMedia?.(NARROW).matches ?? false);
  if (!isNarrow || !isFolded) return children;
  return (
    <details className={styles.folded}>
      <summary>Contents</summary>
      {children}
    </details>
  );
}
