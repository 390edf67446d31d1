/**
 * Opens the overview of the insights for a company with 5,000,000 messages over 90 days, by each dimension and for 7,
 * 30, and 90 days. The baseline is the same figures counted from the messages in SQL.
 */
import { CHART_DIMENSIONS } from '@parley/contract/insights/charts.ts';
import { countSlots } from '@parley/server/src/insights/slots.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { fillLog } from './log.ts';
import { createClient, median, percentile, type Result, type Rig } from './rig.ts';

const ROWS = Number(process.env.BENCH_INSIGHTS_ROWS ?? 5_000_000);
const ROUNDS = 8;
const GOAL_MS = 200;

export async function openOverview(rig: Rig): Promise<Result[]> {
  const company = await makeCompany(rig.kernel);
  const { account_id } = company;
  const { sender_id, code } = await makeSender(rig.kernel, account_id);
  await fillLog(rig, account_id, sender_id, code, ROWS);
  await countSlots(rig.kernel.db);
  await rig.kernel.db.run(sql`vacuum analyze message_counts`);
  const client = createClient(rig.url, company.token);
  const results: Result[] = [];
  for (const days of [7, 30, 90]) {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const dimension of CHART_DIMENSIONS) {
        const startedAt = performance.now();
        await client.get(`/v1/charts?from=${day(days - 1)}&to=${day(0)}&by=${dimension}`);
        times.push(performance.now() - startedAt);
      }
    const startedAt = performance.now();
    await rig.kernel.db.rows(sql`
      select date_trunc('day', create_date), country, count(*), count(*) filter (where status = 'delivered')
      from messages where account_id = ${account_id} and create_date > now() - make_interval(days => ${days * 2})
      group by 1, 2`);
    const baseline = performance.now() - startedAt;
    const p95 = percentile(times, 95);
    results.push({
      name: `Overview of ${days} days among ${ROWS.toLocaleString('en-US')} messages, p95`,
      parley: `${p95.toFixed(0)} ms (median ${median(times).toFixed(0)} ms, ${times.length} requests)`,
      baseline: `counting the messages ${baseline.toFixed(0)} ms`,
      ratio: (p95 / baseline).toFixed(3),
      target: `at most ${GOAL_MS} ms`,
      met: p95 <= GOAL_MS,
    });
  }
  client.close();
  return results;
}
