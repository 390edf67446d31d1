/** A reported change of a message, from the carrier, a worker, a user or a timer. `status.ts` decides its effect. */
import type { Failure, Status } from '@parley/contract/messages/messages.ts';
import type { ProblemName } from '@parley/contract/problem.ts';

export interface Change {
  readonly account_id: string;
  readonly message_id: string;
  readonly status: Status;
  /** The origin of the change (gate, worker, carrier or person), shown in the inspector. */
  readonly source: string;
  /** The carrier's time of the event in milliseconds. It is only displayed and decides nothing. */
  readonly at?: number;
  readonly failure?: Failure;
  /** The carrier's code, unchanged. */
  readonly code?: string;
  /** The public text. It becomes `status_details` when the message failed. */
  readonly text?: string;
  /** The carrier's raw fields, with phone numbers masked. */
  readonly detail?: Record<string, unknown>;
  readonly connection_id?: string;
  /** True when the carrier had accepted the message, so it is charged whatever happened next. */
  readonly accepted?: boolean;
  /** True when a crash made us submit the message twice. */
  readonly possible_duplicate?: boolean;
  /** True when only time has passed: the fallback step in effect may have to be passed on. */
  readonly due?: boolean;
  /** Why the gate refuses this step. The caller gets it as an error when no other fallback step can be sent. */
  readonly refusal?: ProblemName;
}

export interface Applied {
  readonly account_id: string;
  readonly message_id: string;
  readonly campaign_id: string | null;
  /** The statuses before and after. They are equal when the change only added to the timeline. */
  readonly was: Status;
  readonly status: Status;
  readonly changed: boolean;
}
