import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { FieldError } from '../field_errors.ts';
import type { FallbackStep, MessageContent, SenderOptions } from './fallback_steps.ts';

/** The props of the fields of one fallback step. */
export interface StepFieldsProps {
  /** The channel of the message itself. */
  first: ChannelName;
  steps: readonly FallbackStep[];
  at: number;
  content: MessageContent;
  options: Readonly<Record<ChannelName, SenderOptions>>;
  /** Returns the error for a field of this step by the field's name; '' stands for the step as a whole. */
  fieldError: FieldError;
  onChange: (part: Partial<FallbackStep>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}
