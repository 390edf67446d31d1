import { type ReactNode, useId } from 'react';
import styles from './Customer.module.css';

export function Box({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.box} aria-labelledby={id}>
      <header className={styles.boxHead}>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}
