import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allPermissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeAudience, makeCompany, makeUser } from '../test/make.ts';
import {
  type Caller,
  createWorld,
  freePort,
  type SandboxProcess,
  startSandbox,
  until,
  type World,
} from '../test/world.ts';
import { endLateLookups } from './jobs.ts';

const PRICE = 5_000;
/** In use, not in use, a landline, unknown, and ported, as the sandbox decides by the last two digits. */
const [GOOD, BAD, LANDLINE, UNKNOWN, PORTED] = ['05', '00', '01', '02', '03'].map((end) => `4474000001${end}`) as [
  string,
  string,
  string,
  string,
  string,
];

let folder: string;
let sandbox: SandboxProcess;
let world: World;
let account_id: string;
let company: Caller;
let stranger: Caller;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-lookups-'));
  sandbox = await startSandbox(folder);
  const PORT = String(await freePort());
  world = await createWorld({
    settings: {
      PORT,
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      LOOKUP_PROVIDER: 'infobip',
      LOOKUP_URL: `${sandbox.url}/infobip`,
      LOOKUP_SECRET: 'sandbox',
    },
  });
  stranger = world.as((await makeCompany(world.kernel)).token);
});
afterAll(async () => {
  await world.stop();
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const made = await makeCompany(world.kernel, { balance_micros: 1_000_000 });
  account_id = made.account_id;
  company = world.as(made.token);
});

const lookUp = async (number: string, refresh = false) =>
  (await company.post('/v1/number-lookups', { number, refresh })).body.data;
const finished = async (path: string) => {
  await until(`${path} has a result`, async () => {
    const { status } = (await company.get(path)).body.data;
    return status !== 'pending' && status !== 'in_progress';
  });
  return (await company.get(path)).body.data;
};
const balance = () =>
  world.kernel.db.one<{ available_micros: number; held_micros: number }>(
    sql`select available_micros, held_micros from balances where account_id = ${account_id}`,
  );

describe('a lookup', () => {
  test('holds its price, and is charged once when the number is found', async () => {
    const price = (await company.get('/v1/number-lookups/price')).body.data;
    expect(price).toEqual({ price_micros: PRICE, currency: 'USD', provider: 'infobip', is_live: true });
    const { id } = await lookUp(`+${PORTED}`);
    expect(await finished(`/v1/number-lookups/${id}`)).toMatchObject({
      ...{ number: PORTED, country: 'GB', status: 'good', live_status: 'active', ported: true, charged: true },
      ...{ network: 'Sandbox Mobile', operator: 'Harbor Telecom', mccmnc: '23430', line_type: 'mobile' },
      ...{ is_live: true, is_cached: false },
    });
    expect(await balance()).toEqual({ available_micros: 1_000_000 - PRICE, held_micros: 0 });
    expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('is free when the provider does not know the number', async () => {
    const { id } = await lookUp(UNKNOWN);
    expect(await finished(`/v1/number-lookups/${id}`)).toMatchObject({ status: 'unknown', charged: false });
    expect(await balance()).toEqual({ available_micros: 1_000_000, held_micros: 0 });
  });

  test('uses a recent result for free, unless the user looks the number up again', async () => {
    const first = await lookUp(GOOD);
    await finished(`/v1/number-lookups/${first.id}`);
    const cached = await lookUp(GOOD);
    expect(cached).toMatchObject({ status: 'good', is_cached: true, price_micros: 0, charged: false });
    expect(await lookUp(GOOD, true)).toMatchObject({ status: 'pending', is_cached: false });
  });

  test.each(['', 'abc', '12', '+4474', '\u{1f600}'])('is rejected for the number %j', async (number) => {
    const reply = await company.post('/v1/number-lookups', { number });
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, 7910]);
  });

  test('is rejected when the balance is too low, and is invisible to other companies', async () => {
    const { id } = await lookUp(GOOD);
    expect((await stranger.get(`/v1/number-lookups/${id}`)).body.errors[0].code).toBe(2114);
    const poor = world.as((await makeCompany(world.kernel, { balance_micros: 4_999 })).token);
    expect((await poor.post('/v1/number-lookups', { number: GOOD })).body.errors[0].code).toBe(7909);
  });

  test('ends without a charge when its result does not arrive in time', async () => {
    const { id } = await lookUp(GOOD);
    await finished(`/v1/number-lookups/${id}`);
    const again = await lookUp(GOOD, true);
    await world.kernel.db.run(sql`
      update number_lookups set status = 'sent', batch_id = ${again.id}, sent_date = now() - interval '11 minutes'
      where account_id = ${account_id} and id = ${again.id}`);
    await endLateLookups(world.kernel);
    expect(await finished(`/v1/number-lookups/${again.id}`)).toMatchObject({ status: 'unknown', charged: false });
    expect(await balance()).toEqual({ available_micros: 1_000_000 - PRICE, held_micros: 0 });
  });
});

test('a callback is refused when its signature is wrong', async () => {
  const reply = await fetch(`${world.url}/callbacks/lookups/${account_id}/${account_id}/AAAA`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"results":[]}',
  });
  expect(reply.status).toBe(404);
});

describe('a bulk lookup', () => {
  const upload = (text: string) =>
    company.upload('/v1/bulk-lookups?type=HLR', {}, { name: 'numbers.csv', bytes: text });
  const file = `Number;Name\n+${GOOD};Ann\n${BAD}\n"+${LANDLINE}"\n${UNKNOWN}\n${PORTED}\n${GOOD}\nnonsense\n`;

  test('counts the results of a file, and charges the numbers that were found', async () => {
    const { status, body } = await upload(file);
    expect([status, body.data]).toMatchObject([201, { name: 'numbers.csv', total: 5, invalid: 1 }]);
    const bulk = await finished(`/v1/bulk-lookups/${body.data.id}`);
    expect(bulk).toMatchObject({
      ...{ status: 'completed', done: 5, good: 2, bad: 1, landline: 1, unknown: 1, ported: 1, cost_micros: 4 * PRICE },
    });
    expect(await balance()).toEqual({ available_micros: 1_000_000 - 4 * PRICE, held_micros: 0 });
    const rows = await company.get(`/v1/number-lookups?filter[bulk_id]=${bulk.id}&filter[statuses]=bad`);
    expect(rows.body.data).toMatchObject([{ number: BAD, live_status: 'inactive' }]);
    const created = await company.post(`/v1/bulk-lookups/${bulk.id}/actions`, {
      action: 'create_audience',
      statuses: ['good'],
      name: 'Clean',
    });
    expect(created.body.data.count).toBe(2);
    const contacts = await company.get(`/v1/audiences/${created.body.data.audience_id}/contacts`);
    expect(contacts.body.data.map(({ number }: { number: string }) => number).sort()).toEqual([PORTED, GOOD]);
    expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('cleans an audience, and needs the permission for each action', async () => {
    const people = [GOOD, BAD, LANDLINE].map((number) => ({ number }));
    const audience = await makeAudience(world.kernel, account_id, people);
    const form = await company.upload('/v1/bulk-lookups', { audience }, { name: 'none', bytes: '' });
    expect(form.body.data).toMatchObject({ total: 3, audience_id: audience });
    const { id } = await finished(`/v1/bulk-lookups/${form.body.data.id}`);
    const act = (caller: Caller, action: string, statuses: string[]) =>
      caller.post(`/v1/bulk-lookups/${id}/actions`, { action, statuses });
    const permissions = { ...allPermissions(), AUDIENCES: 1, SENDERS: 1 };
    const limited = world.as((await makeUser(world.kernel, account_id, { permissions })).token);
    for (const action of ['create_audience', 'add_to_stop_list', 'remove_from_audience'])
      expect((await act(limited, action, ['bad'])).status).toBe(403);
    expect((await act(company, 'add_to_stop_list', ['bad'])).body.data.count).toBe(1);
    expect((await act(company, 'add_to_stop_list', ['bad'])).body.data.count).toBe(0);
    expect((await act(company, 'remove_from_audience', ['bad', 'landline'])).body.data.count).toBe(2);
    expect((await company.get(`/v1/audiences/${audience}`)).body.data.contacts_count).toBe(1);
    expect((await act(stranger, 'add_to_stop_list', ['bad'])).status).toBe(404);
    expect((await company.delete(`/v1/bulk-lookups/${id}`)).status).toBe(204);
    expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('tags people by result, or with a given tag, once', async () => {
    const people = [GOOD, BAD, LANDLINE].map((number) => ({ number }));
    const audience = await makeAudience(world.kernel, account_id, people);
    const form = await company.upload('/v1/bulk-lookups', { audience }, { name: 'none', bytes: '' });
    const { id } = await finished(`/v1/bulk-lookups/${form.body.data.id}`);
    const tag = async (statuses: string[], tags?: string[]) =>
      company.post(`/v1/bulk-lookups/${id}/actions`, { action: 'tag', statuses, ...(tags ? { tags } : {}) });
    const readTags = async (number: string) => (await company.get(`/v1/people/${number}`)).body.data.tags;
    expect((await tag(['bad', 'landline'])).body.data).toEqual({ count: 2, audience_id: null });
    expect((await tag(['bad', 'landline'])).body.data.count).toBe(0);
    expect((await tag(['good', 'bad'], ['Checked', 'BAD NUMBER'])).body.data.count).toBe(2);
    expect(await readTags(BAD)).toEqual(['Bad number', 'Checked']);
    expect(await readTags(LANDLINE)).toEqual(['Landline']);
    expect(await readTags(GOOD)).toEqual(['Checked', 'BAD NUMBER']);
    expect((await tag(['bad'], ['a,b'])).body.errors[0].code).toBe(2388);
    const permissions = { ...allPermissions(), AUDIENCES: 1 };
    const limited = world.as((await makeUser(world.kernel, account_id, { permissions })).token);
    const refused = await limited.post(`/v1/bulk-lookups/${id}/actions`, { action: 'tag', statuses: ['bad'] });
    expect(refused.status).toBe(403);
  });

  test('can be exported with its results', async () => {
    const { data } = (await upload(file)).body;
    await finished(`/v1/bulk-lookups/${data.id}`);
    const created = await company.post('/v1/exports', { list: 'lookups', format: 'csv', filter: { bulk_id: data.id } });
    expect(created.status, created.text).toBe(202);
    const read = async () => (await company.get('/v1/exports?filter[list]=lookups')).body.data[0];
    await until('the export is ready', async () => (await read()).status === 'COMPLETED');
    expect((await read()).rows_count).toBe(5);
  });

  test('can be paused and deleted, which releases the hold', async () => {
    const { data } = (await upload(file)).body;
    await finished(`/v1/bulk-lookups/${data.id}`);
    expect((await company.put(`/v1/bulk-lookups/${data.id}`, { status: 'paused' })).body.errors[0].code).toBe(2118);
    await world.kernel.db.run(sql`
      update bulk_lookups set status = 'paused', done = 0 where account_id = ${account_id} and id = ${data.id}`);
    expect((await company.delete(`/v1/bulk-lookups/${data.id}`)).status).toBe(204);
    expect((await balance()).held_micros).toBe(0);
    expect((await company.get(`/v1/number-lookups?filter[bulk_id]=${data.id}`)).body.data).toEqual([]);
  });

  test.each([
    ['an empty file', ''],
    ['a file without numbers', 'Name\nAnn\nBen\n'],
    ['a binary file', 'PK\u0003\u0004\u0000\u0000'],
  ])('is rejected for %s', async (_, text) => {
    const reply = await upload(text);
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, 7912]);
  });

  test('is rejected for a type other than HLR', async () => {
    const reply = await company.upload('/v1/bulk-lookups?type=MNP', {}, { name: 'a.csv', bytes: GOOD });
    expect(reply.body.errors[0].code).toBe(2117);
  });
});
