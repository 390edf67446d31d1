import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKernel } from '../../app.ts';
import { readPriceBook } from '../../billing/billing.ts';
import { heldClock, newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { loadConfig } from '../../kernel/settings/config.ts';
import { crowd, fanOutAll, makeStage, type Stage, startCampaign } from '../../test/campaigns.ts';
import { mailsAbout } from '../../test/mailbox.ts';
import { makeCompany, testNumber } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { assess } from './effects.ts';
import { sweep } from './jobs.ts';
import { sendNotices } from './notices.ts';

const DAY = 86_400_000;
const PRICE = 40_000;
const clock = heldClock(new Date());
let world: World;
/** Another process with its own cache of prices. */
let other: Kernel;
let operator: Caller;
let sending: Stage;
let quiet: Stage;
let folder: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  folder = await mkdtemp(join(tmpdir(), 'parley-plans-'));
  const settings = { ...world.settings, DATA_DIR: folder };
  other = await createKernel(loadConfig(settings), { url: world.database_url, clock });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  sending = await makeStage(world, crowd(10));
  quiet = await makeStage(world, crowd(3));
  await fanOutAll(world, await startCampaign(sending));
});
afterAll(async () => {
  await other.db.close();
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Time passes, and the users stay signed in. */
async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await world.kernel.db.run(sql`
    update sessions set expire_date = ${clock.now()}::timestamptz + interval '30 days',
      last_used_date = ${clock.now()}`);
}
const at = (days: number): string => new Date(clock.now().getTime() + days * DAY).toISOString().slice(0, 19);
const wire = (text: string): string => text.replace('T', ' ');
const price = (country: string, price_micros: number | null) => ({
  ...{ channel: 'SMS', country, currency: 'USD', price_micros },
});
const plan = (fields: object) => operator.post('/v1/price_plans', { notice_days: 7, ...fields });
async function announced(fields: object): Promise<string> {
  const { data } = (await plan(fields)).body;
  await assess(world.kernel, data.id);
  const reply = await operator.put(`/v1/price_plans/${data.id}/announce`, {});
  if (reply.status !== 200) throw new Error(reply.text);
  return data.id;
}
const readPlan = async (id: string) => (await operator.get(`/v1/price_plans/${id}`)).body.data;
const rate = async (stage: Stage, country: string) =>
  (await stage.caller.get(`/v1/rates?filter[country]=${country}`)).body.data[0];
const priceIn = async (kernel: Kernel, country: string, number: string) =>
  (await readPriceBook(kernel)).price(sending.account_id, 'SMS', number, country, 'USD')?.price_micros ?? null;
const notices = async (stage: Stage) =>
  (await mailsAbout(world.kernel, stage.account_id)).filter(({ subject }) => /price/i.test(subject));
const exported = async (country: string, date: string) => {
  const { text } = await sending.caller.get(`/v1/export_rates?filter[country]=${country}&date=${date.slice(0, 10)}`);
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[5]);
};

test('a change is previewed, announced to its accounts, and takes effect at its time in every process', async () => {
  const effective = at(10);
  const draft = (await plan({ price: price('GB', 50_000), effective_date: effective })).body.data;
  expect(draft).toMatchObject({ status: 'draft', assess_date: null, prices_count: 1, effects: [] });
  await assess(world.kernel, draft.id);
  expect((await readPlan(draft.id)).effects).toEqual([
    {
      currency: 'USD',
      accounts_count: 1,
      raised_count: 1,
      segments: 10,
      before_micros: 400_000,
      after_micros: 500_000,
    },
  ]);
  const accounts = (await operator.get(`/v1/price_plans/${draft.id}/accounts`)).body.data;
  expect(accounts).toMatchObject([{ account_id: sending.account_id, segments: 10, notify_date: null }]);
  expect(await rate(sending, 'GB')).toMatchObject({ price_micros: PRICE, next_date: null });

  expect((await operator.put(`/v1/price_plans/${draft.id}/announce`, {})).status).toBe(200);
  await sweep(world.kernel);
  expect(await notices(sending), 'the notice is not due yet').toEqual([]);
  expect(await rate(sending, 'GB')).toMatchObject({ next_date: null });
  await advance(4 * DAY);
  await sweep(world.kernel);
  await sweep(world.kernel);
  const [mail, ...more] = await notices(sending);
  expect(more).toEqual([]);
  expect(mail!.text).toContain('0.04 USD → 0.05 USD');
  expect(mail!.text).toContain('0.1 USD more');
  expect(await notices(quiet), 'it sent nothing to the country').toEqual([]);
  const events = await world.kernel.db.rows<{ payload: object }>(sql`
    select payload from events where account_id = ${sending.account_id} and type = 'rates.announced'`);
  expect(events.map(({ payload }) => payload)).toMatchObject([{ status: 'announced', countries: ['GB'] }]);
  expect(await rate(quiet, 'GB')).toMatchObject({
    price_micros: PRICE,
    next_micros: 50_000,
    next_date: wire(effective),
  });
  expect((await quiet.caller.get('/v1/announced_rates')).body.data).toMatchObject([
    { country: 'GB', before_micros: PRICE, after_micros: 50_000, effective_date: wire(effective) },
  ]);
  expect(await exported('GB', effective)).toEqual(['0.05']);
  expect(await exported('GB', at(2))).toEqual(['0.04']);

  const campaign = { from: sending.sender_id, audience: sending.audience_id, text: 'Hello' };
  const rehearsed = async (fields: object) =>
    (await sending.caller.post('/v1/campaign_rehearsals', { ...campaign, ...fields })).body.data.total_micros;
  expect(await rehearsed({})).toBe(10 * PRICE);
  expect(await rehearsed({ schedule: wire(at(5)) })).toBe(10 * PRICE);
  expect(await rehearsed({ schedule: wire(at(7)) })).toBe(10 * 50_000);

  const both = () => Promise.all([world.kernel, other].map((kernel) => priceIn(kernel, 'GB', testNumber(1))));
  const left = new Date(`${effective}Z`).getTime() - clock.now().getTime();
  await advance(left - 1);
  expect(await both()).toEqual([PRICE, PRICE]);
  await advance(1);
  expect(await both(), 'no job has run').toEqual([50_000, 50_000]);
  expect(await rate(sending, 'GB')).toMatchObject({ price_micros: 50_000, next_date: null });
  await sweep(world.kernel);
  expect(await both()).toEqual([50_000, 50_000]);
  expect(await readPlan(draft.id)).toMatchObject({ status: 'applied' });
  expect(await rate(sending, 'GB')).toMatchObject({
    ...{ price_micros: 50_000, previous_micros: PRICE, since: wire(effective), next_date: null },
  });
  await advance(DAY);
  expect(await exported('GB', at(-2)), 'the export of the day before').toEqual(['0.04']);
  expect(await exported('GB', at(0))).toEqual(['0.05']);
});

test('an edit after the time of a change is recorded after it, even if no job has run', async () => {
  const added = (await operator.post('/v1/prices', price('PT', 10_000))).body.data;
  await announced({ price: price('PT', 20_000), effective_date: at(8) });
  await advance(8 * DAY + 1_000);
  expect((await operator.put(`/v1/prices/${added.id}`, { price_micros: 15_000 })).status).toBe(200);
  expect(await priceIn(other, 'PT', '351911000001')).toBe(15_000);
  const steps = (await sending.caller.get('/v1/rate_changes?filter[country]=PT')).body.data;
  expect(steps.map((row: { after_micros: number }) => row.after_micros)).toEqual([15_000, 20_000, 10_000]);
  await sweep(world.kernel);
  expect(await priceIn(other, 'PT', '351911000001')).toBe(15_000);
});

test('accounts that got a notice are notified once of a changed or canceled plan', async () => {
  const id = await announced({ price: price('GB', 70_000), effective_date: at(7), audience: 'all' });
  await sweep(world.kernel);
  const before = (await notices(quiet)).length;
  expect(before).toBe(1);
  const change = await operator.put(`/v1/price_plans/${id}`, {
    ...{ effective_date: at(9), notice_days: 7, audience: 'all', price_micros: 60_000 },
  });
  expect(change.body.data).toMatchObject({ status: 'announced', effective_date: wire(at(9)) });
  for (let run = 0; run < 2; run++) await sweep(world.kernel);
  expect((await notices(quiet)).at(-1)!.subject).toMatch(/^Changed: new prices from/);
  expect(await rate(quiet, 'GB')).toMatchObject({ next_micros: 60_000, next_date: wire(at(9)) });
  expect((await operator.delete(`/v1/price_plans/${id}`)).status).toBe(204);
  for (let run = 0; run < 2; run++) await sweep(world.kernel);
  expect((await notices(quiet)).map(({ subject }) => subject).slice(before)).toEqual([
    expect.stringContaining('Changed'),
    'A price change was canceled',
  ]);
  expect(await rate(quiet, 'GB')).toMatchObject({ price_micros: 50_000, next_date: null });
  await advance(10 * DAY);
  expect(await priceIn(other, 'GB', testNumber(1)), 'nothing happens at the time').toBe(50_000);
  expect((await operator.put(`/v1/price_plans/${id}/announce`, {})).body.errors[0].code).toBe(2599);
});

test('an account with a custom price is not affected, and a removed price falls back to the country', async () => {
  const { db } = world.kernel;
  await db.run(sql`insert into networks (mccmnc, name, country) values ('23499', 'Test', 'GB') on conflict do nothing`);
  await db.run(sql`
    insert into rates (id, account_id, channel, country, price_micros, currency)
    values (${newId()}, ${sending.account_id}, 'SMS', 'GB', 30000, 'USD')`);
  const id = await announced({ price: price('GB', 90_000), effective_date: at(8) });
  expect((await readPlan(id)).effects).toEqual([]);
  expect((await sending.caller.get('/v1/announced_rates')).body.data).toEqual([]);
  await db.run(sql`delete from rates where account_id = ${sending.account_id}`);
  await operator.delete(`/v1/price_plans/${id}`);
  await operator.post('/v1/prices', { ...price('GB', 80_000), mccmnc: '23499' });
  await announced({ price: { ...price('GB', null), mccmnc: '23499' }, effective_date: at(8) });
  const book = async () =>
    (await readPriceBook(other)).price(sending.account_id, 'SMS', '44', 'GB', 'USD', null, '23499');
  expect((await book())!.price_micros).toBe(80_000);
  await advance(8 * DAY);
  expect((await book())!.price_micros).toBe(50_000);
});

test('a price list takes effect as a whole, and cannot be applied or planned with errors', async () => {
  const text = 'country,currency,price\nGB,USD,0.055\nFR,USD,0.08';
  const preview = (await operator.post('/v1/price_imports', { filename: 'list.csv', text })).body.data;
  const id = await announced({ import_id: preview.id, effective_date: at(8) });
  expect(await readPlan(id)).toMatchObject({ filename: 'list.csv', prices_count: 2 });
  expect(await priceIn(other, 'FR', '33612345678')).toBeNull();
  await advance(8 * DAY);
  expect([await priceIn(other, 'FR', '33612345678'), await priceIn(other, 'GB', testNumber(1))]).toEqual([
    80_000, 55_000,
  ]);
  await sweep(world.kernel);
  const [change] = (await operator.get('/v1/price_changes?filter[country]=FR')).body.data;
  expect(change).toMatchObject({ filename: 'list.csv', user_name: 'Test Person', create_date: wire(at(0)) });
  const invalid = await operator.post('/v1/price_imports', {
    filename: 'x.csv',
    text: 'country,currency,price\nXX,USD,1',
  });
  const refused = await plan({ import_id: invalid.body.data.id, effective_date: at(8) });
  expect(refused.body.errors[0].code).toBe(7934);
});

test('bad dates, overlaps, and other users are refused and change nothing', async () => {
  const code = async (fields: object) => (await plan(fields)).body.errors?.[0].code;
  expect(await code({ price: price('IT', 1), effective_date: at(-1) })).toBe(2596);
  expect(await code({ price: price('IT', 1), effective_date: at(6) })).toBe(2596);
  expect(await code({ effective_date: at(8) })).toBe(2602);
  expect(await code({ price: price('GB', 55_000), effective_date: at(8) }), 'the price it has').toBe(2602);
  expect(await code({ price: price('GB', 1), effective_date: at(1) }), 'a lower price needs no notice').toBeUndefined();
  for (const invalid of [-1, 1.5, 1e12, '5', '\u0000']) {
    const fields = { price: { ...price('IT', 1), price_micros: invalid }, effective_date: at(8) };
    expect((await plan(fields)).status).toBe(400);
  }
  const effective_date = at(9);
  const first = await announced({ price: price('ES', 1_000), effective_date });
  const second = (await plan({ price: price('ES', 2_000), effective_date })).body.data;
  expect((await operator.put(`/v1/price_plans/${second.id}/announce`, {})).body.errors[0].code).toBe(2597);
  expect((await sending.caller.post('/v1/price_plans', { effective_date })).status).toBe(403);
  expect((await sending.caller.delete(`/v1/price_plans/${first}`)).status).toBe(403);
  expect((await operator.get(`/v1/price_plans/${newId()}`)).body.errors[0].code).toBe(2595);
  expect((await operator.get('/v1/price_plans?filter[status]=announced')).body.data[0].id).toBe(first);
});

test('a worker that is killed in its steps sends each notice once and applies the change once', async () => {
  const real = await createWorld({ role: 'api' });
  try {
    const { kernel } = real;
    const admin = real.as((await makeCompany(kernel, { operator: true })).token);
    const company = await makeCompany(kernel);
    await kernel.db.run(sql`
      insert into rates (id, channel, country, price_micros, currency) values (${newId()}, 'SMS', 'NL', 70000, 'USD')`);
    // The first worker must start and be killed before the change takes effect, also on a busy machine.
    const effective_date = new Date(Date.now() + 20_000).toISOString();
    const body = { effective_date, notice_days: 0, audience: 'all', price: price('NL', 75_000) };
    const { id } = (await admin.post('/v1/price_plans', body)).body.data;
    expect((await admin.put(`/v1/price_plans/${id}/announce`, {})).status).toBe(200);
    for (const FAILPOINT of ['before_notices_commit', 'before_plan_applied']) {
      const killed = await startWorkerProcess(real, { FAILPOINT });
      onTestFinished(() => killed.signal('SIGKILL'));
      expect((await killed.ended).signal, FAILPOINT).toBe('SIGKILL');
    }
    for (let run = 0; run < 2; run++) await sweep(kernel);
    await sendNotices(kernel, id);
    const mails = await mailsAbout(kernel, company.account_id);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('New prices from')]);
    const changes = (await admin.get('/v1/price_changes?filter[country]=NL')).body.data;
    expect(changes.map((row: { after_micros: number }) => row.after_micros)).toEqual([75_000, 70_000]);
    expect((await real.examine()).filter(({ ok }) => !ok)).toEqual([]);
  } finally {
    await real.stop();
  }
});
