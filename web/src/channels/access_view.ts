/** The web app's additions to an access form in the contract: the inputs of its steps, and its rows for operators. */
import type { UseFormReturnType } from '@mantine/form';
import type { AccessFields } from '@parley/contract/channels/access.ts';
import type { ComponentType } from 'react';
import type { FieldsProps } from '../ui/layout/SidePanel.tsx';

export interface AccessView {
  /** The channel's own inputs in the business step, below the name of the company. */
  readonly business: StepView | null;
  /** The channel's own inputs in the profile of a sender, which can also change while the sender is in use. */
  readonly profile: StepView | null;
  /** The steps between the business step and the review, in order. The last one ends with the files. */
  readonly steps: readonly { readonly key: string; readonly label: string; readonly view: StepView | null }[];
}

export interface StepView {
  /** The initial value of each input. A reason about one of them belongs to this step. */
  initial(saved: AccessFields | null): Record<string, unknown>;
  /** The names of the inputs in error messages. */
  readonly labels: Readonly<Record<string, string>>;
  /** Checks rules that the form in the contract does not have. */
  check?(values: Record<string, unknown>): Record<string, string | null>;
  readonly Fields: ComponentType<StepFieldsProps>;
  /** The saved values as rows. */
  rows(saved: AccessFields): FieldsProps['fields'];
}

export interface StepFieldsProps {
  // biome-ignore lint/suspicious/noExplicitAny: any form with the inputs of the step among its values
  form: UseFormReturnType<any>;
  sender_id: string;
  /** True for a sender in use, whose profile can lack fields. */
  inUse?: boolean;
}
