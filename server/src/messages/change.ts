/** What is said about a message: by the carrier, a worker, a person or the clock. `status.ts` decides what it changes. */
import type { Failure, Status } from '@parley/contract/messages/messages.ts';
import type { ProblemName } from '@parley/contract/problem.ts';

export interface Change {
  readonly account_id: string;
  readonly message_id: string;
  readonly status: Status;
  /** Who says so: gate, worker, carrier, person. Shown in the inspector. */
  readonly source: string;
  /** When it happened by the carrier's clock, in milliseconds. Shown only; never decides anything. */
  readonly at?: number;
  readonly failure?: Failure;
  /** The carrier's code, as it wrote it. */
  readonly code?: string;
  /** In words, for people: becomes `status_details` of a message that failed. */
  readonly text?: string;
  /** The carrier's own words, numbers masked. */
  readonly detail?: Record<string, unknown>;
  readonly connection_id?: string;
  /** A report about a message the carrier had taken: it is paid for, whatever became of it. */
  readonly accepted?: boolean;
  /** The carrier may have got it twice: what a crash left open was sent again. */
  readonly possible_duplicate?: boolean;
  /** Nothing but the time: what is in effect of a message with fallbacks may have to be passed on. */
  readonly due?: boolean;
  /** The gate does not let it go this way; where no other way can be gone either, this is what its caller is told. */
  readonly refusal?: ProblemName;
}

export interface Applied {
  readonly account_id: string;
  readonly message_id: string;
  readonly campaign_id: string | null;
  /** Before and after; equal when the change only added to the timeline. */
  readonly was: Status;
  readonly status: Status;
  readonly changed: boolean;
}
