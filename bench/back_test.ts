/**
 * Back-tests rules of a company with 5,000,000 messages over 90 days. The baseline is a count of its messages in SQL.
 */
import { raw, sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { api, type Result, type Rig, secondsSince } from './rig.ts';

const ROWS = Number(process.env.BENCH_BACK_TEST_ROWS ?? 5_000_000);
const GOAL_MS = 5_000;
const LIMIT = 'limit_back_tests';
const TESTS: Readonly<Record<string, [path: string, rule: object]>> = {
  'messages per day': [LIMIT, { type: 'messages', limit: 1_000, interval: 'day' }],
  'spend per hour to two countries': [
    LIMIT,
    { type: 'spend', limit: 1_000_000, interval: 'hour', countries: ['GB', 'DE'] },
  ],
  'messages per recipient and week': [LIMIT, { type: 'messages_per_recipient', limit: 1, interval: 'week' }],
  'messages with a prefix per minute': [LIMIT, { type: 'messages', limit: 2, interval: 'minute', prefixes: ['44'] }],
  'a blocked country': ['country_back_tests', { list: 'blocked', countries: ['DE'] }],
  'fraud protection': ['traffic_back_tests', { messages: 'block', campaigns: 'block', lift_hours: 24 }],
};

export async function backTests(rig: Rig): Promise<Result[]> {
  const company = await makeCompany(rig.kernel);
  const { account_id } = company;
  const { sender_id, code } = await makeSender(rig.kernel, account_id);
  const filledAt = performance.now();
  await fillHistory(rig, account_id, sender_id, code);
  console.log(`  filled ${ROWS.toLocaleString('en-US')} messages in ${secondsSince(filledAt).toFixed(0)} s`);
  const caller = api(rig.url, company.token);
  const startedAt = performance.now();
  await rig.kernel.db.rows(sql`select count(*) from messages where account_id = ${account_id}`);
  const baseline = performance.now() - startedAt;
  const results: Result[] = [];
  for (const [name, [path, rule]] of Object.entries(TESTS)) {
    const start = performance.now();
    await caller.post(`/v1/${path}`, rule);
    const ms = performance.now() - start;
    console.log(`  ${name}: ${ms.toFixed(0)} ms`);
    results.push({
      name: `Back-test of ${name} among ${ROWS.toLocaleString('en-US')} messages`,
      parley: `${ms.toFixed(0)} ms`,
      baseline: `counting the messages ${baseline.toFixed(0)} ms`,
      ratio: (ms / baseline).toFixed(2),
      target: `at most ${GOAL_MS} ms`,
      met: ms <= GOAL_MS,
    });
  }
  return results;
}

/**
 * Messages to 90 number ranges in two countries, some failed, with a tenth in campaigns. The indexes are made after the
 * rows, and the table is new in this transaction, so that PostgreSQL writes no log for it. Afterwards, the table, its
 * indexes, and its triggers are as before.
 */
async function fillHistory(rig: Rig, account_id: string, sender_id: string, code: string): Promise<void> {
  const { db } = rig.kernel;
  const period = 90 * 86_400_000;
  const first = Date.now() - period;
  await db.tx(async (tx) => {
    await tx.run(sql`truncate messages`);
    await tx.run(sql`set local maintenance_work_mem = '512MB'`);
    await tx.run(sql`alter table messages disable trigger user`);
    const indexes = await tx.rows<{ name: string; definition: string }>(sql`
      select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema() and tablename = 'messages' and indexname <> 'messages_pkey'`);
    for (const { name } of indexes) await tx.run(sql`drop index ${raw(name)}`);
    await tx.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                            segments_count, encoding, price_micros, currency, charge, source, create_date)
      select ${account_id}::uuid,
             (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || right(to_hex(n + 4096), 3) || '-8000-'
              || lpad(to_hex(n), 12, '0'))::uuid,
             'MT', 'SMS', case when n % 50 = 0 then 'failed' else 'delivered' end, ${sender_id}::uuid, ${code}::text,
             number, number, case when n % 20 = 0 then 'DE' else 'GB' end,
             'Your order has left our warehouse and will be with you tomorrow', 1, 'GSM-7', 40000, 'USD', 'none',
             case when n % 10 = 0 then 'campaign' else 'api' end, to_timestamp(ms / 1000.0)
      from generate_series(0, ${ROWS - 1}::int) n
      cross join lateral (
        select (${first}::float8 + n * ${period / ROWS}::float8)::bigint as ms,
               '4474' || (10000000 + n::bigint * 7919 % 90000000) as number) t
      cross join lateral (select lpad(to_hex(ms), 12, '0') as hex) h`);
    for (const { definition } of indexes) await tx.run(raw(definition));
    await tx.run(sql`alter table messages enable trigger user`);
  });
  await db.run(sql`vacuum analyze messages`);
}
