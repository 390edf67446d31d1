import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Draft } from './draft.ts';

/** The props of every step of the wizard. */
export interface StepProps {
  channel: ChannelName;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}
