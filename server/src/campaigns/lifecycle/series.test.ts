/** Tests repeating campaigns, with a clock that the tests advance. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { nextRuns } from '@parley/contract/campaigns/repeat_times.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { broken, campaignDraft, crowd, makeStage, type Stage, startCampaign } from '../../test/campaigns.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { getCampaign, updateCampaign } from '../campaigns.ts';
import { listRunTimes } from '../model/run_times.ts';
import { startDue } from './schedule.ts';
import { skipRun } from './series.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** New IDs follow the system clock, so the test clock begins with it. */
const clock = heldClock(new Date());

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
});

const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
/** The sessions of the callers expire when the clock advances. */
const read = ({ account_id, id }: Campaign) => getCampaign(world.kernel.db, account_id, id);
const setStatus = ({ account_id, id }: Campaign, status: 'paused' | 'in_progress' | 'canceled') =>
  world.kernel.db.tx((tx) =>
    updateCampaign(tx, world.kernel, { account_id, user_id: null, key_id: null }, id, { status }),
  );
const listRuns = ({ account_id, id }: Campaign) =>
  world.kernel.db.rows<{ name: string; status: string; status_details: string | null; run_date: string }>(sql`
    select name, status, status_details, to_char(run_date, 'YYYY-MM-DD HH24:MI:SS') as run_date from campaigns
    where account_id = ${account_id} and series_id = ${id} order by run_date`);

let stage: Stage;
async function startSeries(repeat: Record<string, unknown>, at: number, overrides: Record<string, unknown> = {}) {
  stage = await makeStage(world, crowd(3));
  const reply = await startCampaign(stage, { name: 'News', schedule: wire(at), repeat, ...overrides });
  return reply;
}

test('each run of a daily campaign starts once, as a separate campaign, until the last one', async () => {
  const first = clock.now().getTime() + HOUR;
  const series = await startSeries({ every: 'day', count: 3 }, first);
  expect(series).toMatchObject({ status: 'scheduled', next_runs: [0, 1, 2].map((day) => wire(first + day * DAY)) });
  const strange = world.as((await makeStage(world, [])).token);
  expect((await strange.post(`/v1/campaigns/${series.id}/skips`, { schedule: wire(first) })).status).toBe(404);
  clock.advance(HOUR + 1_000);
  await Promise.all([startDue(world.kernel), startDue(world.kernel)]);
  await startDue(world.kernel);
  expect(await listRuns(series)).toMatchObject([{ status: 'in_progress', run_date: wire(first) }]);
  expect((await listRuns(series))[0]!.name).toBe(`News ${wire(first).slice(0, 10)}`);
  clock.advance(DAY);
  await startDue(world.kernel);
  clock.advance(DAY);
  await startDue(world.kernel);
  expect(await listRuns(series)).toHaveLength(3);
  expect(await read(series)).toMatchObject({ status: 'completed', next_runs: [] });
});

test('a user skips the next run once, pauses and resumes the series, and ends it', async () => {
  const first = clock.now().getTime() + HOUR;
  const series = await startSeries({ every: 'day' }, first);
  const skip = (at: number) => world.kernel.db.tx((tx) => skipRun(tx, series.account_id, series.id, wire(at)));
  expect((await skip(first)).next_runs[0]).toBe(wire(first + DAY));
  await expect(skip(first)).rejects.toMatchObject({ name: 'CAMPAIGN_SKIP_NOT_ALLOWED' });
  await setStatus(series, 'paused');
  clock.advance(3 * DAY);
  await startDue(world.kernel);
  expect(await listRuns(series)).toEqual([]);
  expect(await setStatus(series, 'in_progress')).toMatchObject({
    status: 'scheduled',
    next_runs: expect.arrayContaining([wire(first + 3 * DAY)]),
  });
  expect((await setStatus(series, 'canceled')).next_runs).toEqual([]);
  clock.advance(3 * DAY);
  await startDue(world.kernel);
  expect(await listRuns(series)).toEqual([]);
});

test('a run that cannot start is paused with the reason, and the series continues', async () => {
  const first = clock.now().getTime() + HOUR;
  const series = await startSeries({ every: 'day' }, first);
  await world.kernel.db.run(sql`update senders set status = 'rejected' where account_id = ${stage.account_id}`);
  clock.advance(HOUR + 1_000);
  await startDue(world.kernel);
  await startDue(world.kernel);
  expect(await listRuns(series)).toMatchObject([{ status: 'paused', status_details: 'sender' }]);
  expect(await read(series)).toMatchObject({ status: 'scheduled', schedule: wire(first + DAY) });
});

test('after an outage, the series leaves out the missed runs, or pauses', async () => {
  const first = clock.now().getTime() + HOUR;
  const skipping = await startSeries({ every: 'day' }, first, { timing: { missed_schedule: 'skip' } });
  const pausing = await startSeries({ every: 'day' }, first);
  clock.advance(2 * DAY + 3 * HOUR);
  await startDue(world.kernel);
  expect(await listRuns(skipping)).toEqual([]);
  expect(await read(skipping)).toMatchObject({ status: 'scheduled', schedule: wire(first + 3 * DAY) });
  expect(await read(pausing)).toMatchObject({ status: 'paused', status_details: 'missed_schedule' });
});

test('runs keep their time on the account’s clock when daylight saving time begins and ends', () => {
  const series = { every: 'day', interval: 1, days: [], until: null, count: null } as const;
  const row = {
    ...{ repeat: { ...series, days: [] }, account_zone: 'Europe/Berlin', schedule: null },
    repeat_date: '2027-03-26 01:30:00',
  };
  const times = (from: string) => listRunTimes(row, new Date(from), 4).map((time) => time.toISOString().slice(0, 16));
  // 02:30 does not exist on March 28, and occurs twice on October 31.
  expect(times('2027-03-26T01:30:00Z')).toEqual([
    ...['2027-03-26T01:30', '2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'],
  ]);
  expect(times('2027-03-28T01:30:00Z')[0]).toBe('2027-03-28T01:30');
  expect(times('2027-10-30T00:30:00Z')).toEqual([
    ...['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30', '2027-11-02T01:30'],
  ]);
});

test('weekly campaigns run on their weekdays, and monthly ones on the last day of shorter months', () => {
  const repeat = { every: 'week', interval: 2, days: [5, 1], until: null, count: null } as const;
  const days = (times: number[]) => times.map((time) => new Date(time).toISOString().slice(0, 10));
  const wednesday = Date.parse('2027-01-06T09:00:00Z');
  expect(days(nextRuns({ ...repeat, days: [5, 1] }, wednesday, wednesday, 4))).toEqual([
    ...['2027-01-08', '2027-01-18', '2027-01-22', '2027-02-01'],
  ]);
  const last = Date.parse('2027-01-31T09:00:00Z');
  const monthly = { ...repeat, every: 'month', interval: 1, days: [], until: '2027-04-30' } as const;
  expect(days(nextRuns({ ...monthly, days: [] }, last, last, 9))).toEqual([
    ...['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
  ]);
});

test('invalid repeats are refused', async () => {
  const own = await makeStage(world, crowd(1));
  const refuse = async (overrides: Record<string, unknown>) =>
    (await own.caller.post('/v1/campaigns', campaignDraft(own, overrides))).body.errors[0].code;
  const schedule = wire(clock.now().getTime() + HOUR);
  expect(await refuse({ repeat: { every: 'day' } })).toBe(2374);
  expect(await refuse({ schedule, repeat: { every: 'year' } })).toBe(2374);
  expect(await refuse({ schedule, repeat: { every: 'day', days: [1] } })).toBe(2374);
  expect(await refuse({ schedule, repeat: { every: 'day', until: '2020-01-01' } })).toBe(2374);
  expect(await refuse({ schedule, repeat: { every: 'day', until: '2030-02-31' } })).toBe(2374);
  expect(await refuse({ schedule, repeat: { every: 'day', until: '2030-02-29' } })).toBe(2374);
  expect(await refuse({ schedule: '2020-01-01 00:00:00', repeat: { every: 'day' } })).toBe(1522);
});

test('a run starts once when the worker is killed at its start and two workers follow', async () => {
  const own = await createWorld({ role: 'api' });
  try {
    const place = await makeStage(own, crowd(3));
    const soon = wire(Date.now() + HOUR);
    const series = await startCampaign(place, { schedule: soon, repeat: { every: 'day' } });
    await own.kernel.db.run(sql`
      update campaigns set schedule = now() - interval '1 minute', due_date = now() - interval '1 minute',
        repeat_date = now() - interval '1 minute'
      where id = ${series.id}`);
    const runs = () => own.kernel.db.rows(sql`select 1 from campaigns where series_id = ${series.id}`);
    const killed = await startWorkerProcess(own, { FAILPOINT: 'before_run_commit' });
    expect((await killed.ended).signal).toBe('SIGKILL');
    expect(await runs()).toEqual([]);
    const workers = await Promise.all([startWorkerProcess(own), startWorkerProcess(own)]);
    await until('the run has started', async () => (await runs()).length > 0);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await runs()).toHaveLength(1);
    expect(await broken(own)).toEqual([]);
  } finally {
    await own.stop();
  }
});
