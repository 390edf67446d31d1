/** Rehearses a campaign to 100,000 people. The baseline is the limit of 10 s. */
import { makeCarrier, makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { addPeople } from './people.ts';
import { api, median, type Result, type Rig, secondsSince } from './rig.ts';

const COUNT = Number(process.env.BENCH_REHEARSED ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LIMIT_SECONDS = 10;

export async function rehearsal(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, { port: rig.sandbox.smpp });
  const company = await makeCompany(rig.kernel, { balance_micros: 10_000_000_000 });
  const { sender_id } = await makeSender(rig.kernel, company.account_id);
  const audience = await addPeople(rig, company.account_id, COUNT);
  const caller = api(rig.url, company.token);
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { body } = await caller.post('/v1/campaign_rehearsals', {
      ...{ channel: 'SMS', from: sender_id, audience, text: 'Dear {first_name:friend}, our sale starts tomorrow' },
    });
    seconds.push(secondsSince(start));
    const { counts } = body.data as { counts: { will_receive: number } };
    if (counts.will_receive !== COUNT) throw new Error(`the rehearsal reaches ${counts.will_receive} of ${COUNT}`);
    console.log(`  round ${round + 1}: ${seconds.at(-1)!.toFixed(2)} s`);
  }
  const time = median(seconds);
  const limit = LIMIT_SECONDS * Math.max(1, COUNT / 100_000);
  return {
    name: `Rehearsal of ${COUNT.toLocaleString('en-US')} people`,
    parley: `${time.toFixed(2)} s`,
    baseline: `limit ${limit} s`,
    ratio: (time / limit).toFixed(2),
    target: 'at most 1',
    met: time <= limit,
  };
}
