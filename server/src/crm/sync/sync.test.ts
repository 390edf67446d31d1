import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import {
  type Control,
  type CrmWorld,
  createCrmWorld,
  makeConnected,
  readSync,
  syncedFully,
} from '../../test/calls/crm_world.ts';
import { makeAudience } from '../../test/make.ts';
import { type Caller, type Reply, until as untilTrue } from '../../test/world.ts';

const CITY = '1f0c7f6a1d0b4a5e9c0f7c2b8e4d3a6b5c9d8e7f';
const CONSENT = '2f0c7f6a1d0b4a5e9c0f7c2b8e4d3a6b5c9d8e7f';
const STOPPED = '3f0c7f6a1d0b4a5e9c0f7c2b8e4d3a6b5c9d8e7f';
const [ADA, BEN, CHIARA] = ['491700456101', '491700456102', '491700456103'] as const;
const NEW = '491700456150';

let crm: CrmWorld;
let control: Control;
let owner: Caller;
let account_id: string;
let path: string;
let audience_id: string;

beforeAll(async () => {
  crm = await createCrmWorld();
  control = crm.control('pipedrive');
});
afterAll(() => crm.stop());
beforeEach(async () => {
  await crm.world.kernel.db.run(sql`delete from crm_companies`);
  await crm.world.kernel.db.run(sql`update crm_syncs set is_on = false, has_triggers = false`);
  ({ owner, account_id, path } = await makeConnected(crm, 'pipedrive'));
  audience_id = await makeAudience(crm.world.kernel, account_id, []);
  await owner.post('/v1/contact_fields', { key: 'city', label: 'City', kind: 'text' });
});

/** Waits for a result of the sync, without the pause of 30 seconds after a call that timed out on a busy machine. */
const until = (condition: string, check: () => Promise<boolean>) =>
  untilTrue(condition, async () => {
    await crm.world.kernel.db.run(sql`
      update crm_syncs set hold_date = now(), next_date = now()
      where last_error like '%did not respond%' and hold_date > now() + interval '10 seconds'`);
    return check();
  });

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const settings = (change: object = {}) => ({
  ...{ direction: 'both', rule: 'newest', audience_id, is_on: true },
  fields: [
    { crm: 'first_name', parley: 'first_name' },
    { crm: 'last_name', parley: 'last_name' },
    { crm: CITY, parley: 'fields.city' },
  ],
  consents: [
    { crm: CONSENT, yes: 'Yes', no: 'No', channel: 'SMS', purpose: 'marketing', text: 'I want news by text message' },
  ],
  opt_out: { crm: STOPPED, yes: 'Yes', no: 'No' },
  ...change,
});
const turnOn = async (change: object = {}) => {
  const reply = await owner.put(`${path}/sync`, settings(change));
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  await syncedFully(owner, path);
};
const contacts = async (): Promise<string[]> =>
  (await owner.get(`/v1/audiences/${audience_id}/contacts?page_size=100`)).body.data
    .map((one: { number: string; first_name: string }) => `${one.number} ${one.first_name}`)
    .sort();
const person = async (number: string) => (await owner.get(`/v1/people/${number}`)).body?.data;
const records = () => control('GET', '/records');
const record = async (id: number) => (await records()).people.find((one: { id: number }) => one.id === id);
const consent = async (number: string) =>
  (await owner.get(`/v1/people/${number}/consent_state`)).body.data.states.find(
    (one: { channel: string; purpose: string }) => one.channel === 'SMS' && one.purpose === 'marketing',
  );
const isStopped = async (number: string) =>
  (await owner.get(`/v1/stop_list?filter[search]=${number}`)).body.data.length > 0;

describe('a sync in both directions', () => {
  test('brings both sides together, and keeps them together', async () => {
    await owner.post(`/v1/audiences/${audience_id}/contacts`, { number: `+${NEW}`, first_name: 'Nora' });
    await control('PUT', '/people/1', { custom_fields: { [CITY]: 'Kiel', [CONSENT]: 11 } });
    await turnOn();
    expect(await contacts()).toEqual([`${ADA} Ada`, `${BEN} Ben`, `${CHIARA} Chiara`, `${NEW} Nora`]);
    expect(await person(ADA)).toMatchObject({ last_name: 'Winter', fields: { city: 'Kiel' } });
    expect(await consent(ADA)).toMatchObject({
      state: 'given',
      consent: { text: 'I want news by text message', source: 'Contact sync with Pipedrive', method: 'import' },
    });
    const nora = (await records()).people.filter(({ name }: { name: string }) => name === 'Nora');
    expect(nora).toMatchObject([{ phones: [{ value: `+${NEW}`, primary: true }] }]);
    // A webhook, and a change in Parley.
    await control('PUT', '/people/2', { name: 'Benedikt Okafor' });
    await until('the change arrives', async () => (await person(BEN)).first_name === 'Benedikt');
    await owner.put(`/v1/people/${CHIARA}`, { first_name: 'Clara', fields: { city: 'Rome' } });
    await until('the change arrives in the CRM', async () => (await record(3)).name === 'Clara Rossi');
    expect((await record(3)).custom_fields[CITY]).toBe('Rome');
    // Changes written by the sync are not synced back.
    await until('all changes are synced', async () => (await readSync(owner, path)).waiting_count === 0);
    const before = await records();
    await owner.post(`${path}/sync/runs`);
    await syncedFully(owner, path);
    expect((await records()).people).toEqual(before.people);
    expect(await readSync(owner, path)).toMatchObject({ linked_count: 4, failed_count: 0, last_error: null });
  });

  test('an opt-out is synced in both directions, and the CRM cannot reverse it', async () => {
    await control('PUT', '/people/1', { custom_fields: { [CONSENT]: 11 } });
    await turnOn();
    await control('PUT', '/people/2', { custom_fields: { [STOPPED]: 21 } });
    await until('Ben is stopped', () => isStopped(BEN));
    await control('PUT', '/people/2', { custom_fields: { [STOPPED]: 22 } });
    await until('Ben is no longer stopped', async () => !(await isStopped(BEN)));
    await owner.post('/v1/stop_list', { number: ADA });
    await until('the CRM has the opt-out', async () => {
      const { custom_fields } = await record(1);
      return custom_fields[STOPPED] === 21 && custom_fields[CONSENT] === 12;
    });
    await control('PUT', '/people/1', { custom_fields: { [STOPPED]: 22, [CONSENT]: 11 } });
    await until('the CRM is corrected', async () => (await record(1)).custom_fields[STOPPED] === 21);
    expect([await isStopped(ADA), (await consent(ADA)).state]).toEqual([true, 'withdrawn']);
  });

  test('deleted and merged records, and new numbers', async () => {
    await turnOn();
    await control('DELETE', '/people/3');
    await until('the contact is removed', async () => (await contacts()).length === 2);
    expect(await isStopped(CHIARA)).toBe(false);
    // Dana has no number. She gets Ada's.
    await control('POST', '/merges', { from: 1, into: 4 });
    await until('Dana has the number', async () => (await person(ADA))?.first_name === 'Dana');
    expect(await contacts()).toEqual([`${ADA} Dana`, `${BEN} Ben`]);
    await owner.post('/v1/stop_list', { number: BEN });
    await control('PUT', '/people/2', { phones: [{ value: `+${NEW}`, label: 'mobile', primary: true }] });
    await until('Ben has moved', async () => (await contacts()).includes(`${NEW} Ben`));
    expect([await isStopped(NEW), (await contacts()).length]).toEqual([true, 2]);
  });

  test('a contact that was removed from the audience stays removed', async () => {
    await turnOn();
    const [first] = (await owner.get(`/v1/audiences/${audience_id}/contacts?filter[search]=${BEN}`)).body.data;
    await owner.delete(`/v1/audiences/${audience_id}/contacts/${first.id}`);
    await until('the removal is noted', async () => (await readSync(owner, path)).linked_count === 2);
    await control('PUT', '/people/2', { name: 'Benno Okafor' });
    await until('the change is synced', async () => (await readSync(owner, path)).waiting_count === 0);
    expect(await contacts()).toEqual([`${ADA} Ada`, `${CHIARA} Chiara`]);
    expect(await record(2)).toMatchObject({ name: 'Benno Okafor' });
  });
});

describe('a problem', () => {
  test('is listed with its person and resolved by a correction', async () => {
    await owner.post('/v1/contact_fields', { key: 'visits', label: 'Visits', kind: 'number' });
    await control('PUT', '/people/1', { custom_fields: { [CITY]: 'many \u{1f600}' } });
    await control('PUT', '/people/4', { phones: [{ value: '0170 0456102', label: 'mobile', primary: true }] });
    await turnOn({ fields: [{ crm: CITY, parley: 'fields.visits' }], consents: [], opt_out: null });
    const list = async () => (await owner.get(`${path}/sync/errors`)).body.data;
    const errors = await list();
    expect(errors.map(({ name }: { name: string }) => name).sort()).toEqual(['Ada Winter', 'Dana Lund']);
    expect(errors.map(({ error }: { error: string }) => error).join()).toMatch(/Visits: "many .+" is not a number/);
    expect((await readSync(owner, path)).failed_count).toBe(2);
    await control('PUT', '/people/1', { custom_fields: { [CITY]: '7' } });
    await until('Ada is synced', async () => (await person(ADA)).fields.visits === 7);
    await crm.world.kernel.db.run(sql`
      update crm_links set error = 'before' where account_id = ${account_id} and state = 'failed'`);
    const [dana] = await list();
    expect((await owner.post(`${path}/sync/retries`, { id: dana.id })).body.data).toEqual({ retried_count: 1 });
    await until('Dana was tried again', async () => /another CRM record/.test((await list())[0].error));
    expect((await owner.post(`${path}/sync/retries`, {})).body.data).toEqual({ retried_count: 1 });
  });

  test('with the rate limit makes the sync wait as long as the CRM requires', async () => {
    await turnOn();
    await control('POST', '/failures', { status: 429, count: 1, retry_after: 3 });
    await control('PUT', '/people/2', { name: 'Benedikt Okafor' });
    await until('the sync waits', async () => /rate-limiting/.test((await readSync(owner, path)).last_error ?? ''));
    expect((await readSync(owner, path)).hold_date).not.toBeNull();
    await until('the change arrives', async () => (await person(BEN)).first_name === 'Benedikt');
    await until('the error is gone', async () => (await readSync(owner, path)).last_error === null);
  });

  test('with the audience stops the sync until another one is selected', async () => {
    await turnOn();
    await owner.delete(`/v1/audiences/${audience_id}`);
    await control('PUT', '/people/2', { name: 'Benno Okafor' });
    await until('the error is shown', async () => /audience no longer/.test((await readSync(owner, path)).last_error));
    audience_id = await makeAudience(crm.world.kernel, account_id, []);
    await owner.put(`${path}/sync`, settings());
    await until('the new audience is full', async () => (await contacts()).length === 3);
  });
});

test('a preview shows the changes of both sides, and makes none', async () => {
  await owner.post(`/v1/audiences/${audience_id}/contacts`, { number: `+${NEW}`, first_name: 'Nora' });
  await owner.post(`/v1/audiences/${audience_id}/contacts`, { number: `+${ADA}`, first_name: 'Adina' });
  const before = await records();
  const { is_on: _, ...body } = settings({ rule: 'parley' });
  const { data } = (await owner.post(`${path}/sync/previews`, body)).body;
  expect(data).toMatchObject({
    ...{ records_count: 4, contacts_count: 2, is_complete: true, without_number_count: 1, duplicate_count: 0 },
    ...{ add_to_parley_count: 2, update_parley_count: 1, add_to_crm_count: 1, update_crm_count: 1 },
  });
  expect(data.rows).toContainEqual({
    ...{ name: 'Ada Winter', number: ADA, change: 'update_crm' },
    fields: [{ label: 'First name', before: 'Ada', after: 'Adina' }],
  });
  expect(await records()).toEqual(before);
  expect([await contacts(), (await readSync(owner, path)).linked_count]).toEqual([[`${ADA} Adina`, `${NEW} Nora`], 0]);
});

test('invalid settings are refused', async () => {
  const put = async (change: object) => code(await owner.put(`${path}/sync`, settings(change)));
  const other = await makeConnected(crm, 'hubspot');
  const foreign = await makeAudience(crm.world.kernel, other.account_id, []);
  expect(await put({ audience_id: foreign })).toBe(2560);
  expect(await put({ audience_id: 'x' })).toBe(2560);
  expect(await put({ fields: [{ crm: 'first_name', parley: 'fields.unknown' }] })).toBe(2561);
  expect(await put({ fields: [{ crm: 'unknown \u{1f600}', parley: 'first_name' }] })).toBe(2561);
  expect(await put({ fields: [{ crm: 'constructor', parley: 'constructor' }] })).toBe(2561);
  expect(await put({ fields: [{ crm: 'unknown\u0000', parley: 'first_name' }] })).toBe(1705);
  expect(await put({ fields: ['first_name', 'last_name'].map((key) => ({ crm: key, parley: 'first_name' })) })).toBe(
    2561,
  );
  const [map] = settings().consents;
  expect(await put({ consents: [{ ...map, yes: 'Perhaps' }] })).toBe(2562);
  expect(await put({ consents: [{ ...map, no: 'yes' }] })).toBe(2562);
  expect(await put({ consents: [map, map] })).toBe(2562);
  expect(await put({ opt_out: { crm: 'unknown', yes: 'Yes', no: 'No' } })).toBe(2562);
  expect(code(await owner.post(`${path}/sync/runs`))).toBe(2563);
  expect(code(await other.owner.get(`${path}/sync`))).toBe(2342);
  expect((await readSync(owner, path)).is_on).toBe(false);
});

test('webhooks are accepted only from the CRM, and only for its own company', async () => {
  await turnOn();
  const waiting = () =>
    crm.world.kernel.db.rows(sql`select key from crm_changes where account_id = ${account_id} and key = '77'`);
  const meta = { entity: 'person', entity_id: '77', company_id: '70001', action: 'change' };
  const send = (id: string, authorization: string, body: string) =>
    crm.world.as().raw(`/callbacks/crm/pipedrive/${id}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
  const wrong = `Basic ${Buffer.from('parley:wrong').toString('base64')}`;
  expect((await send(account_id, wrong, JSON.stringify({ meta }))).status).toBe(401);
  expect((await send(account_id, '', '{')).status).toBe(401);
  expect((await send('\u{1f600}', wrong, '{')).status).toBe(401);
  expect(await waiting()).toEqual([]);
});
