import { brandName } from '../brand.ts';
import styles from './Loading.module.css';
import { Mark } from './WordMark.tsx';

/** The loading screen, shown until the session is known. */
export function Loading() {
  return (
    <main className={styles.root} role="status" aria-label={`Loading ${brandName()}`}>
      <span className={styles.mark}>
        <Mark size={44} />
      </span>
    </main>
  );
}
