/** The form that a business fills in to request access to a channel. */
import type { z } from 'zod';
import type { AccessFile } from '../registrations/access_files.ts';
import type { PreflightFinding } from '../registrations/finding.ts';
import type { ChannelName } from './names.ts';

export interface AccessForm {
  readonly channel: ChannelName;
  readonly label: string;
  /**
   * The schema of the complete form. The form is saved in parts. A saved part may lack fields, but has no invalid ones.
   */
  readonly section: z.ZodObject;
  readonly files: readonly AccessFile[];
  /** The field that identifies the sender and must be unique. */
  readonly code_field: string;
  /** The field with the name that recipients see. */
  readonly name_field: string;
  /** Instructions for attaching a missing logo. */
  readonly logo_fix: string;
  /**
   * Finds problems that a reviewer of this channel would report, apart from missing fields. `numbers`: the verified
   * numbers of the company and the numbers it sends SMS from; undefined if they are unknown.
   */
  preflight(form: object | null, numbers: readonly string[] | undefined): PreflightFinding[];
  /** Reasons that operators can choose when they reject a request. `field` is a field of the form. */
  readonly reasons: readonly AccessReason[];
}

export interface AccessReason {
  readonly key: string;
  readonly field: string;
  readonly text: string;
}
