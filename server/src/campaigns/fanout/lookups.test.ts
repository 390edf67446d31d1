/** Tests campaigns that look up the numbers of their recipients before they send. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { endLateLookups, runLookups } from '../../lookups/jobs.ts';
import {
  broken,
  campaignDraft,
  crowd,
  fanOutAll,
  makeStage,
  readBalance,
  readCampaign,
  type Stage,
  startCampaign,
} from '../../test/campaigns.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, type SandboxProcess, startSandbox, until, type World } from '../../test/world.ts';

const LOOKUP = 5_000;
const MESSAGE = 40_000;
const FIRST = { safety: { lookup: true } };

let folder: string;
let sandbox: SandboxProcess;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-campaign-lookups-'));
  sandbox = await startSandbox(folder);
  const PORT = String(await freePort());
  world = await createWorld({
    role: 'api',
    settings: {
      PORT,
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      LOOKUP_PROVIDER: 'infobip',
      LOOKUP_URL: `${sandbox.url}/infobip`,
      LOOKUP_SECRET: 'sandbox',
    },
  });
});
afterAll(async () => {
  expect(await broken(world)).toEqual([]);
  await world.stop();
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

const readLookup = async (stage: Stage, id: string) => (await readCampaign(stage, id)).safeguards.lookup;
const listBulks = async (stage: Stage) => (await stage.caller.get('/v1/bulk-lookups')).body.data;
const countMessages = async ({ account_id }: Stage) =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from messages where account_id = ${account_id}`,
    )
  ).count;

/** Sends the numbers to the provider, and waits for its callbacks. */
async function completeLookup(stage: Stage, id: string): Promise<void> {
  const { bulk_lookup_id: bulk_id } = (await readLookup(stage, id))!;
  await runLookups(world.kernel, { account_id: stage.account_id, bulk_id, id: null }, new AbortController().signal);
  await until('the lookup is completed', async () => (await readLookup(stage, id))?.status === 'completed');
  await world.kernel.db.run(sql`update campaigns set fanout_date = null where account_id = ${stage.account_id}`);
}

test('landlines and numbers that are not in use get no message, and known results are free', async () => {
  // The sandbox decides by the last two digits: 00 is not in use, 01 is a landline, and 02 is unknown.
  const stage = await makeStage(world, crowd(10), { balance_micros: 1_000_000 });
  const draft = campaignDraft(stage);
  const preview = async () => (await stage.caller.post('/v1/campaign_previews', { ...draft, lookup: true })).body.data;
  expect((await stage.caller.post('/v1/campaign_previews', draft)).body.data.lookups).toBeNull();
  expect(await preview()).toMatchObject({
    counts: { will_receive: 10, landline: 0, not_in_use: 0 },
    total_micros: 10 * MESSAGE,
    lookups: { numbers: 10, price_micros: LOOKUP, cost_micros: 10 * LOOKUP },
  });
  const campaign = await startCampaign(stage, FIRST);
  expect(campaign.safety.lookup).toBe(true);
  expect(await readBalance(world, stage)).toMatchObject({ held_micros: 10 * LOOKUP });
  await fanOutAll(world, campaign);
  expect(await countMessages(stage)).toBe(0);
  await completeLookup(stage, campaign.id);
  await fanOutAll(world, campaign);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({
    total: 10,
    fanned_out: 8,
    skipped: { landline: 1, not_in_use: 1 },
    safeguards: { lookup: { status: 'completed', done: 10, total: 10 } },
  });
  const skips = await stage.caller.get(`/v1/campaigns/${campaign.id}/skips?filter[reason]=landline`);
  expect(skips.body.data).toHaveLength(1);
  expect(await readBalance(world, stage)).toEqual({
    available_micros: 1_000_000 - 9 * LOOKUP - 8 * MESSAGE,
    held_micros: 8 * MESSAGE,
  });
  // Only the unknown number is looked up again.
  expect(await preview()).toMatchObject({
    counts: { will_receive: 8, landline: 1, not_in_use: 1 },
    lookups: { numbers: 1 },
  });
  const rehearsal = await stage.caller.post('/v1/campaign_rehearsals', { ...draft, lookup: true, reason: 'landline' });
  expect(rehearsal.body.data).toMatchObject({ excluded_total: 1, excluded: [{ reason: 'landline' }] });
});

test('the account settings determine the lookups of new campaigns, unless a campaign overrides them', async () => {
  const stage = await makeStage(world, crowd(3), { balance_micros: 1_000_000 });
  const { caller } = stage;
  const change = (body: object) => caller.put('/v1/accounts/self', body);
  const create = async (fields: object = {}) =>
    (await caller.post('/v1/campaigns', { ...campaignDraft(stage), start: false, ...fields })).body.data.safety;
  expect(await create()).toMatchObject({ lookup: false, lookup_countries: null });

  expect((await change({ mnp_check: true, mnp_countries: ['FR', 'DE', 'FR'] })).body.data).toMatchObject({
    ...{ hlr_check: false, mnp_check: true, mnp_countries: ['FR', 'DE'] },
  });
  expect(await create()).toMatchObject({ lookup: true, lookup_countries: ['FR', 'DE'] });
  expect(await create({ safety: { lookup: false } })).toMatchObject({ lookup: false });
  const limits = { failed_percent: 10, opt_out_percent: null, complaint_percent: null };
  expect(await create({ safety: { limits } })).toMatchObject({ limits, lookup: true, lookup_countries: ['FR', 'DE'] });
  await change({ hlr_check: true });
  expect(await create()).toMatchObject({ lookup: true, lookup_countries: null });
  for (const mnp_countries of [['XX'], 'DE', [1]])
    expect((await change({ mnp_countries })).status, JSON.stringify(mnp_countries)).toBe(400);
  await change({ hlr_check: false, mnp_check: false });
  expect(await create()).toMatchObject({ lookup: false });
});

test('only numbers of the chosen countries are looked up', async () => {
  // The numbers that end in 00 and 01 are not in use and landlines, but not looked up.
  const stage = await makeStage(world, crowd(5), { balance_micros: 1_000_000 });
  const preview = async (lookup_countries: string[]) =>
    (await stage.caller.post('/v1/campaign_previews', { ...campaignDraft(stage), lookup: true, lookup_countries })).body
      .data;
  expect(await preview(['FR'])).toMatchObject({ counts: { will_receive: 5 }, lookups: { numbers: 0 } });
  expect((await preview(['FR', 'GB'])).lookups.numbers).toBe(5);
  const campaign = await startCampaign(stage, { safety: { lookup: true, lookup_countries: ['FR'] } });
  await fanOutAll(world, campaign);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({
    ...{ total: 5, fanned_out: 5, skipped: {}, safeguards: { lookup: null } },
  });
});

test('pausing the campaign pauses its lookups, and canceling it releases their holds', async () => {
  const stage = await makeStage(world, crowd(10), { balance_micros: 1_000_000 });
  const { id } = await startCampaign(stage, FIRST);
  const move = (status: string) => stage.caller.put(`/v1/campaigns/${id}`, { status });
  expect((await move('paused')).status).toBe(200);
  expect((await readLookup(stage, id))?.status).toBe('paused');
  expect((await move('in_progress')).status).toBe(200);
  expect((await readLookup(stage, id))?.status).toBe('in_progress');
  expect((await move('canceled')).status).toBe(200);
  expect(await readLookup(stage, id)).toMatchObject({ status: 'completed', total: 0 });
  expect(await readBalance(world, stage)).toEqual({ available_micros: 1_000_000, held_micros: 0 });
});

test('a campaign whose bulk lookup is deleted sends without it', async () => {
  const stage = await makeStage(world, crowd(3), { balance_micros: 1_000_000 });
  const campaign = await startCampaign(stage, FIRST);
  const { bulk_lookup_id } = (await readLookup(stage, campaign.id))!;
  expect((await stage.caller.delete(`/v1/bulk-lookups/${bulk_lookup_id}`)).status).toBe(204);
  await fanOutAll(world, campaign);
  expect(await readCampaign(stage, campaign.id)).toMatchObject({ fanned_out: 3, safeguards: { lookup: null } });
});

test('a campaign does not start if the balance covers its messages, but not its lookups', async () => {
  const stage = await makeStage(world, crowd(10), { balance_micros: 10 * MESSAGE + 9 * LOOKUP });
  const reply = await stage.caller.post('/v1/campaigns', campaignDraft(stage, FIRST));
  expect(reply.body.errors[0].code).toBe(7909);
  expect(await listBulks(stage)).toEqual([]);
  const preview = await stage.caller.post('/v1/campaign_previews', { ...campaignDraft(stage), lookup: true });
  expect(preview.body.data.blockers.map(({ code }: { code: string }) => code)).toEqual(['balance']);
  expect((await stage.caller.post('/v1/campaigns', campaignDraft(stage))).status).toBe(201);
});

test('a bulk lookup continues after its provider was not reachable for a long time', async () => {
  const stage = await makeStage(world, crowd(3), { balance_micros: 1_000_000 });
  const { id } = await startCampaign(stage, FIRST);
  const { account_id } = stage;
  // The state after the last retry of the job.
  const { db } = world.kernel;
  await db.run(sql`delete from pgboss.job where name = 'lookups.run' and data ->> 'account_id' = ${account_id}`);
  await db.run(sql`update bulk_lookups set update_date = now() - interval '1 hour' where account_id = ${account_id}`);
  await endLateLookups(world.kernel);
  const worker = await startWorkerProcess(world);
  await until('the messages are created', async () => (await readCampaign(stage, id)).fanned_out > 0);
  await worker.stop();
});

test('a worker that is killed while it looks up numbers neither charges nor sends twice', async () => {
  const stage = await makeStage(world, crowd(300), { balance_micros: 20_000_000 });
  const { id } = await startCampaign(stage, FIRST);
  const worker = await startWorkerProcess(world);
  await until('numbers are sent', async () => (await readLookup(stage, id))!.done > 0);
  worker.signal('SIGKILL');
  await worker.ended;
  // A request that died with the worker has no result. The sweep ends it.
  await world.kernel.db.run(sql`
    update number_lookups set sent_date = now() - interval '11 minutes'
    where account_id = ${stage.account_id} and status = 'sent'`);
  await endLateLookups(world.kernel);
  const last = await startWorkerProcess(world);
  await until('all contacts are decided', async () => {
    const { fanned_out, skipped, total } = await readCampaign(stage, id);
    return fanned_out + Object.values(skipped).reduce((sum, count) => sum + count, 0) === total;
  });
  await last.stop();
  const [bulk] = await listBulks(stage);
  expect(bulk).toMatchObject({ status: 'completed', done: 300, total: 300 });
  const { fanned_out, skipped } = await readCampaign(stage, id);
  expect({ landline: bulk.landline, not_in_use: bulk.bad }).toEqual(skipped);
  expect(fanned_out).toBe(300 - bulk.landline - bulk.bad);
  expect(bulk.cost_micros).toBe((300 - bulk.unknown) * LOOKUP);
});
