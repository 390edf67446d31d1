/** What forms are put together from beside their fields. */
import type { ReactNode } from 'react';
import styles from './FormParts.module.css';

interface Parts {
  children: ReactNode;
}

/** Two fields beside each other, below each other on a phone. */
export const Pair = ({ children }: Parts) => <div className={styles.pair}>{children}</div>;

export const Buttons = ({ children }: Parts) => <div className={styles.buttons}>{children}</div>;

/** What belongs to no field; nothing where nothing is wrong. */
export const FormProblem = ({ children }: Parts) =>
  children ? (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  ) : null;

/** The end of a form: what is wrong with the whole of it, and its buttons. */
export const FormFooter = ({ problem, children }: Parts & { problem: string | null }) => (
  <>
    <FormProblem>{problem}</FormProblem>
    <Buttons>{children}</Buttons>
  </>
);
