import { type ReactNode, useId } from 'react';
import styles from './Settings.module.css';

export interface SectionProps {
  title: string;
  /** What it is for, or what follows from it. */
  line?: ReactNode;
  /** Where a link leads on the page. */
  anchor?: string;
  children: ReactNode;
}

/** One matter of a settings page: what it is on the left, what can be done about it on the right. */
export function Section({ title, line, anchor, children }: SectionProps) {
  const id = useId();
  return (
    <section id={anchor} className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.sectionTitle}>
          {title}
        </h2>
        {line && <p className={styles.sectionLine}>{line}</p>}
      </div>
      <div className={styles.sectionBody}>{children}</div>
    </section>
  );
}
