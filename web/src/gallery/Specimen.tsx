import type { ReactNode } from 'react';
import styles from './Gallery.module.css';

export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.specimen} aria-label={title}>
      <h2 className={styles.name}>{title}</h2>
      {children}
    </section>
  );
}
