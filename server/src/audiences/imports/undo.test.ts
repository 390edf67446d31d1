import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { csv, IMPORTS, listContacts, manyRows } from '../../test/imports.ts';
import { makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { runImport } from './run.ts';

let world: World;
let owner: Caller;
let account_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const company = await makeCompany(world.kernel, { country: 'US' });
  account_id = company.account_id;
  owner = world.as(company.token);
});
afterAll(async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  await world.stop();
});

const ANN = '14155550101';
const BO = '14155550102';
const CY = '14155550103';
const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;

interface Options {
  existing?: 'update' | 'merge' | 'skip';
  tags?: string[];
  consent?: object;
}

/** Imports a file, and returns the import. */
async function importFile(target: Record<string, string>, text: string, options: Options = {}) {
  const { body } = await owner.upload(IMPORTS, target, csv(text));
  const { id } = body.data;
  const started = await owner.put(`${IMPORTS}/${id}`, { options: { columns: body.data.options.columns, ...options } });
  expect(started.status, started.text).toBe(200);
  await runImport(world.kernel, { account_id, id }, new AbortController().signal);
  return (await owner.get(`${IMPORTS}/${id}`)).body.data;
}
const person = async (number: string) => (await owner.get(`/v1/people/${number}`)).body.data;
const consentState = async (number: string) => {
  const { states } = (await owner.get(`/v1/people/${number}/consent_state`)).body.data;
  return states.find(
    (one: { channel: string; purpose: string }) => one.channel === 'SMS' && one.purpose === 'marketing',
  ).state;
};
const CONSENT = { channel: 'SMS', purpose: 'marketing', text: 'Yes, send me offers', source: 'fair 2027' };

test('merging fills only empty fields, and updating replaces them', async () => {
  const first = await importFile({ name: 'Merged' }, `Number,First name,Custom1\n+${ANN},Ann,\n+${BO},,old\n`);
  const { audience_id } = first;
  const second = await importFile(
    { audience_id },
    `Number,First name,Custom1\n+${ANN},Anna,new\n+${BO},Bo,new\n+${CY},Cy,new\n`,
    { existing: 'merge' },
  );
  expect(second).toMatchObject({ created_count: 1, updated_count: 2 });
  const read = async () =>
    (await listContacts(owner, audience_id)).map(({ number, first_name, custom1 }) => [number, first_name, custom1]);
  expect((await read()).sort()).toEqual([
    [ANN, 'Ann', 'new'],
    [BO, 'Bo', 'old'],
    [CY, 'Cy', 'new'],
  ]);
  // The import is undone, except for the contact that changed since.
  const bo = (await listContacts(owner, audience_id)).find(({ number }) => number === BO)!;
  await owner.put(`/v1/audiences/${audience_id}/contacts/${bo.id}`, { first_name: 'Robert' });
  const undone = await owner.post(`${IMPORTS}/${second.id}/undo`, {});
  expect(undone.body.data).toMatchObject({ status: 'completed', undo_date: expect.any(String) });
  expect((await read()).sort()).toEqual([
    [ANN, 'Ann', ''],
    [BO, 'Robert', 'old'],
  ]);
  expect((await owner.get(`/v1/audiences/${audience_id}`)).body.data.contacts_count).toBe(2);
  expect(code(await owner.post(`${IMPORTS}/${second.id}/undo`, {}))).toBe(1318);
});

test('an import stores tags and a consent, except for people who withdrew, and its undo removes them', async () => {
  const numbers = ['14155550201', '14155550202', '14155550203'];
  await owner.post('/v1/people', { number: `+${numbers[0]}`, tags: ['VIP', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] });
  await owner.post('/v1/stop_list', { number: `+${numbers[1]}` });
  const text = `Number\n${numbers.map((number) => `+${number}\n`).join('')}`;
  const done = await importFile({ name: 'Tagged' }, text, { tags: ['vip', 'fair', 'late'], consent: CONSENT });
  // The tenth tag is the last that fits.
  expect((await person(numbers[0]!)).tags).toEqual(['VIP', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'fair']);
  expect((await person(numbers[2]!)).tags).toEqual(['vip', 'fair', 'late']);
  expect(await Promise.all(numbers.map(consentState))).toEqual(['given', 'withdrawn', 'given']);
  const [proof] = (await owner.get(`/v1/people/${numbers[2]}/consents`)).body.data;
  expect(proof).toMatchObject({ method: 'import', text: CONSENT.text, source: 'fair 2027', user_name: 'Test Person' });

  // A later consent does not depend on the import.
  await owner.post(`/v1/people/${numbers[2]}/consents`, { ...CONSENT, change: 'given' });
  expect((await owner.post(`${IMPORTS}/${done.id}/undo`, {})).status).toBe(200);
  expect((await person(numbers[0]!)).tags).toEqual(['VIP', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  expect(await Promise.all(numbers.map(consentState))).toEqual(['withdrawn', 'withdrawn', 'given']);
  expect((await listContacts(owner, done.audience_id)).length).toBe(0);
  // Nothing else is stored about this number.
  expect((await owner.get(`/v1/people/${numbers[1]}`)).status).toBe(404);
  expect(await world.kernel.db.rows(sql`select 1 from import_changes where import_id = ${done.id}`)).toEqual([]);
});

test('a file with the headings of an earlier import is mapped in the same way', async () => {
  const text = 'Reference,Number,Nick\n1,+14155550301,Di\n';
  const { body } = await owner.upload(IMPORTS, { name: 'Mapped' }, csv(text));
  expect(body.data.options.columns.custom1).toBeUndefined();
  const columns = { number: 1, custom1: 2 };
  await owner.put(`${IMPORTS}/${body.data.id}`, { options: { columns, existing: 'skip', default_country: 'DE' } });
  await runImport(world.kernel, { account_id, id: body.data.id }, new AbortController().signal);
  const again = await owner.upload(IMPORTS, { name: 'Mapped again' }, csv(text));
  expect(again.body.data.options).toMatchObject({ columns, existing: 'skip', default_country: 'DE', tags: [] });
  const other = await owner.upload(IMPORTS, { name: 'Other' }, csv('Reference,Number,City\n1,+14155550301,Di\n'));
  expect(other.body.data.options.columns.custom1).toBeUndefined();
});

test('long runs of consecutive numbers are counted', async () => {
  const rows = Array.from({ length: 25 }, (_, index) => `+1415556${1000 + index}\n`).join('');
  const generated = await importFile({ name: 'Generated' }, `Number\n+14155550401\n${rows}+14155550409\n`);
  expect(generated).toMatchObject({ created_count: 27, consecutive_count: 25 });
  expect(await importFile({ name: 'Usual' }, manyRows(40))).toMatchObject({ consecutive_count: 0 });
});

test('an import cannot be undone by another account, before its end, or after 30 days', async () => {
  const done = await importFile({ name: 'Kept' }, 'Number\n+14155550501\n');
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(code(await stranger.post(`${IMPORTS}/${done.id}/undo`, {}))).toBe(1317);
  const { body } = await owner.upload(IMPORTS, { name: 'Waiting' }, csv('Number\n+14155550502\n'));
  expect(code(await owner.post(`${IMPORTS}/${body.data.id}/undo`, {}))).toBe(1318);
  await world.kernel.db.run(sql`
    update audience_imports set update_date = now() - interval '31 days' where id = ${done.id}`);
  expect(code(await owner.post(`${IMPORTS}/${done.id}/undo`, {}))).toBe(2317);
});
