/**
 * What a crash or a silent carrier left in `submitting` with nobody waiting: it may have arrived or not. Evidence settles it, whenever it comes. Without
 * any, once a line of the connection has been up for the grace period, the connection's policy does: `resend` (once, marked as a possible
 * duplicate) or `fail` (money back). Never blindly before that.
 */
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import type { Change } from './change.ts';
import { knownParts, missingOf, type Open, partsOf, proveParts } from './evidence.ts';
import { applyStatuses } from './status.ts';
import { wakeDispatch } from './wake.ts';

const BATCH = 500;
/** A report that names no reference is given this long to find its message by id before it counts as evidence. */
const CHANCE = '3 seconds';
/** Without any line, so long after the message has expired: it must end some time, and a report may still correct it. */
const HOPELESS = '10 minutes';

export async function settleUnknown(db: Db): Promise<void> {
  const { open } = await db.one<{ open: boolean }>(sql`
    select exists (select from dispatch where stage = 'submitting' and worker_id is null) as open`);
  if (!open) return;
  await db.tx(async (tx) => {
    await applyStatuses(tx, await proveByNumber(tx));
  }, 'by index');
  await db.tx(async (tx) => {
    await applyStatuses(tx, await judge(tx));
  }, 'by index');
}

/** Of `dispatch d` and `unmatched_reports u`. */
const mayProve = sql`
  u.connection_id = d.connection_id and u.number = d.number and u.external_id <> '' and u.report->>'sender' = d.sender_address
  and u.report->>'reference' is null and u.create_date >= d.submit_date`;

/** Carriers that echo nothing: a report about an unknown message, for this number from this sender, after it was submitted. */
async function proveByNumber(tx: Tx): Promise<Change[]> {
  const rows = await tx.rows<Open & { external_id: string }>(sql`
    select distinct on (u.id) d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text, u.external_id,
           ${knownParts}
    from dispatch d
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    join unmatched_reports u on ${mayProve} and u.create_date < now() - ${CHANCE}::interval
    where d.stage = 'submitting' and d.worker_id is null and d.unknown_date < now() - ${CHANCE}::interval
      and not exists (select from submissions s where s.connection_id = u.connection_id and s.external_id = u.external_id)
    order by u.id, d.submit_date
    limit ${BATCH}`);
  // No more than a message has parts: the rest are reports about something else.
  const wanted = [...Map.groupBy(rows, ({ message_id }) => message_id).values()].flatMap((reports) =>
    reports.slice(0, Math.max(0, missingOf(reports[0]!))),
  );
  return proveParts(tx, wanted);
}

interface Due extends Open {
  attempt: number;
  policy: 'fail' | 'resend';
  resent: boolean;
  over: boolean;
}

async function judge(tx: Tx): Promise<Change[]> {
  const rows = await dueRows(tx);
  const again: Due[] = [];
  const changes = rows.map((row): Change => {
    const { account_id, message_id, connection_id, known_parts } = row;
    const change = { account_id, message_id, connection_id, source: 'worker' };
    if (missingOf(row) <= 0) return { ...change, status: 'sent', text: 'Proved by the carrier’s answers' };
    if (row.policy === 'resend' && !row.resent && !row.over) {
      again.push(row);
      return {
        ...change,
        status: 'enroute',
        possible_duplicate: true,
        text: 'The carrier did not answer: sent once more',
      };
    }
    const text = 'The carrier did not answer, and nobody knows whether it arrived';
    return { ...change, status: 'failed', failure: 'unknown', text, accepted: known_parts.length + row.unplaced > 0 };
  });
  if (again.length > 0) await resend(tx, again);
  return changes;
}

const dueRows = (tx: Tx): Promise<Due[]> =>
  tx.rows<Due>(sql`
    select d.account_id, d.message_id, d.connection_id, d.attempt, d.resent, c.adapter, c.settings, c.unknown_policy as policy, m.text,
           d.expire_date <= now() as over, ${knownParts}
    from dispatch d
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    left join lateral (
      select min(b.bound_date) as since from binds b
      where b.connection_id = c.id and b.state in ('bound', 'throttled') and b.lease_until > now()
    ) up on true
    where d.stage = 'submitting' and d.worker_id is null
      and not exists (select from unmatched_reports u where ${mayProve})
      and (greatest(d.unknown_date, up.since) + c.unknown_grace_seconds * interval '1 second' <= now() and up.since is not null
           or greatest(d.unknown_date, d.expire_date) + ${HOPELESS}::interval <= now())
    order by d.account_id, d.message_id
    limit ${BATCH} for update of d skip locked`);

/** Parts leave in their order, so those nobody can place count as the first of the missing. */
function withUnplaced(open: Open): number[] {
  const parts = [...open.known_parts];
  let unplaced = open.unplaced;
  for (let part = 1; part <= partsOf(open) && unplaced > 0; part++) {
    if (open.known_parts.includes(part)) continue;
    parts.push(part);
    unplaced--;
  }
  return parts;
}

async function resend(tx: Tx, rows: readonly Due[]): Promise<void> {
  await tx.run(sql`
    update dispatch d set stage = 'queued', resent = true, unknown_date = null, sent_parts = t.parts::smallint[],
      not_before = greatest(d.not_before, now())
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.message_id)}::uuid[],
                ${rows.map((row) => `{${withUnplaced(row).join(',')}}`)}::text[]) as t(account_id, message_id, parts)
    where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'submitting'`);
  wakeDispatch(tx);
}
