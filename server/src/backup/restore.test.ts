/** Restores a backup from the middle of a campaign, and expects no unmarked duplicates. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createKernel, startApp } from '../app.ts';
import { examine } from '../doctor/doctor.ts';
import { sql } from '../kernel/db/db.ts';
import { loadConfig } from '../kernel/settings/config.ts';
import { crowd, makeStage, readCampaign, type Stage, startCampaign } from '../test/campaigns.ts';
import { type Carrier, openCarrier } from '../test/carrier.ts';
import { type Clone, createEmptyDatabase } from '../test/database/clone.ts';
import { type Company, makeCarrier, makeCompany } from '../test/make.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { type Caller, createWorld, freePort, until, type World } from '../test/world.ts';
import { restoreBackup, verifyBackup } from './restore.ts';
import { writeBackup } from './write.ts';

const CONTACTS = 2_000;
/** Long enough for a busy machine. */
const LONG_MS = 200_000;

let world: World;
let carrier: Carrier;
let folder: string;
let target: Clone;
let restored: App;
let stage: Stage;
let operators: Company;

beforeAll(async () => {
  world = await createWorld({ role: 'api', sandbox: true });
  carrier = openCarrier(world);
  folder = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  target = await createEmptyDatabase();
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, settings: { throughput: 400 } });
  operators = await makeCompany(world.kernel, { operator: true });
}, 60_000);
afterAll(async () => {
  await restored?.stop();
  await world?.stop();
  await target?.drop();
  await rm(folder, { recursive: true, force: true });
});

const countAccepted = async () => (await carrier.accepted()).length;
const findFailures = async () => (await examine(restored.kernel.db)).filter(({ ok }) => !ok);
const backup = () => join(folder, 'backup');

/** Starts Parley on the restored database. */
async function startRestored(): Promise<{ operator: Caller; customer: Stage }> {
  const settings = { ...world.settings, ROLE: 'all', DATABASE_URL: target.url, PORT: String(await freePort()) };
  const kernel = await createKernel(loadConfig(settings), { url: target.url });
  restored = await startApp(kernel);
  const as = (token: string): Caller => {
    const send = async (method: string, path: string, data?: unknown) => {
      const response = await fetch(`http://127.0.0.1:${settings.PORT}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(data ? { 'content-type': 'application/json' } : {}) },
        ...(data ? { body: JSON.stringify({ data }) } : {}),
      });
      return { status: response.status, body: await response.json() };
    };
    return {
      get: (path: string) => send('GET', path),
      post: (path: string, data: unknown) => send('POST', path, data),
      put: (path: string, data: unknown) => send('PUT', path, data),
    } as unknown as Caller;
  };
  return { operator: as(operators.token), customer: { ...stage, caller: as(stage.token) } };
}

test('a restored database sends nothing until an operator decides, and marks possible duplicates', async () => {
  stage = await makeStage(world, crowd(CONTACTS, 3_000_000), { balance_micros: 500_000_000 });
  const worker = await startWorkerProcess(world);
  const campaign = await startCampaign(stage);
  await until('a quarter has arrived', async () => (await countAccepted()) > CONTACTS / 4, LONG_MS);
  const manifest = await writeBackup({ url: world.database_url, files: null }, backup());
  expect(manifest.tables.find(({ name }) => name === 'public.messages')?.rows).toBeGreaterThan(0);
  await until('all have arrived', async () => (await countAccepted()) === CONTACTS, LONG_MS);
  worker.signal('SIGKILL');
  await worker.ended;

  await restoreBackup({ url: target.url, files: null, replace: false }, backup());
  const { operator, customer } = await startRestored();
  const { db } = restored.kernel;
  const { data: hold } = (await operator.get('/v1/sending_hold')).body;
  expect(hold).toMatchObject({ state: 'held', cause: 'restore', paused_campaigns: 1 });
  expect(hold.connections[0].remaining).toBeGreaterThan(0);
  expect((await readCampaign(customer, campaign.id)).status_details).toBe('restored');
  const failures = await findFailures();
  expect(failures.map(({ title }) => title)).toEqual(['Sending is not on hold after a failover or a restore']);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await countAccepted()).toBe(CONTACTS);

  expect((await operator.post('/v1/sending_hold/decisions', { decision: 'send' })).status).toBe(200);
  expect((await operator.post('/v1/sending_hold/decisions', { decision: 'send' })).body.errors[0].code).toBe(1959);
  await until('the hold ends', async () => (await operator.get('/v1/sending_hold')).body.data.state === 'open');
  await customer.caller.put(`/v1/campaigns/${campaign.id}`, { status: 'in_progress' });
  await until(
    'the queue is empty',
    async () =>
      (await readCampaign(customer, campaign.id)).status === 'completed' &&
      (await db.rows(sql`select from dispatch limit 1`)).length === 0,
    LONG_MS,
  );
  const arrivals = Map.groupBy(await carrier.accepted(), ({ to }) => to);
  expect(arrivals.size).toBe(CONTACTS);
  const twice = [...arrivals].filter(([, all]) => all.length > 1).map(([number]) => number);
  const marked = await db.rows<{ number: string }>(sql`select number from messages where possible_duplicate`);
  const numbers = new Set(marked.map(({ number }) => number));
  expect(twice.length).toBeGreaterThan(0);
  expect(twice.filter((number) => !numbers.has(number))).toEqual([]);
  expect([...arrivals.values()].every((all) => all.length <= 2)).toBe(true);
  expect(await findFailures()).toEqual([]);
}, 600_000);

test('a restore fails when the database has tables or the backup is damaged', async () => {
  await expect(restoreBackup({ url: world.database_url, files: null, replace: false }, backup())).rejects.toThrow(
    'the database is not empty',
  );
  await expect(restoreBackup({ url: target.url, files: null, replace: true }, backup())).rejects.toThrow(
    'Parley is running on this database',
  );
  await writeFile(join(backup(), 'tables', 'public.messages.copy.gz'), 'damaged');
  await expect(verifyBackup(backup())).rejects.toThrow('public.messages.copy.gz');
});
