/**
 * The messages between a sender and a person. A message with fallbacks belongs to the conversation of its current step.
 * Earlier steps that a carrier accepted stay in their own conversation with their own text, because the person may have
 * read them.
 */
import { type Sql, sql } from '../../kernel/db/db.ts';

export interface Pair {
  account_id: string;
  sender_id: string;
  number: string;
}

const ownMessages = ({ account_id, sender_id, number }: Pair): Sql => sql`
  m.account_id = ${account_id} and m.sender_id = ${sender_id} and m.number = ${number}`;

const fallbackSteps: Sql = sql`
  messages m
  join fallbacks f on f.account_id = m.account_id and f.message_id = m.id and f.handed
  cross join lateral jsonb_array_elements(f.steps) with ordinality as step(value, n)`;
const handedSteps = ({ account_id, sender_id, number }: Pair): Sql => sql`
  m.account_id = ${account_id} and m.sender_id <> ${sender_id} and m.number = ${number}
  and step.value->>'sender_id' = ${sender_id} and step.value->>'handed' is not null and step.n <> f.current + 1`;

/** The channel that followed, and the reason. */
const passedOn: Sql = sql`
  jsonb_build_object('reason', coalesce(step.value->>'reason', ''), 'channel', coalesce(
    (select l.step->>'channel' from jsonb_array_elements(f.steps) with ordinality as l(step, n)
     where l.n > step.n and l.step->>'state' in ('in_effect', 'passed_on') order by l.n limit 1), m.channel))`;

/**
 * Selects rows of `messages` with `passed_on`, unordered. The result includes at least the latest `limit` rows before
 * `before`.
 */
export const threadRows = (pair: Pair, before: string | null, limit: number): Sql => {
  const page = sql`${before === null ? sql`` : sql`and m.id < ${before}::uuid`} order by m.id desc limit ${limit}`;
  return sql`
    (select m.*, null::jsonb as passed_on from messages m where ${ownMessages(pair)} ${page})
    union all
    (select m_step.*, ${passedOn}
     from ${fallbackSteps}
     cross join lateral jsonb_populate_record(m, step.value || jsonb_build_object('failure', null, 'carrier_code', null,
       'status_details',
       case when step.value->>'status' not in ('sent', 'delivered', 'read') then step.value->>'reason' end)) m_step
     where ${handedSteps(pair)} ${page})`;
};

export const threadIds = (pair: Pair): Sql => sql`
  select m.id, m.create_date from messages m where ${ownMessages(pair)}
  union all
  select m.id, m.create_date from ${fallbackSteps} where ${handedSteps(pair)}`;
