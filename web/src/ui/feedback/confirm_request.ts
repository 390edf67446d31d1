import type { ReactNode } from 'react';

export interface ConfirmRequest {
  /** "Delete the audience Spring customers?" */
  title: string;
  /** The consequence: the change or loss. */
  consequence: ReactNode;
  /** "Delete audience" */
  action: string;
  danger?: boolean;
  /** Text that the user must type to enable the button, for actions that can never be undone. */
  requiredText?: string;
  cancel?: string;
}

/** A confirmation awaiting the user's answer. */
export interface PendingConfirm extends ConfirmRequest {
  answer: (yes: boolean) => void;
}
