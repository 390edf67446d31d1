import { type ReactNode, useId } from 'react';
import styles from './Settings.module.css';

interface SectionProps {
  title: string;
  /** The purpose of the section. */
  description?: ReactNode;
  /** The target of links to this section. */
  anchor?: string;
  children: ReactNode;
}

/** A section of a settings page: title and description on the left, controls on the right. */
export function Section({ title, description: line, anchor, children }: SectionProps) {
  const id = useId();
  return (
    <section id={anchor} className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.sectionTitle}>
          {title}
        </h2>
        {line && <p className={styles.sectionText}>{line}</p>}
      </div>
      <div className={styles.sectionBody}>{children}</div>
    </section>
  );
}
