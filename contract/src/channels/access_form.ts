/** What a business fills in to get access to a channel. */
import type { z } from 'zod';
import type { AccessFile } from '../registrations/access_files.ts';
import type { ChannelName } from './names.ts';

export interface AccessForm {
  readonly channel: ChannelName;
  readonly label: string;
  /** The form when it is complete. It is saved part by part, so each part has to be right but can be missing. */
  readonly section: z.ZodObject;
  readonly files: readonly AccessFile[];
  /** The field that identifies the sender, and is no other sender's. */
  readonly code_field: string;
  /** The field with the name that recipients see. */
  readonly name_field: string;
  /** How to attach a missing logo. */
  readonly logo_fix: string;
}
