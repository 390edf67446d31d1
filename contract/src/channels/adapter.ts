/** What the operators set for a connection of one adapter. */
import type { z } from 'zod';
import type { ChannelName } from './names.ts';

export interface AdapterSettings {
  readonly channel: ChannelName;
  /** All settings, as they are written. */
  readonly settings: z.ZodObject;
  /** The settings without secrets, as they are read. */
  readonly shown: z.ZodObject;
  /** Names of the settings that are sealed: written and never read back. */
  readonly secrets: z.ZodEnum;
}
