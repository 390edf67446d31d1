/**
 * Back-tests limits of a company with 5,000,000 messages over 90 days. The baseline is a count of its messages in SQL.
 */
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { fillLog } from './log.ts';
import { api, type Result, type Rig } from './rig.ts';

const ROWS = Number(process.env.BENCH_BACK_TEST_ROWS ?? 5_000_000);
const GOAL_MS = 5_000;
const RULES = {
  'messages per day': { type: 'messages', limit: 1_000, interval: 'day' },
  'spend per hour to two countries': { type: 'spend', limit: 1_000_000, interval: 'hour', countries: ['GB', 'DE'] },
  'messages per recipient and week': { type: 'messages_per_recipient', limit: 1, interval: 'week' },
  'messages with a prefix per minute': { type: 'messages', limit: 2, interval: 'minute', prefixes: ['44'] },
} as const;

export async function backTests(rig: Rig): Promise<Result[]> {
  const company = await makeCompany(rig.kernel);
  const { account_id } = company;
  const { sender_id, code } = await makeSender(rig.kernel, account_id);
  await fillLog(rig, account_id, sender_id, code, ROWS);
  const caller = api(rig.url, company.token);
  const startedAt = performance.now();
  await rig.kernel.db.rows(sql`select count(*) from messages where account_id = ${account_id}`);
  const baseline = performance.now() - startedAt;
  const results: Result[] = [];
  for (const [name, rule] of Object.entries(RULES)) {
    const start = performance.now();
    await caller.post('/v1/limit_back_tests', rule);
    const ms = performance.now() - start;
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
