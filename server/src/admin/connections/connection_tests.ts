/** Connection tests: a worker sends the message, and the adapter evaluates the response and the receipt. */
import { randomInt } from 'node:crypto';
import type { AdapterName } from '@parley/contract/channels/adapters.ts';
import type {
  ConnectionTest,
  createConnectionTest as CreateTest,
  ShownRequest,
} from '@parley/contract/connections/connection_tests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import type { SendFailure } from '../../channels/channel.ts';
import type { TestExchange } from '../../channels/connection_test.ts';
import { getAdapter } from '../../channels/index.ts';
import { callbackUrl, openConnection } from '../../connections/connections.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { record } from '../../kernel/security/audit.ts';
import { findConnection } from './connection_queries.ts';

const TEXT = 'Parley connection test. You can ignore this message.';
const KEEP_FOR = '30 days';
const TEST_DELIVERY = { valid_seconds: 600, sent_parts: [] };

export async function createTest(
  ctx: Pick<Ctx, 'tx'> & Parameters<typeof record>[1],
  connection_id: string,
  { from, to, text = TEXT }: Parsed<typeof CreateTest>['body'],
): Promise<ConnectionTest> {
  const { tx } = ctx;
  const row = await findConnection(tx, connection_id);
  if (!row) throw new Problem('CONNECTION_NOT_FOUND');
  if (!getAdapter(row.adapter).tests) throw new Problem('CONNECTION_TEST_NOT_SUPPORTED');
  if (!row.enabled || row.paused_date) throw new Problem('CONNECTION_NOT_RUNNING');
  const number = parseNumber(to)?.number;
  if (!number) throw new Problem('RECIPIENTS_INVALID');
  const id = newId();
  await pruneTests(tx, connection_id);
  await tx.run(sql`
    insert into connection_tests (connection_id, id, sender, number, text, reference)
    values (${connection_id}, ${id}, ${toSender(from)}, ${number}, ${text}, ${randomInt(1, 65_536)})`);
  record(tx, ctx, {
    action: 'connection.tested',
    target: { type: 'connection', id: connection_id, name: row.name },
    detail: { number },
  });
  return getTest(tx, connection_id, id);
}

const toSender = (from: string): string => from.replace(/^\+/, '');

/** Builds the request with the code that sends messages, and masks its secrets. */
export async function previewTest(
  kernel: Kernel,
  db: Queryable,
  connection_id: string,
  { from, to, text = TEXT }: Parsed<typeof CreateTest>['body'],
): Promise<ShownRequest> {
  const opened = await openConnection(kernel, db, connection_id);
  if (!opened) throw new Problem('CONNECTION_NOT_FOUND');
  const { preview } = opened.adapter;
  if (!preview) throw new Problem('CONNECTION_TEST_NOT_SUPPORTED');
  const number = parseNumber(to)?.number;
  if (!number) throw new Problem('RECIPIENTS_INVALID');
  const key = newId().replaceAll('-', '');
  return preview.request(
    { ...opened.spec, callback_url: callbackUrl(kernel, connection_id) },
    { ...{ from: toSender(from), to: number, text, key }, content: null, reference: 1, ...TEST_DELIVERY },
  );
}

const pruneTests = (tx: Tx, connection_id: string) =>
  tx.run(sql`
    delete from connection_tests
    where connection_id = ${connection_id} and create_date < now() - ${KEEP_FOR}::interval`);

interface TestRow extends Pick<ConnectionTest, 'id' | 'connection_id' | 'from' | 'to' | 'create_date'> {
  adapter: AdapterName;
  settings: object;
  reference: number;
  response: { ids: string[]; failure: SendFailure | null } | null;
  receipt: (Omit<NonNullable<TestExchange['receipt']>, 'arrived_ms'> & NonNullable<TestExchange['report']>) | null;
  exchange: ConnectionTest['exchange'];
  arrived_ms: number | null;
  is_final: boolean;
  is_unsent: boolean;
  is_late: boolean;
  is_outdated: boolean;
}

/** The state is derived from the response and the receipt, so it is correct even if no worker runs. */
export async function getTest(db: Queryable, connection_id: string, id: string): Promise<ConnectionTest> {
  const row = await db.maybeOne<TestRow>(sql`
    select t.id, t.connection_id, t.sender as "from", t.number as "to", t.reference, t.response, t.receipt,
      t.exchange, t.create_date, c.adapter, c.settings, extract(epoch from t.receipt_date)::float8 * 1000 as arrived_ms,
      coalesce(t.receipt->>'status' not in ('enroute', 'sent'), false) as is_final,
      t.response is null and t.create_date < now() - interval '2 minutes' as is_unsent,
      coalesce(t.send_date < now() - interval '5 minutes', false) as is_late,
      c.update_date > t.create_date as is_outdated
    from connection_tests t join connections c on c.id = t.connection_id
    where t.connection_id = ${connection_id} and t.id = ${id}`);
  if (!row) throw new Problem('CONNECTION_TEST_NOT_FOUND');
  const { to, from, reference, response, receipt, arrived_ms, exchange, create_date } = row;
  const reading = getAdapter(row.adapter).tests?.read(
    { id: connection_id, settings: row.settings },
    {
      to,
      country: parseNumber(to)?.country ?? '',
      reference,
      is_outdated: row.is_outdated,
      response,
      receipt: receipt?.written && arrived_ms !== null ? { ...receipt, arrived_ms } : null,
      report: receipt,
    },
  );
  return {
    ...{ id, connection_id, from, to, create_date, state: testState(row) },
    findings: reading?.findings ?? [],
    proposals: reading?.proposals ?? [],
    exchange,
    outcome: response && { ids: response.ids, failure: response.failure && toShownFailure(response.failure) },
  };
}

/** Operators see the internal text, if there is one. */
const toShownFailure = ({ kind, code, text, internal }: SendFailure) => ({ kind, code, text: internal ?? text });

function testState({ response, is_final, is_unsent, is_late }: TestRow): ConnectionTest['state'] {
  if (response === null) return is_unsent ? 'not_sent' : 'queued';
  if (response.failure) return 'refused';
  if (is_final) return 'complete';
  return is_late ? 'no_receipt' : 'waiting';
}
