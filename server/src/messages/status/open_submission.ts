/** A submission without a known outcome, and its parts that the carrier is known to have. */
import type { Report } from '../../channels/channel.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';

/** A message that the carrier may have in full, in part, or not at all. */
export interface OpenSubmission {
  account_id: string;
  message_id: string;
  connection_id: string;
  adapter: string;
  settings: unknown;
  text: string;
  reference: number;
  /** True if the message was given up or sent again before this evidence. */
  given_up: boolean;
  /** The numbers of the parts that the carrier is known to have. */
  known_parts: number[];
  /** The number of additional parts that the carrier has. The reports do not state which parts they are. */
  unplaced: number;
}

export interface NumberedReport {
  n: number;
  connection_id: string;
  report: Report;
}

/** A placeholder for an unknown part number until the response for the part arrives. */
export const UNPLACED = 0;

/**
 * Columns for `dispatch d` or `unanswered_submissions d`. Only its own connection counts, because another connection
 * may have submitted the message before.
 */
export const knownParts: Sql = sql`
  array(
    select s.part from submissions s
    where s.account_id = d.account_id and s.message_id = d.message_id and s.connection_id = d.connection_id
      and s.part <> ${UNPLACED}
    union select unnest(d.sent_parts)
  ) as known_parts,
  (select count(*) from submissions s
   where s.account_id = d.account_id and s.message_id = d.message_id and s.connection_id = d.connection_id
     and s.part = ${UNPLACED}) as unplaced`;
