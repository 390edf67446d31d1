import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Draft } from './draft.ts';

/** The props of every wizard step. */
export interface StepProps {
  channel: ChannelName;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}
