/** The settings of a connection, as its adapter defines them. */
import type { z } from 'zod';
import type { ChannelName } from './names.ts';

export interface AdapterSettings {
  readonly channel: ChannelName;
  /** All settings, for writing. */
  readonly settings: z.ZodObject;
  /** The settings without secrets, for reading. */
  readonly shown: z.ZodObject;
  /** Names of the encrypted settings, which can be written but not read. */
  readonly secrets: z.ZodEnum;
}
