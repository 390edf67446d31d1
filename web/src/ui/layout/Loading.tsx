import styles from './Loading.module.css';
import { Mark } from './WordMark.tsx';

/** Until it is known who is signed in. */
export function Loading() {
  return (
    <main className={styles.root} role="status" aria-label="Loading Parley">
      <span className={styles.mark}>
        <Mark size={44} />
      </span>
    </main>
  );
}
