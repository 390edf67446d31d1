/**
 * Combines reports about the parts of a long message. The message is delivered once all parts are delivered, and failed
 * if any part failed.
 */
import { RANK, type Status } from '@parley/contract/messages/statuses.ts';
import type { Report } from '../../channels/channel.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Change } from '../model/change.ts';
import { toChange } from './report_change.ts';

export interface PartReport {
  account_id: string;
  message_id: string;
  connection_id: string;
  report: Report;
  parts: number;
}

interface PartRow {
  connection_id: string;
  external_id: string;
  message_id: string;
  state: Status | null;
}

export async function foldParts(tx: Tx, reports: readonly PartReport[]): Promise<Change[]> {
  const rows = await lockParts(tx, reports);
  const byId = new Map(rows.map((row) => [`${row.connection_id} ${row.external_id}`, row]));
  const changes: Change[] = [];
  const moved = new Set<PartRow>();
  for (const { account_id, message_id, connection_id, report, parts } of reports) {
    const row = byId.get(`${connection_id} ${report.external_id}`);
    if (!row) continue;
    if (row.state === null || RANK[report.status] > RANK[row.state]) {
      row.state = report.status;
      moved.add(row);
    }
    const states = rows.filter((other) => other.message_id === message_id).map(({ state }) => state);
    const status = wholeStatus(states, parts, report);
    if (status) changes.push({ ...toChange(account_id, message_id, connection_id, report), status });
  }
  await writeParts(tx, [...moved]);
  return changes;
}

/**
 * Returns the status of the whole message, or null while it depends on other parts. The acceptance of one part does not
 * decide the status of the whole message, because the responses decide whether the message was accepted.
 */
function wholeStatus(states: readonly (Status | null)[], parts: number, report: Report): Status | null {
  const arrived = states.filter((state) => state === 'delivered' || state === 'read').length;
  if (arrived >= parts) return 'delivered';
  return RANK[report.status] === RANK.failed ? report.status : null;
}

/** Locks all parts of the messages, so that concurrent transactions see each other's parts. */
const lockParts = (tx: Tx, reports: readonly PartReport[]): Promise<PartRow[]> =>
  tx.rows<PartRow>(sql`
    select s.connection_id, s.external_id, s.message_id, s.state from submissions s
    where (s.account_id, s.message_id) in (
      select * from unnest(${reports.map((entry) => entry.account_id)}::uuid[],
        ${reports.map((entry) => entry.message_id)}::uuid[]))
    order by s.connection_id, s.external_id
    for update`);

const writeParts = (tx: Tx, rows: readonly PartRow[]) =>
  tx.run(sql`
    update submissions s set state = t.state
    from unnest(${rows.map((row) => row.connection_id)}::uuid[], ${rows.map((row) => row.external_id)}::text[],
                ${rows.map((row) => row.state)}::text[]) as t(connection_id, external_id, state)
    where s.connection_id = t.connection_id and s.external_id = t.external_id`);
