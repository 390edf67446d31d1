/** Tests when the contacts of a campaign get their messages, with a clock that the tests advance. */

import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import {
  applyCarrierStatus,
  broken,
  campaignDraft,
  count,
  crowd,
  fanOutAll,
  makeStage,
  readBalance,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { createWorld, type World } from '../../test/world.ts';
import { getCampaign, updateCampaign } from '../campaigns.ts';
import { runCancelQueued } from '../lifecycle/cancel.ts';
import { startDue } from '../lifecycle/schedule.ts';

const HOUR = 3_600_000;
/** Monday at noon, UTC. */
const NOON = new Date(
  Math.ceil((Date.now() - 4 * 24 * HOUR) / (7 * 24 * HOUR)) * 7 * 24 * HOUR + 4 * 24 * HOUR + 12 * HOUR,
);
const clock = heldClock(NOON);

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const wire = (hours: number) =>
  new Date(clock.now().getTime() + hours * HOUR).toISOString().slice(0, 19).replace('T', ' ');

/** Sets the time zone of each contact of the stage. */
async function setZones(stage: Stage, zones: readonly string[]): Promise<void> {
  for (const [index, timezone] of zones.entries())
    await world.kernel.db.run(sql`
      insert into people (account_id, id, number, country, timezone)
      values (${stage.account_id}, ${newId()}, ${crowd(zones.length)[index]!.number}, 'GB', ${timezone})
      on conflict (account_id, number) do update set timezone = excluded.timezone`);
}

/** The sessions of the callers expire when the clock advances. */
const read = ({ account_id, id }: Campaign) => getCampaign(world.kernel.db, account_id, id);
const setStatus = ({ account_id, id }: Campaign, status: 'paused' | 'in_progress' | 'canceled') =>
  world.kernel.db.tx((tx) =>
    updateCampaign(tx, world.kernel, { account_id, user_id: null, key_id: null }, id, { status }),
  );

async function advance(campaign: Campaign, hours: number): Promise<Campaign> {
  clock.advance(hours * HOUR);
  await startDue(world.kernel);
  await fanOutAll(world, campaign);
  return read(campaign);
}

const listNumbers = async (campaign: Campaign) =>
  (
    await world.kernel.db.rows<{ number: string }>(sql`
      select number from messages where account_id = ${campaign.account_id} and campaign_id = ${campaign.id}
      order by create_date, number`)
  ).map(({ number }) => number);

async function complete(campaign: Campaign): Promise<Campaign> {
  await applyCarrierStatus(world, campaign, 'sent');
  await count(world, campaign);
  return read(campaign);
}

test('contacts get the message at the same local time, and the stop list applies at that time', async () => {
  const stage = await makeStage(world, crowd(4));
  await setZones(stage, ['UTC', 'Asia/Dubai', 'Asia/Tokyo', 'America/New_York']);
  const [utc, dubai, tokyo, york] = crowd(4).map(({ number }) => number);
  const campaign = await startCampaign(stage, { schedule: wire(24), timing: { local_time: true } });
  expect((await advance(campaign, 9)).status).toBe('scheduled');
  const started = await advance(campaign, 2);
  expect(started).toMatchObject({ status: 'in_progress', total: 4, fanned_out: 0, counts: { waiting: 4 } });
  expect(started.waits.slice(0, 3)).toEqual([4, 9, 13].map((hours) => ({ until: wire(hours), recipients: 1 })));
  await advance(campaign, 4);
  expect(await listNumbers(campaign)).toEqual([tokyo]);
  expect(await readBalance(world, stage)).toEqual({ available_micros: 99_960_000, held_micros: 40_000 });
  await setStatus(campaign, 'paused');
  await world.kernel.db.run(sql`
    insert into stop_list (account_id, id, number, reason)
    values (${stage.account_id}, ${newId()}, ${dubai}, 'manual')`);
  await advance(campaign, 6);
  expect(await listNumbers(campaign)).toEqual([tokyo]);
  await setStatus(campaign, 'in_progress');
  await advance(campaign, 3);
  expect(await listNumbers(campaign)).toEqual([tokyo, utc]);
  await advance(campaign, 6);
  expect(await listNumbers(campaign)).toEqual([tokyo, utc, york]);
  expect(await complete(campaign)).toMatchObject({ status: 'completed', skipped: { stop_list: 1 }, waits: [] });
});

test('contacts outside the delivery window wait for the next one, even if it closes first', async () => {
  const stage = await makeStage(world, crowd(5));
  await setZones(stage, ['UTC', 'UTC', 'UTC', 'UTC', 'Asia/Tokyo']);
  const from = clock.now().toISOString().slice(11, 16);
  const until = `${String(clock.now().getUTCHours() + 1).padStart(2, '0')}${from.slice(2)}`;
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from, until }];
  const campaign = await startCampaign(stage, { timing: { windows } });
  await fanOutAll(world, campaign, 2, 1);
  expect(await advance(campaign, 2)).toMatchObject({
    fanned_out: 2,
    waits: [
      { until: wire(13), recipients: 1 },
      { until: wire(22), recipients: 2 },
    ],
  });
  expect((await advance(campaign, 14.5)).waits).toEqual([
    { until: wire(7.5), recipients: 2 },
    { until: wire(22.5), recipients: 1 },
  ]);
  const { windows: stored } = await world.kernel.db.one<{ windows: string }>(sql`
    select windows::text from dispatch where account_id = ${stage.account_id} limit 1`);
  expect(stored.match(/\[/g)).toHaveLength(6);
  await advance(campaign, 7.5);
  expect((await listNumbers(campaign)).length).toBe(4);
  await advance(campaign, 15);
  expect((await listNumbers(campaign)).length).toBe(5);
  expect((await complete(campaign)).status).toBe('completed');
});

test('a canceled campaign skips the contacts who waited', async () => {
  const stage = await makeStage(world, crowd(3));
  const day = ((clock.now().getUTCDay() + 2) % 7) + 1;
  const campaign = await startCampaign(stage, {
    timing: { windows: [{ days: [day], from: '09:00', until: '10:00' }] },
  });
  await fanOutAll(world, campaign);
  expect((await read(campaign)).counts.waiting).toBe(3);
  expect(await setStatus(campaign, 'canceled')).toMatchObject({
    status: 'canceled',
    skipped: { canceled: 3 },
    waits: [],
  });
  await runCancelQueued(world.kernel, campaign);
  expect(await world.kernel.db.rows(sql`select from campaign_waits where campaign_id = ${campaign.id}`)).toEqual([]);
  expect(await read(campaign)).toMatchObject({ skipped: { canceled: 3 }, lists_canceled: true });
});

test('a rate spaces the messages evenly, and a pause is not caught up', async () => {
  const stage = await makeStage(world, crowd(10));
  const campaign = await startCampaign(stage, { timing: { rate: { messages: 2, per: 'second' } } });
  const readGaps = async () => {
    const rows = await world.kernel.db.rows<{ ms: number }>(sql`
      select (extract(epoch from not_before) * 1000)::bigint as ms from dispatch
      where account_id = ${stage.account_id} order by not_before`);
    return rows.map(({ ms }) => ms - rows[0]!.ms);
  };
  await fanOutAll(world, campaign);
  expect(await readGaps()).toEqual([0, 500]);
  await advance(campaign, 1 / 3_600);
  expect(await readGaps()).toEqual([0, 500, 1_000, 1_500]);
  await setStatus(campaign, 'paused');
  await advance(campaign, 1);
  await setStatus(campaign, 'in_progress');
  await fanOutAll(world, campaign);
  expect((await read(campaign)).fanned_out).toBe(6);
  const spread = await startCampaign(await makeStage(world, crowd(36)), { timing: { spread_hours: 1 } });
  await fanOutAll(world, spread);
  expect((await advance(spread, 99 / 3_600)).fanned_out).toBe(1);
  expect((await advance(spread, 1 / 3_600)).fanned_out).toBe(2);
});

test.each([
  ['pause', 'paused', 'missed_schedule'],
  ['send', 'in_progress', null],
  ['skip', 'canceled', 'missed_schedule'],
])('a campaign that could not start for two hours follows its policy: %s', async (missed_schedule, status, reason) => {
  const stage = await makeStage(world, crowd(2));
  const campaign = await startCampaign(stage, { schedule: wire(1), timing: { missed_schedule } });
  expect(await advance(campaign, 3)).toMatchObject({ status, status_details: reason });
});

test('invalid timing is refused with the field', async () => {
  const stage = await makeStage(world, crowd(1));
  const refusal = async (timing: object) => {
    const { status, body } = await stage.caller.post('/v1/campaigns', { ...campaignDraft(stage), timing });
    return [status, body.errors?.[0].code];
  };
  const day = { from: '09:00', until: '18:00' };
  expect(await refusal({ windows: [{ ...day, days: [] }] })).toEqual([400, 2304]);
  expect(await refusal({ windows: [{ ...day, days: [8] }] })).toEqual([400, 2304]);
  expect(await refusal({ windows: [{ days: [1], from: '18:00', until: '09:00' }] })).toEqual([400, 2304]);
  expect(await refusal({ rate: { messages: 0, per: 'hour' } })).toEqual([400, 2305]);
  expect(await refusal({ rate: { messages: 1_001, per: 'second' } })).toEqual([400, 2305]);
  expect(await refusal({ rate: { messages: 1, per: 'second' }, spread_hours: 2 })).toEqual([400, 2306]);
  expect(await refusal({ local_time: true })).toEqual([400, 2308]);
});
