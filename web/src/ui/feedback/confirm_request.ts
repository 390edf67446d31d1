import type { ReactNode } from 'react';

export interface ConfirmRequest {
  /** "Delete the audience Spring customers?" */
  title: string;
  /** What will be lost or will happen. */
  consequence: ReactNode;
  /** "Delete audience" */
  action: string;
  danger?: boolean;
  /** Text to type before the button works, for what can never be undone. */
  requiredText?: string;
  cancel?: string;
}

/** A question that waits for its answer. */
export interface PendingConfirm extends ConfirmRequest {
  answer: (yes: boolean) => void;
}
