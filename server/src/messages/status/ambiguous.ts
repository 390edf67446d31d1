/**
 * Settles submissions that a crash or a silent carrier left open. For these, it is unknown whether the carrier has the
 * message. Evidence settles them whenever it arrives. Without evidence, the connection's policy applies once the
 * connection has been up for its grace period: `resend` (once, marked as a possible duplicate) or `fail` (the money is
 * released). Nothing is decided before that, and evidence that arrives afterward still counts (unanswered.ts). A
 * carrier that sends a message with the same key only once gets the message again immediately, without a policy.
 */
import { ADAPTERS, getAdapter } from '../../channels/index.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import type { Change } from '../model/change.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import { countMissing, countParts, proveParts } from './evidence.ts';
import { knownParts, type OpenSubmission } from './open_submission.ts';
import { applyStatuses } from './status.ts';
import { findByNumber, keepUnanswered } from './unanswered.ts';

const BATCH = 500;
/** The time that a report without a reference waits to be matched by id before it counts as evidence. */
const MATCH_DELAY = '3 seconds';
/** A message is given up this long after its expiry if no bind is up. A later report may still correct its status. */
const GIVE_UP_AFTER = '10 minutes';

export async function settleAmbiguous(db: Db): Promise<void> {
  const { open, given_up } = await db.one<{ open: boolean; given_up: boolean }>(sql`
    select exists (select from dispatch where stage = 'submitting' and worker_id is null) as open,
           exists (select from unanswered_submissions) as given_up`);
  if (given_up)
    await db.tx(async (tx) => {
      await applyStatuses(tx, await proveParts(tx, limitEvidence(await findByNumber(tx))));
    }, 'by index');
  if (!open) return;
  await db.tx(async (tx) => {
    await applyStatuses(tx, await proveByNumber(tx));
  }, 'by index');
  await db.tx(async (tx) => {
    await applyStatuses(tx, await applyPolicies(tx));
  }, 'by index');
}

/** A condition on `dispatch d` and `unmatched_reports u`. */
const mayProve = sql`
  u.connection_id = d.connection_id and u.number = d.number and u.external_id <> ''
    and u.report->>'sender' = d.sender_address
  and u.report->>'reference' is null and u.create_date >= d.submit_date`;

/**
 * Finds evidence from carriers that do not echo our reference. A report about an unknown message to this number from
 * this sender counts as evidence if it was received after the submission.
 */
async function proveByNumber(tx: Tx): Promise<Change[]> {
  const rows = await tx.rows<OpenSubmission & { external_id: string }>(sql`
    select distinct on (u.id) d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, d.reference,
           false as given_up, u.external_id, ${knownParts}
    from dispatch d
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    join unmatched_reports u on ${mayProve} and u.create_date < now() - ${MATCH_DELAY}::interval
    where d.stage = 'submitting' and d.worker_id is null and d.unknown_date < now() - ${MATCH_DELAY}::interval
      and not exists (select from submissions s where s.connection_id = u.connection_id
        and s.external_id = u.external_id)
    order by u.id, d.submit_date
    limit ${BATCH}`);
  return proveParts(tx, limitEvidence(rows));
}

/** A message has at most one report for each missing part, so any additional reports are about other messages. */
const limitEvidence = <T extends OpenSubmission>(rows: readonly T[]): T[] =>
  [...Map.groupBy(rows, ({ message_id }) => message_id).values()].flatMap((reports) =>
    reports.slice(0, Math.max(0, countMissing(reports[0]!))),
  );

interface DueSubmission extends OpenSubmission {
  attempt: number;
  policy: 'fail' | 'resend';
  resent: boolean;
  expired: boolean;
}

const IDEMPOTENT = ADAPTERS.filter(({ isIdempotent }) => isIdempotent).map(({ name }) => name);

async function applyPolicies(tx: Tx): Promise<Change[]> {
  const due = await selectDue(tx);
  const isRepeatable = (row: DueSubmission) => !row.expired && getAdapter(row.adapter).isIdempotent === true;
  const repeated = due.filter(isRepeatable);
  await repeat(tx, repeated);
  const rows = due.filter((row) => !isRepeatable(row));
  await keepUnanswered(
    tx,
    rows.filter((row) => countMissing(row) > 0),
  );
  const resends: DueSubmission[] = [];
  const changes = rows.map((row): Change => {
    const { account_id, message_id, connection_id, known_parts } = row;
    const change = { account_id, message_id, connection_id, source: 'worker' };
    if (countMissing(row) <= 0) return { ...change, status: 'sent', text: 'Confirmed by the carrier’s responses' };
    if (row.policy === 'resend' && !row.resent && !row.expired) {
      resends.push(row);
      return {
        ...change,
        status: 'enroute',
        possible_duplicate: true,
        text: 'The carrier did not respond, so the message was sent again',
      };
    }
    const text = 'The carrier did not respond, so delivery is uncertain';
    return { ...change, status: 'failed', failure: 'unknown', text, accepted: known_parts.length + row.unplaced > 0 };
  });
  if (resends.length > 0) await resend(tx, resends);
  return [...changes, ...repeated.map(repeatedChange)];
}

const repeatedChange = ({ account_id, message_id, connection_id }: DueSubmission): Change => ({
  ...{ account_id, message_id, connection_id, source: 'worker', status: 'enroute' },
  text: 'The response was lost, so the message was sent again with the same ID, which cannot cause a duplicate',
});

/** The message keeps `unknown_date`, and with it its connection, because only this carrier can recognize it. */
async function repeat(tx: Tx, rows: readonly DueSubmission[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(sql`
    update dispatch d set stage = 'queued', not_before = greatest(d.not_before, now())
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.message_id)}::uuid[])
      as t(account_id, message_id)
    where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'submitting'`);
  wakeDispatch(tx);
}

const selectDue = (tx: Tx): Promise<DueSubmission[]> =>
  tx.rows<DueSubmission>(sql`
    select d.account_id, d.message_id, d.connection_id, d.attempt, d.resent, c.adapter, c.settings,
           c.unknown_policy as policy, m.text, d.reference, false as given_up, d.expire_date <= now() as expired,
           ${knownParts}
    from dispatch d
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    left join lateral (
      select min(b.bound_date) as since from binds b
      where b.connection_id = c.id and b.state in ('bound', 'throttled') and b.lease_until > now()
    ) up on true
    where d.stage = 'submitting' and d.worker_id is null and not d.held
      and not exists (select from unmatched_reports u where ${mayProve})
      and (greatest(d.unknown_date, up.since) + c.unknown_grace_seconds * interval '1 second' <= now()
        and up.since is not null
           or c.adapter = any(${IDEMPOTENT}::text[]) and d.expire_date > now() and up.since is not null
             and d.unknown_date < now() - ${MATCH_DELAY}::interval
           or greatest(d.unknown_date, d.expire_date) + ${GIVE_UP_AFTER}::interval <= now())
    order by d.account_id, d.message_id
    limit ${BATCH} for update of d skip locked`);

/** Parts are sent in order, so parts without a known number count as the first missing parts. */
function withUnplaced(open: OpenSubmission): number[] {
  const parts = [...open.known_parts];
  let unplaced = open.unplaced;
  for (let part = 1; part <= countParts(open) && unplaced > 0; part++) {
    if (open.known_parts.includes(part)) continue;
    parts.push(part);
    unplaced--;
  }
  return parts;
}

/** Puts the messages back into the queue, without the parts that the carrier has. */
export async function resend(tx: Tx, rows: readonly OpenSubmission[]): Promise<void> {
  await tx.run(sql`
    update dispatch d set stage = 'queued', resent = true, held = false, unknown_date = null,
      sent_parts = t.parts::smallint[], not_before = greatest(d.not_before, now())
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.message_id)}::uuid[],
                ${rows.map((row) => `{${withUnplaced(row).join(',')}}`)}::text[]) as t(account_id, message_id, parts)
    where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'submitting'`);
  wakeDispatch(tx);
}
