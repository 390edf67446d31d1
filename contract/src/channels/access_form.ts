/** The form that a business fills in to request access to a channel. */
import type { z } from 'zod';
import type { ProblemName } from '../problem.ts';
import type { AccessFile } from '../registrations/access_files.ts';
import type { PreflightFinding } from '../registrations/finding.ts';
import type { ChannelName } from './names.ts';

export interface AccessForm {
  readonly channel: ChannelName;
  readonly label: string;
  /** The schema of the complete form. */
  readonly section: z.ZodObject;
  /** The form is saved in parts. A saved part may lack fields, but has no invalid ones. */
  readonly draft: z.ZodObject;
  /** The fields that `BUSINESS_ACCESS` does not have. */
  readonly fields: Readonly<Record<string, AccessField>>;
  readonly files: readonly AccessFile[];
  /** The summaries of the endpoints that save the form and its files. */
  readonly summaries: { readonly form: string; readonly files: string };
  /** Problems that only this form has. */
  readonly problems: readonly ProblemName[];
  /** The field that identifies the sender and must be unique. */
  readonly code_field: string;
  /** The field with the name that recipients see. */
  readonly name_field: string;
  /** Instructions for attaching a missing logo. */
  readonly logo_fix: string;
  /** The sizes of the logo. */
  readonly logo_hint: string;
  /** The channel's own names, which a business name cannot contain. */
  readonly reserved_names: RegExp;
  readonly carrier_address: CarrierAddress;
  /**
   * Finds problems that a reviewer of this channel would report, apart from missing fields. `numbers`: the verified
   * numbers of the company and the numbers it sends SMS from; undefined if they are unknown.
   */
  preflight(form: object | null, numbers: readonly string[] | undefined): PreflightFinding[];
  /** Reasons that operators can choose when they reject a request. `field` is a field of the form. */
  readonly reasons: readonly AccessReason[];
}

export interface AccessField {
  readonly label: string;
  /** The title of the finding when the field is missing or invalid. If omitted, the problem in the catalog has it. */
  readonly title?: string;
  /** The problem of the missing field. The schema reports only the problem of the invalid one. */
  readonly required?: ProblemName;
}

/** A sender's ID at the carrier. Operators enter it when they approve a request. */
export interface CarrierAddress {
  readonly label: string;
  readonly description: string;
  /** False if the approval can enroll the sender and receives its ID. */
  readonly required: boolean;
}

export interface AccessReason {
  readonly key: string;
  readonly field: string;
  readonly text: string;
}
