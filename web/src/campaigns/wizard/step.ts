import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Draft } from './draft.ts';
import type { StepErrors } from './useStepErrors.ts';

/** The props of every wizard step. */
export interface StepProps {
  channel: ChannelName;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  errors: Pick<StepErrors, 'fieldError' | 'onLeave'>;
}
