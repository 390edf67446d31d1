/** What a business fills in to get access to a channel. */
import type { z } from 'zod';
import type { AccessFile } from '../registrations/access_files.ts';
import type { Finding } from '../registrations/finding.ts';
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
  /**
   * What a reviewer of this channel objects to, beside what is missing. `numbers`: the verified numbers of the company
   * and the ones it sends SMS from; undefined when they are unknown.
   */
  preflight(form: object | null, numbers: readonly string[] | undefined): Finding[];
  /** Reasons that operators can choose from when they reject an application; `field` is one of the form. */
  readonly reasons: readonly AccessReason[];
}

export interface AccessReason {
  readonly key: string;
  readonly field: string;
  readonly text: string;
}
