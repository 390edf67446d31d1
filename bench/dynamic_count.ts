/**
 * Counts the people of a dynamic audience in an account with 1,000,000 people, through the API. The baseline is the
 * same count as a bare statement in the same database.
 */
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCompany } from '@parley/server/src/test/make.ts';
import { addPeople } from './people.ts';
import { api, median, type Result, type Rig, secondsSince } from './rig.ts';

const COUNT = Number(process.env.BENCH_PEOPLE ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

export async function dynamicCount(rig: Rig): Promise<Result> {
  const { account_id, token } = await makeCompany(rig.kernel);
  await addPeople(rig, account_id, COUNT);
  const caller = api(rig.url, token);
  const conditions = {
    match: 'all',
    conditions: [
      { subject: 'country', operator: 'is_one_of', value: ['GB'] },
      { subject: 'tags', operator: 'has_any', value: ['vip'] },
    ],
  };
  const parley: number[] = [];
  const bare: number[] = [];
  let isEstimate = false;
  for (let round = 0; round < ROUNDS; round++) {
    let start = performance.now();
    const { count } = await rig.kernel.db.one<{ count: number }>(sql`
      select count(*) from people where account_id = ${account_id} and country = 'GB' and tags && '{vip}'`);
    bare.push(secondsSince(start));
    start = performance.now();
    const { body } = await caller.post('/v1/audience_counts', { conditions });
    parley.push(secondsSince(start));
    const answer = body.data as { count: number; is_estimate: boolean };
    isEstimate ||= answer.is_estimate;
    const difference = Math.abs(answer.count - count) / count;
    if (difference > (answer.is_estimate ? 0.2 : 0)) throw new Error(`${answer.count} people instead of ${count}`);
  }
  const [a, b] = [median(parley), median(bare)];
  return {
    name: `Count of a dynamic audience over ${COUNT.toLocaleString('en-US')} people`,
    parley: `${(a * 1_000).toFixed(0)} ms${isEstimate ? ', estimated' : ''}`,
    baseline: `bare SQL ${(b * 1_000).toFixed(0)} ms`,
    ratio: (a / b).toFixed(2),
    target: 'at most 3',
    met: a <= 3 * b,
  };
}
