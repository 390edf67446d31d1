/**
 * Limits the cost of the most frequent operations in figures that do not depend on the speed of the machine:
 * statements, pages, and bytes of WAL. A change that raises a limit needs a reason in its commit.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRESS_MS, runImport } from '../../audiences/imports/run.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { receiveMessages } from '../../messages/inbound/intake.ts';
import { accept } from '../../messages/messages.ts';
import { createReportBatcher } from '../../messages/status/reports.ts';
import { IMPORTS, manyRows } from '../imports.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeSender, testNumber } from '../make.ts';
import { type Caller, createWorld, type World } from '../world.ts';
import { measurePages, type PageMeter, type Total } from './page_meter.ts';

const BATCH = 50;
const STATEMENTS_PER_REPORT = 3;

let world: World;
let meter: PageMeter;
let company: Company;
let api: Caller;
let sender: { sender_id: string; code: string };
let connection_id: string;

beforeAll(async () => {
  // Without workers, no other statements run at the same time.
  world = await createWorld({ role: 'api' });
  ({ connection_id } = await makeCarrier(world.kernel, { countries: ['GB', 'US'] }));
  company = await makeCompany(world.kernel);
  sender = await makeSender(world.kernel, company.account_id);
  api = world.as(company.token);
  meter = measurePages(world.kernel.db);
});
afterAll(() => world?.stop());

/**
 * Runs the operation once to fill caches, and then measures it three times. The lowest value of each figure counts,
 * because background loops run statements from time to time, and a checkpoint adds images of pages to the WAL.
 */
async function measure(work: (round: number) => Promise<unknown>): Promise<Total> {
  await work(0);
  const costs: Total[] = [];
  for (const round of [1, 2, 3]) {
    meter.restart();
    await work(round);
    costs.push({ ...meter.total });
  }
  const least = (part: keyof Total): number => Math.min(...costs.map((cost) => cost[part]));
  return { statements: least('statements'), pages: least('pages'), wal: least('wal') };
}

function expectWithin(cost: Total, limits: Total): void {
  if (process.env.SHOW_COST) console.log(JSON.stringify({ cost, limits }));
  expect(cost.statements, 'statements').toBeLessThanOrEqual(limits.statements);
  expect(cost.pages, 'pages').toBeLessThanOrEqual(limits.pages);
  expect(cost.wal, 'bytes of WAL').toBeLessThanOrEqual(limits.wal);
}

const send = (to: readonly string[]) =>
  api.post('/v1/messages', { from: sender.code, to, channel: 'SMS', text: 'Your order is ready' });

test('accepting a single message stays within its budget', async () => {
  const cost = await measure(async (round) => {
    expect((await send([testNumber(round)])).status).toBe(200);
  });
  expectWithin(cost, { statements: 15, pages: 120, wal: 8_400 });
});

test('accepting a message with volume prices costs one statement more', async () => {
  const { db } = world.kernel;
  const { account_id, user_id } = company;
  await db.run(sql`
    insert into volume_prices (id, account_id, channel, country, currency, month, steps, user_id)
    values (${newId()}, ${account_id}, 'SMS', 'GB', 'USD', '2020-01-01',
            '[{"above_units": 2, "price_micros": 30000}]', ${user_id})`);
  const cost = await measure(async (round) => {
    expect((await send([testNumber(100 + round)])).status).toBe(200);
  });
  await db.run(sql`delete from volume_prices`);
  expectWithin(cost, { statements: 16, pages: 135, wal: 8_800 });
});

test('receiving a batch of messages stays within its budget', async () => {
  const cost = await measure((round) =>
    world.kernel.db.tx(
      (tx) =>
        receiveMessages(
          tx,
          Array.from({ length: BATCH }, (_, n) => ({
            ...{ connection_id, channel: 'SMS' as const, to: sender.code, parts: 1, details: {} },
            ...{ from: testNumber(1_000 + round * BATCH + n), text: 'Is it ready?' },
          })),
        ),
      'by index',
    ),
  );
  expectWithin(cost, { statements: 10, pages: 100 * BATCH, wal: 6_100 * BATCH });
});

test('applying a batch of delivery receipts stays within its budget', async () => {
  const reports = createReportBatcher(world.kernel.db);
  const cost = await measure(async (round) => {
    const numbers = Array.from({ length: BATCH }, (_, n) => testNumber(2_000 + round * BATCH + n));
    const { accepted } = await world.kernel.db.tx((tx) =>
      accept(tx, world.kernel, {
        ...{ account_id: company.account_id, channel: 'SMS', from: sender.sender_id, source: 'api', refusal: 'throw' },
        recipients: numbers.map((to) => ({ to, text: 'Your order is ready' })),
      }),
    );
    const ids = accepted.map(({ id }) => id);
    await world.kernel.db.run(sql`
      insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
      select ${connection_id}, id::text, ${company.account_id}, id, 1, 1 from unnest(${ids}::uuid[]) as t(id)`);
    meter.restart();
    await Promise.all(
      ids.map((id, n) =>
        reports.add({
          connection_id,
          report: {
            ...{ external_id: id, status: 'delivered', state: 'DELIVRD', code: null, reference: null, detail: {} },
            ...{ number: numbers[n]!, sender: sender.code },
          },
        }),
      ),
    );
  });
  expectWithin(cost, { statements: 20, pages: 100 * BATCH, wal: 4_500 * BATCH });
});

test('a page of each large list stays within its budget', async () => {
  const people = Array.from({ length: BATCH }, (_, n) => ({ number: testNumber(3_000 + n), first_name: 'Ann' }));
  const audience_id = await makeAudience(world.kernel, company.account_id, people);
  // The plans must not depend on when autovacuum last ran.
  await world.kernel.db.run(sql`analyze`);
  const lists = [
    ['/v1/messages', 600],
    ['/v1/conversations', 2_000],
    [`/v1/audiences/${audience_id}/contacts`, 100],
    ['/v1/campaigns', 100],
  ] as const;
  for (const [path, pages] of lists) {
    const cost = await measure(async () => {
      expect((await api.get(`${path}?page_size=20`)).status).toBe(200);
    });
    expectWithin(cost, { statements: 4, pages, wal: 2_000 });
  }
});

test('an import runs as many statements for 2,000 rows as for 200', async () => {
  const statements: number[] = [];
  let reports = 0;
  for (const rows of [200, 2_000]) {
    const reply = await api.upload(
      IMPORTS,
      { name: `Imported ${rows}`, start: 'true' },
      { name: 'a.csv', bytes: manyRows(rows) },
    );
    const ids = { account_id: company.account_id, id: reply.body.data.id };
    meter.restart();
    const startedAt = performance.now();
    await runImport(world.kernel, ids, new AbortController().signal);
    // A slow machine stores the progress more often.
    reports += Math.floor((performance.now() - startedAt) / PROGRESS_MS);
    statements.push(meter.total.statements);
    if (process.env.SHOW_COST) console.log(JSON.stringify(meter.total));
    expect((await api.get(`${IMPORTS}/${ids.id}`)).body.data).toMatchObject({ created_count: rows });
  }
  const allowance = STATEMENTS_PER_REPORT * reports;
  expect(statements[1]).toBeLessThanOrEqual(statements[0]! + 2 + allowance);
  expect(statements[0]).toBeLessThanOrEqual(20 + allowance);
});
