/** Promotes a real streaming replica with asynchronous replication in the middle of a campaign. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { readEpoch } from '../../kernel/epoch/epoch.ts';
import { crowd, makeStage, readCampaign, startCampaign } from '../../test/campaigns.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { type Pair, startPair } from '../../test/database/replica.ts';
import { makeCarrier, makeCompany } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';

const CONTACTS = 240;
const PER_SECOND = 40;
/** Long enough for a busy machine. */
const LONG_MS = 200_000;

let pair: Pair;
let world: World;
let carrier: Carrier;
beforeEach(async () => {
  pair = await startPair();
  world = await createWorld({ sandbox: true, connect: async () => ({ DATABASE_URL: pair.url }) });
  carrier = openCarrier(world);
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, settings: { throughput: PER_SECOND } });
}, 240_000);
afterEach(async () => {
  await world?.stop();
  await pair?.stop();
}, 120_000);

const countAccepted = async () => (await carrier.accepted()).length;
/** The database cannot be reached for a moment after the failover. */
const readState = () =>
  readEpoch(world.kernel.db).then(
    ({ state, epoch }) => `${state} ${epoch}`,
    () => 'unreachable',
  );
/** Waits until the worker has checked the database a few times, after which it no longer expects the ended binds. */
async function nextChecks(count: number): Promise<void> {
  const read = async () =>
    (await world.kernel.db.one<{ date: string }>(sql`select seen_date::text as date from database_epoch`)).date;
  for (let check = 0; check < count; check++) {
    const before = await read();
    await until('the database is checked', async () => (await read()) !== before, LONG_MS);
  }
}
const isDone = async () => (await world.kernel.db.rows(sql`select from dispatch limit 1`)).length === 0;
const findFailures = async () => (await world.examine()).filter(({ ok }) => !ok);

test('sending is held and second messages are marked when the promoted replica lacks commits', async () => {
  const operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  const stage = await makeStage(world, crowd(CONTACTS, 5_000_000), { balance_micros: 500_000_000 });
  const campaign = await startCampaign(stage);
  await until('some messages have arrived', async () => (await countAccepted()) > CONTACTS / 8, LONG_MS);
  await pair.cut();
  const known = await countAccepted();
  await until(
    'messages have arrived that the replica misses',
    async () => (await countAccepted()) > known + 30,
    LONG_MS,
  );
  await pair.failOver();
  await until('sending is held', async () => (await readState()) === 'held 2', LONG_MS);

  const before = await countAccepted();
  expect(before).toBeLessThan(CONTACTS);
  const { data: hold } = (await operator.get('/v1/sending_hold')).body;
  expect(hold).toMatchObject({ state: 'held', cause: 'failover' });
  expect(hold.connections[0].remaining).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await countAccepted()).toBe(before);

  expect((await operator.post('/v1/sending_hold/decisions', { decision: 'send' })).status).toBe(200);
  await until('the hold ends', async () => (await readState()) === 'open 2', LONG_MS);
  if ((await readCampaign(stage, campaign.id)).status === 'paused')
    await stage.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
  await until('everything is sent', async () => (await isDone()) && (await countAccepted()) >= CONTACTS, LONG_MS);
  const arrivals = Map.groupBy(await carrier.accepted(), ({ to }) => to);
  expect(arrivals.size).toBe(CONTACTS);
  const twice = [...arrivals].filter(([, all]) => all.length > 1).map(([number]) => number);
  const marked = await world.kernel.db.rows<{ number: string }>(sql`
    select number from messages where possible_duplicate`);
  expect(twice.length).toBeGreaterThan(0);
  expect(twice.filter((number) => !marked.some((row) => row.number === number))).toEqual([]);
  expect([...arrivals.values()].every((all) => all.length <= 2)).toBe(true);
  expect(await findFailures()).toEqual([]);
}, 600_000);

test('sending resumes and each phone gets one message when the promoted replica has every commit', async () => {
  const stage = await makeStage(world, crowd(CONTACTS / 4, 6_000_000), { balance_micros: 500_000_000 });
  await startCampaign(stage);
  await until('some messages have arrived', async () => (await countAccepted()) > CONTACTS / 16, LONG_MS);
  await world.kernel.db.run(sql`update connections set enabled = false, update_date = now()`);
  const isIdle = async () =>
    (await world.kernel.db.rows(sql`select from dispatch where stage = 'submitting' limit 1`)).length === 0;
  await until('nothing is being submitted', isIdle, LONG_MS);
  await nextChecks(2);
  await pair.failOverWithoutLoss();
  await until('sending has resumed', async () => (await readState()) === 'open 2', LONG_MS);
  await world.kernel.db.run(sql`update connections set enabled = true, update_date = now()`);
  await until('everything is sent', async () => (await isDone()) && (await countAccepted()) >= CONTACTS / 4, LONG_MS);
  const arrivals = Map.groupBy(await carrier.accepted(), ({ to }) => to);
  expect([...arrivals.values()].map((all) => all.length)).toEqual(new Array(CONTACTS / 4).fill(1));
  expect(await findFailures()).toEqual([]);
}, 600_000);
