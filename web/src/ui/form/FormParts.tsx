/** The parts of a form other than its fields. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './FormParts.module.css';

interface Parts {
  children: ReactNode;
}

/** Two fields side by side; stacked on a phone. */
export const Pair = ({ children }: Parts) => <div className={styles.pair}>{children}</div>;

export const Buttons = ({ children }: Parts) => <div className={styles.buttons}>{children}</div>;

/** An error that belongs to no field; renders nothing if there is none. */
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

interface DialogFooterProps {
  problem: string | null;
  sending: boolean;
  /** The label of the button that submits the form. */
  action: string;
  onClose: () => void;
}

/** The problem and the buttons at the end of a form in a dialog. */
export const DialogFooter = ({ problem, sending, action, onClose }: DialogFooterProps) => (
  <FormFooter problem={problem}>
    <Button type="submit" loading={sending}>
      {action}
    </Button>
    <Button variant="default" onClick={onClose}>
      Cancel
    </Button>
  </FormFooter>
);
