import type { StepProps } from '../step.ts';

/** The props of the message step on channels with files, buttons, and templates. */
export interface ContentStepProps extends StepProps {
  /** The sender's code, because templates can belong to one sender. */
  sender: string;
}
