/**
 * Sends the messages of connection tests over the binds of this worker and collects their receipts. A test has no
 * account and no message, so its receipts are among the unmatched receipts.
 */
import type { HttpExchange } from '@parley/contract/connections/connection_tests.ts';
import type { Outcome } from '../../channels/channel.ts';
import { type Db, sql } from '../../kernel/db/db.ts';
import type { Outbound } from '../../kernel/http/outbound.ts';
import type { BindPool } from './binds.ts';

const VALID_SECONDS = 600;
/** A test is never sent if no bind takes it within this time. */
const TAKE_WITHIN = '1 minute';
const COLLECT_FOR = '15 minutes';

interface TakenTest {
  connection_id: string;
  id: string;
  sender: string;
  number: string;
  text: string;
  reference: number;
}

export async function runConnectionTests(db: Db, binds: BindPool, outbound: Outbound): Promise<void> {
  const taken = await takeTests(db, binds.boundConnections());
  for (const test of taken) void sendTest(db, binds, outbound, test);
  await collectReceipts(db);
}

const takeTests = (db: Db, connection_ids: readonly string[]): Promise<TakenTest[]> =>
  connection_ids.length === 0
    ? Promise.resolve([])
    : db.rows<TakenTest>(sql`
        update connection_tests t set send_date = now()
        from (
          select connection_id, id from connection_tests
          where create_date > now() - ${TAKE_WITHIN}::interval and send_date is null
            and connection_id = any(${connection_ids}::uuid[])
          order by create_date limit 10 for update skip locked
        ) next
        where t.connection_id = next.connection_id and t.id = next.id
        returning t.connection_id, t.id, t.sender, t.number, t.text, t.reference`);

async function sendTest(db: Db, binds: BindPool, outbound: Outbound, test: TakenTest): Promise<void> {
  const { connection_id, id, sender: from, number: to, text, reference } = test;
  let exchange: HttpExchange | null = null;
  const observer = {
    pin: outbound.pin,
    record: (recorded: HttpExchange) => {
      exchange = recorded;
    },
  };
  const message = {
    from,
    to,
    text,
    content: null,
    reference,
    key: id.replaceAll('-', ''),
    valid_seconds: VALID_SECONDS,
    sent_parts: [],
    observer,
  };
  const outcome = (await binds.findBound(connection_id)?.send(message)) ?? CLOSED;
  const response = {
    ids: outcome.accepted.map(({ external_id, written_id }) => written_id ?? external_id),
    failure: outcome.failure,
  };
  // If the database is down, the test ends without a response.
  await db
    .run(sql`
      update connection_tests set response = ${JSON.stringify(response)}::jsonb,
        exchange = ${exchange && JSON.stringify(exchange)}::jsonb
      where connection_id = ${connection_id} and id = ${id}`)
    .catch(() => undefined);
}

const CLOSED: Pick<Outcome, 'accepted' | 'failure'> = {
  accepted: [],
  failure: { kind: 'connection', code: '', text: 'Not sent: the bind was closed' },
};

/**
 * Moves receipts for the number of a test, with or without its country code, from the unmatched receipts to it. Of
 * several tests with this number, the receipt belongs to the one with its ID. If none has it, because the carrier
 * changes its IDs, the receipt belongs to the last test without a final receipt.
 */
const collectReceipts = (db: Db) =>
  db.run(sql`
    with open as (
      select connection_id, id, number, send_date, response->'ids' as ids,
        coalesce(receipt->>'status' not in ('enroute', 'sent'), false) as is_final
      from connection_tests
      where create_date > now() - ${COLLECT_FOR}::interval and response is not null
    ), matched as (
      select distinct on (u.id) u.id as report_id, o.connection_id, o.id
      from unmatched_reports u join open o
        on u.connection_id = o.connection_id and u.create_date >= o.send_date and length(u.number) >= 6
        and right(o.number, length(ltrim(u.number, '0'))) = ltrim(u.number, '0')
      order by u.id, o.ids ?| array[u.external_id, u.report->'written'->>'id'] desc, o.is_final, o.send_date desc
    ), taken as (
      delete from unmatched_reports u using matched m where u.id = m.report_id
      returning m.connection_id, m.id, u.report, u.create_date
    ), last as (
      -- Receipts can arrive out of order, so a final one wins.
      select distinct on (connection_id, id) * from taken
      order by connection_id, id, report->>'status' in ('enroute', 'sent'), create_date desc
    )
    update connection_tests t set receipt = last.report, receipt_date = last.create_date
    from last where t.connection_id = last.connection_id and t.id = last.id
      and coalesce(t.receipt->>'status' in ('enroute', 'sent'), true)`);
