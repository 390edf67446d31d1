/** The web app's additions to an access form in the contract: the inputs of its steps, and its rows for operators. */
import type { UseFormReturnType } from '@mantine/form';
import type { AccessFields } from '@parley/contract/channels/access.ts';
import type { ComponentType } from 'react';
import type { FieldsProps } from '../ui/layout/SidePanel.tsx';

export interface AccessView {
  /** The channel's own inputs in the business step, below the company name. */
  readonly business: StepView | null;
  /** The channel's own inputs in a sender's profile. They can also be changed while the sender is in use. */
  readonly profile: StepView | null;
  /** The steps between the business step and the review, in order. The files are at the end of the last step. */
  readonly steps: readonly { readonly key: string; readonly label: string; readonly view: StepView | null }[];
}

export interface StepView {
  /** The initial value of each input. Review reasons that concern one of these inputs are shown in this step. */
  initial(saved: AccessFields | null): Record<string, unknown>;
  /** The names of the inputs in error messages. */
  readonly labels: Readonly<Record<string, string>>;
  /** Checks rules that are not part of the contract's form. */
  check?(values: Record<string, unknown>): Record<string, string | null>;
  readonly Fields: ComponentType<StepFieldsProps>;
  /** The saved values as rows. */
  rows(saved: AccessFields): FieldsProps['fields'];
}

export interface StepFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with the inputs of the step among its values
  form: UseFormReturnType<any>;
  sender_id: string;
  /** True for a sender in use, whose profile may lack fields. */
  inUse?: boolean;
}
