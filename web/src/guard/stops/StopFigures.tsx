import type { Figure } from '@parley/contract/guard/pumping.ts';
import styles from './Stops.module.css';

/** The other figures when the sign was found. */
export const StopFigures = ({ figures }: { figures: readonly Figure[] }) =>
  figures.length > 0 && (
    <details className={styles.figures}>
      <summary>Other figures at that time</summary>
      <ul>
        {figures.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
