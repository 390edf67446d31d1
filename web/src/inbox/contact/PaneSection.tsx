import { type ReactNode, useId } from 'react';
import styles from './PersonSections.module.css';

interface PaneSectionProps {
  title: string;
  /** Shown in place of the list when it has no items. */
  empty?: ReactNode;
  children?: ReactNode[] | ReactNode;
}

/** A titled list of the contact pane. */
export function PaneSection({ title, empty, children }: PaneSectionProps) {
  const id = useId();
  const isEmpty = [children].flat(2).every((child) => !child);
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      {isEmpty ? <div className={styles.empty}>{empty}</div> : <ul className={styles.list}>{children}</ul>}
    </section>
  );
}
