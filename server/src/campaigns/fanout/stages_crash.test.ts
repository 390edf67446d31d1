/** Kills workers at the end of a canary, at the switch to the winner of an A/B test, and while contacts wait. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  crowd,
  fanOutAll,
  makeStage,
  readBalance,
  readCampaign,
  startCampaign,
} from '../../test/campaigns.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, until, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const killAt = async (failpoint: string) => (await startWorkerProcess(world, { FAILPOINT: failpoint })).ended;

test('each recipient has one message after workers are killed at the canary and at the winner', async () => {
  const stage = await makeStage(world, crowd(300), { balance_micros: 12_000_000 });
  const { id, ...campaign } = await startCampaign(stage, {
    text: 'First',
    safety: { canary: { recipients: 40, wait_minutes: 1 } },
    test: { variants: [{ text: 'Second' }], share_percent: 40, wait_minutes: 1, metric: 'delivered' },
  });
  const key = { ...campaign, id };
  const read = () => readCampaign(stage, id);
  /** Lets the carrier accept all messages, and lets the wait be over. */
  const endWait = async (column: 'canary_date' | 'test_date') => {
    await applyCarrierStatus(world, key, 'sent');
    await fanOutAll(world, key);
    await world.kernel.db.run(sql`
      update campaigns set fanout_date = null,
        canary_date = case when ${column} = 'canary_date' then now() - interval '1 minute' else canary_date end,
        test_date = case when ${column} = 'test_date' then now() - interval '1 minute' end
      where account_id = ${stage.account_id} and id = ${id}`);
  };
  await fanOutAll(world, key);
  await endWait('canary_date');
  expect((await killAt('before_canary_commit')).signal).toBe('SIGKILL');
  expect(await read()).toMatchObject({ fanned_out: 40, safeguards: { canary: { status: 'waiting' } } });
  await fanOutAll(world, key);
  expect((await read()).fanned_out).toBe(120);
  await endWait('test_date');
  expect((await killAt('before_winner_commit')).signal).toBe('SIGKILL');
  expect(await read()).toMatchObject({ fanned_out: 120, test_state: { winner: null } });
  expect((await killAt('after_fanout_commit')).signal).toBe('SIGKILL');
  expect((await read()).test_state?.winner).not.toBeNull();
  const last = await startWorkerProcess(world);
  await until('fanned out', async () => (await read()).fanned_out === 300);
  await last.stop();
  const numbers = await world.kernel.db.rows<{ number: string }>(sql`
    select number from messages where account_id = ${stage.account_id} and campaign_id = ${id} order by number`);
  expect(numbers.map(({ number }) => number)).toEqual(
    crowd(300)
      .map(({ number }) => number)
      .sort(),
  );
  expect((await readBalance(world, stage)).available_micros).toBe(0);
});

test('each waiting contact has one message after workers are killed while their wait ends', async () => {
  const stage = await makeStage(world, crowd(1_200), { balance_micros: 48_000_000 });
  // A window that is closed now.
  const day = ((new Date().getUTCDay() + 2) % 7) + 1;
  const windows = [{ days: [day], from: '09:00', until: '10:00' }];
  const campaign = await startCampaign(stage, { timing: { windows } });
  await fanOutAll(world, campaign);
  const read = () => readCampaign(stage, campaign.id);
  const countWaits = async () => (await read()).waits.reduce((sum, { recipients }) => sum + recipients, 0);
  expect(await countWaits()).toBe(1_200);
  const past = new Date(Date.now() - 60_000).toISOString();
  await world.kernel.db.run(sql`
    update campaign_waits set not_before = ${past}
    where account_id = ${stage.account_id} and campaign_id = ${campaign.id}`);
  await world.kernel.db.run(sql`
    update campaigns set timing = '{}', fanout_date = null, waits = ${JSON.stringify({ [past]: 1_200 })}::jsonb
    where account_id = ${stage.account_id} and id = ${campaign.id}`);
  expect((await killAt('before_fanout_commit')).signal).toBe('SIGKILL');
  expect([(await read()).fanned_out, await countWaits()]).toEqual([0, 1_200]);
  expect((await killAt('after_fanout_commit')).signal).toBe('SIGKILL');
  expect([(await read()).fanned_out, await countWaits()]).toEqual([1_000, 200]);
  const last = await startWorkerProcess(world);
  await until('fanned out', async () => (await read()).fanned_out === 1_200);
  await last.stop();
  expect(await countWaits()).toBe(0);
  expect(await readBalance(world, stage)).toEqual({ available_micros: 0, held_micros: 48_000_000 });
});
