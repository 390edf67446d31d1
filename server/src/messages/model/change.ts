/** A reported change to a message from the carrier, a worker, a user, or a timer. `status.ts` decides its effect. */
import type { Failure } from '@parley/contract/messages/messages.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';
import type { ProblemName } from '@parley/contract/problem.ts';

export interface Change {
  readonly account_id: string;
  readonly message_id: string;
  readonly status: Status;
  /** The origin of the change (gate, worker, carrier, or person), which is shown in the inspector. */
  readonly source: string;
  /** The carrier's time for the event, in milliseconds. It is only displayed and never affects the result. */
  readonly at?: number;
  readonly failure?: Failure;
  /** The carrier's code, verbatim. */
  readonly code?: string;
  /** The public text. It becomes `status_details` if the message fails. */
  readonly text?: string;
  /** The carrier's raw fields, with phone numbers masked. */
  readonly detail?: Record<string, unknown>;
  readonly connection_id?: string;
  /** True if the carrier had accepted the message, so it is charged regardless of later events. */
  readonly accepted?: boolean;
  /** Why no fallback step may follow a failure. */
  readonly ends?: string;
  /** True if the message was submitted twice because of a crash. */
  readonly possible_duplicate?: boolean;
  /**
   * True if the change only signals that time has passed, so the message may have to move on to its next fallback step.
   */
  readonly due?: boolean;
  /**
   * The reason why the gate refuses this step. The caller gets it as an error if no other fallback step can be sent.
   */
  readonly refusal?: ProblemName;
}

export interface Applied {
  readonly account_id: string;
  readonly message_id: string;
  readonly campaign_id: string | null;
  /** The statuses before and after the change. They are equal if the change only added a timeline entry. */
  readonly was: Status;
  readonly status: Status;
  readonly changed: boolean;
}
