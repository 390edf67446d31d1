import { spawn } from 'node:child_process';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { credit } from '../../billing/billing.ts';
import { newId } from '../../kernel/clock.ts';
import { raw, sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  count,
  crowd,
  fanOutAll,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { startProgress } from '../progress/progress.ts';
import { fanOut, startFanout } from './fanout.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const listNumbers = async (campaign: Campaign): Promise<string[]> =>
  (
    await world.kernel.db.rows<{ number: string }>(sql`
      select number from messages where account_id = ${campaign.account_id} and campaign_id = ${campaign.id}
      order by number`)
  ).map((row) => row.number);

/** Starts a worker process as in production. `ended` resolves with its exit code or signal. */
function worker(failpoint = ''): { ended: Promise<NodeJS.Signals | number | null>; stop(): void } {
  const child = spawn(process.execPath, [inject('programs').server], {
    env: { ...process.env, ...world.settings, ROLE: 'worker', FAILPOINT: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  return { ended, stop: () => child.kill('SIGTERM') };
}

test('each recipient receives one personalized message, and skipped contacts are counted by reason', async () => {
  const stage = await makeStage(world, [
    { number: '447400000001', first_name: 'Amelia' },
    { number: '447400000002', first_name: ' ' },
    { number: '447400000003', first_name: 'Stopped' },
    { number: '37491000001', country: 'AM', first_name: 'Anahit' },
    { number: '447400000005', first_name: '\u0413\u0440\u0438\u0433\u043e\u0440\u0438\u0439' },
  ]);
  await world.kernel.db.run(sql`
    insert into stop_list (account_id, id, number, sender_id, reason)
    values (${stage.account_id}, ${newId()}, '447400000003', ${stage.sender_id}, 'manual'),
           (${stage.account_id}, ${newId()}, '447400000001', ${newId()}, 'manual')`);
  const campaign = await startCampaign(stage, { text: 'Dear {first_name:friend}, {sms_opt_out}' });
  await fanOutAll(world, campaign, 2);
  const messages = await world.kernel.db.rows(sql`
    select number, text, encoding, source, campaign_id, user_id, price_micros::int from messages
    where account_id = ${stage.account_id} order by number`);
  const fields = { source: 'campaign', campaign_id: campaign.id, user_id: stage.user_id, price_micros: 40_000 };
  expect(messages).toEqual([
    { number: '447400000001', text: 'Dear Amelia, Reply STOP to opt out', encoding: 'GSM-7', ...fields },
    { number: '447400000002', text: 'Dear friend, Reply STOP to opt out', encoding: 'GSM-7', ...fields },
    {
      number: '447400000005',
      text: 'Dear \u0413\u0440\u0438\u0433\u043e\u0440\u0438\u0439, Reply STOP to opt out',
      encoding: 'UCS-2',
      ...fields,
    },
  ]);
  await count(world, campaign);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({
    total: 5,
    fanned_out: 3,
    skipped: { stop_list: 1, no_price: 1 },
    counts: { waiting: 0, enroute: 3 },
  });
});

test('contacts added after the start are excluded, and removed contacts are counted as removed', async () => {
  const stage = await makeStage(world, crowd(10));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign, 4, 1);
  await world.kernel.db.run(sql`
    insert into contacts (account_id, audience_id, id, number, country)
    values (${stage.account_id}, ${stage.audience_id}, ${newId()}, '447499999999', 'GB')`);
  await world.kernel.db.run(sql`
    delete from contacts where account_id = ${stage.account_id}
      and number in (${crowd(10)[0]!.number}, ${crowd(10)[9]!.number})`);
  await world.kernel.db.run(sql`
    update audiences set contacts_count = 9 where account_id = ${stage.account_id} and id = ${stage.audience_id}`);
  await fanOutAll(world, campaign, 4);
  await applyCarrierStatus(world, campaign, 'sent');
  await count(world, campaign);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({
    status: 'completed',
    total: 10,
    fanned_out: 9,
    skipped: { removed: 1 },
  });
  expect(await listNumbers(campaign)).not.toContain('447499999999');
});

test('a contact does not receive a second message after being removed and added again', async () => {
  const stage = await makeStage(world, crowd(4));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign, 2, 1);
  // An import that began before the start but was committed after it has ids inside the frozen range.
  await world.kernel.db.run(sql`
    update contacts set id = (${campaign.id}::uuid) where account_id = ${stage.account_id}
      and number = ${crowd(1)[0]!.number}`);
  await world.kernel.db.run(sql`
    update campaigns set last_contact_id = ${campaign.id} where account_id = ${stage.account_id}
      and id = ${campaign.id}`);
  await fanOutAll(world, campaign, 2);
  expect(await listNumbers(campaign)).toEqual(crowd(4).map((person) => person.number));
  expect(await readCampaign(stage, campaign.id)).toMatchObject({ total: 5, fanned_out: 4, skipped: { duplicate: 1 } });
});

test('each recipient has one message and one hold after workers are killed before and after a commit', async () => {
  const stage = await makeStage(world, crowd(5_500), { balance_micros: 220_000_000 });
  const campaign = await startCampaign(stage);
  expect(await worker('before_fanout_commit:3').ended).toBe('SIGKILL');
  expect((await readCampaign(stage, campaign.id)).fanned_out).toBe(2_000);
  expect(await worker('after_fanout_commit:2').ended).toBe('SIGKILL');
  expect((await readCampaign(stage, campaign.id)).fanned_out).toBe(4_000);
  const last = worker();
  await until('fanned out', async () => (await readCampaign(stage, campaign.id)).fanned_out === 5_500);
  last.stop();
  expect(await last.ended).toBe(0);
  expect(await listNumbers(campaign)).toEqual(
    crowd(5_500)
      .map((person) => person.number)
      .sort(),
  );
  expect(await readBalance(world, stage)).toEqual({ available_micros: 0, held_micros: 220_000_000 });
});

test('several workers create each message only once, and a small campaign does not wait for a large one', async () => {
  const stages: Stage[] = [];
  for (const size of [6_000, 40, 3_000])
    stages.push(await makeStage(world, crowd(size), { balance_micros: 1_000_000_000 }));
  const [large, small, third] = stages as [Stage, Stage, Stage];
  const campaigns = [await startCampaign(large), await startCampaign(small), await startCampaign(third)];
  const loops = [startFanout(world.kernel), startFanout(world.kernel), startFanout(world.kernel)];
  const counting = startProgress(world.kernel);
  try {
    await until(
      'the small campaign is fanned out',
      async () => (await readCampaign(small, campaigns[1]!.id)).fanned_out === 40,
    );
    expect((await readCampaign(large, campaigns[0]!.id)).fanned_out).toBeLessThan(6_000);
    await until(
      'all campaigns are fanned out',
      async () =>
        (await readCampaign(large, campaigns[0]!.id)).fanned_out === 6_000 &&
        (await readCampaign(third, campaigns[2]!.id)).fanned_out === 3_000,
    );
    for (const [index, size] of [6_000, 40, 3_000].entries())
      expect(await listNumbers(campaigns[index]!)).toHaveLength(size);
    await applyCarrierStatus(world, campaigns[1]!, 'delivered');
    await until(
      'counted and completed',
      async () => (await readCampaign(small, campaigns[1]!.id)).status === 'completed',
    );
  } finally {
    await Promise.all([...loops, counting].map((loop) => loop.stop()));
  }
});

test('a campaign pauses when the balance is used up and resumes after funds are added', async () => {
  const stage = await makeStage(world, crowd(300));
  const campaign = await startCampaign(stage);
  await world.kernel.db.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, available_after_micros,
      held_after_micros)
    values (${stage.account_id}, ${newId()}, 'available', 'spent', 94000000, 'settle', 'elsewhere', 6000000, 0)`);
  await world.kernel.db.run(sql`update balances set available_micros = 6000000 where account_id = ${stage.account_id}`);
  const loop = startFanout(world.kernel);
  try {
    await until('paused', async () => (await readCampaign(stage, campaign.id)).status === 'paused');
    const paused = await readCampaign(stage, campaign.id);
    expect(paused.status_details).toBe('balance');
    // The balance covers 150 messages. The campaign pauses before the last few if they do not fill the smallest batch.
    expect(paused.fanned_out).toBeGreaterThan(140);
    expect(paused.fanned_out).toBeLessThanOrEqual(150);
    expect(await readBalance(world, stage)).toEqual({
      available_micros: 6_000_000 - paused.fanned_out * 40_000,
      held_micros: paused.fanned_out * 40_000,
    });
    const resume = () => stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
    expect((await resume()).body.errors[0].code).toBe(7909);
    await world.kernel.db.tx((tx) =>
      credit(tx, { account_id: stage.account_id, amount_micros: 20_000_000, kind: 'top_up', key: 'more' }),
    );
    expect((await resume()).status).toBe(200);
    await until('all', async () => (await readCampaign(stage, campaign.id)).fanned_out === 300);
    expect(await listNumbers(campaign)).toHaveLength(300);
  } finally {
    await loop.stop();
  }
});

test('a campaign pauses with a reason when its sender is rejected', async () => {
  const stage = await makeStage(world, crowd(20));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign, 5, 1);
  const sender = (status: string) =>
    world.kernel.db.run(sql`update senders set status = ${status} where account_id = ${stage.account_id}`);
  await sender('rejected');
  const loop = startFanout(world.kernel);
  try {
    await until('paused', async () => (await readCampaign(stage, campaign.id)).status === 'paused');
    expect(await readCampaign(stage, campaign.id)).toMatchObject({ status_details: 'sender', fanned_out: 5 });
    await sender('approved');
    await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
    await until('all', async () => (await readCampaign(stage, campaign.id)).fanned_out === 20);
  } finally {
    await loop.stop();
  }
});

test('a campaign stops after repeated internal errors, and a resume reaches every recipient', async () => {
  const stage = await makeStage(world, crowd(20));
  const campaign = await startCampaign(stage);
  await world.kernel.db.run(sql`
    alter table messages add constraint broken check ("to" <> ${raw(`'${crowd(20)[12]!.number}'`)}) not valid`);
  const loop = startFanout(world.kernel, 2);
  const repair = () => world.kernel.db.run(sql`alter table messages drop constraint if exists broken`);
  try {
    await until('stopped', async () => (await readCampaign(stage, campaign.id)).status === 'error');
    expect(await readCampaign(stage, campaign.id)).toMatchObject({ status_details: 'internal', fanned_out: 0 });
    expect((await readBalance(world, stage)).held_micros).toBe(0);
    await repair();
    expect((await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' })).status).toBe(200);
    await until('all', async () => (await readCampaign(stage, campaign.id)).fanned_out === 20);
  } finally {
    await repair();
    await loop.stop();
  }
});

test('the fan-out waits while the campaign’s queue is full', async () => {
  const stage = await makeStage(world, crowd(30));
  const campaign = await startCampaign(stage);
  await world.kernel.db.run(sql`
    update campaigns set fanned_out = 20000, total = 20030 where account_id = ${stage.account_id}
      and id = ${campaign.id}`);
  expect(await fanOut(world.kernel, campaign)).toBe('full');
  await world.kernel.db.run(sql`
    update campaigns set fanned_out = 0, total = 30 where account_id = ${stage.account_id} and id = ${campaign.id}`);
  expect(await fanOut(world.kernel, campaign)).toBe('done');
});

test('each recipient has exactly one message after pauses and resumes during the fan-out', async () => {
  const stage = await makeStage(world, crowd(3_000), { balance_micros: 1_000_000_000 });
  const campaign = await startCampaign(stage);
  const loops = [startFanout(world.kernel), startFanout(world.kernel)];
  try {
    for (let attempt = 0; attempt < 12; attempt++) {
      await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: attempt % 2 ? 'in_progress' : 'paused' });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    }
    await until('all', async () => (await readCampaign(stage, campaign.id)).fanned_out === 3_000);
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()));
  }
  expect(await listNumbers(campaign)).toEqual(
    crowd(3_000)
      .map((person) => person.number)
      .sort(),
  );
  const free = await world.kernel.db.rows(sql`
    select 1 from dispatch where account_id = ${stage.account_id} and not_before = 'infinity'`);
  expect(free).toEqual([]);
});
