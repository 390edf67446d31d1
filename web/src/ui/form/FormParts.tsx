/** The parts of a form around its fields. */
import type { ReactNode } from 'react';
import styles from './FormParts.module.css';

interface Parts {
  children: ReactNode;
}

/** Two fields side by side; on a phone one below the other. */
export const Pair = ({ children }: Parts) => <div className={styles.pair}>{children}</div>;

export const Buttons = ({ children }: Parts) => <div className={styles.buttons}>{children}</div>;

/** An error that belongs to no field; draws nothing without one. */
export const FormProblem = ({ children }: Parts) =>
  children ? (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  ) : null;

/** The end of a form: its error and its buttons. */
export const FormFooter = ({ problem, children }: Parts & { problem: string | null }) => (
  <>
    <FormProblem>{problem}</FormProblem>
    <Buttons>{children}</Buttons>
  </>
);
