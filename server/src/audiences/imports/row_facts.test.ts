import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, IMPORTS, listContacts } from '../../test/imports.ts';
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
  for (const [key, kind] of Object.entries({ city: 'text', age: 'number', birthday: 'date', vip: 'boolean' }))
    await owner.post('/v1/contact_fields', { key, label: `My ${key}`, kind, choices: [] });
  await owner.post('/v1/contact_fields', { key: 'plan', label: 'Plan', kind: 'choice', choices: ['Free', 'Pro'] });
});
afterAll(async () => {
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
  await world.stop();
});

const ANN = '14155550101';
const BO = '14155550102';
const CY = '14155550103';
const WHATSAPP = 'US.13491208655302741918';
const VIBER = '01234567890A=';

async function importFile(target: Record<string, string>, text: string, options: object = {}) {
  const { body } = await owner.upload(IMPORTS, target, csv(text));
  const { id } = body.data;
  const started = await owner.put(`${IMPORTS}/${id}`, { options: { columns: body.data.options.columns, ...options } });
  expect(started.status, started.text).toBe(200);
  await runImport(world.kernel, { account_id, id }, new AbortController().signal);
  return (await owner.get(`${IMPORTS}/${id}`)).body.data;
}
const person = async (number: string) => (await owner.get(`/v1/people/${encodeURIComponent(number)}`)).body.data;
const rows = async (id: string) =>
  ((await owner.get(`${IMPORTS}/${id}/rows`)).body.data as Record<string, unknown>[]).map(
    ({ line, kind, code, reason }) => [line, kind, code, reason],
  );

test('own fields are imported with their types, and rows with other values are listed', async () => {
  const done = await importFile(
    { name: 'Typed' },
    'Number,My city,age,My birthday,vip,plan\n' +
      `+${ANN},"São \\Paulo ""x""",41.5,1990-02-28,yes,pro\n` +
      `+${BO},,,,,\n` +
      `+${CY},Rome,old,,,\n+14155550104,,,1990-02-30,,\n+14155550105,,,,maybe,\n` +
      '+14155550106,,,,,Gold\n,,,,,\n+1,,,,,\n',
  );
  expect(done.preview.columns.map(({ guess }: { guess: string }) => guess)).toEqual([
    'number',
    'fields.city',
    'fields.age',
    'fields.birthday',
    'fields.vip',
    'fields.plan',
  ]);
  expect(done).toMatchObject({ created_count: 2, invalid_count: 5 });
  expect((await person(ANN)).fields).toEqual({
    ...{ city: 'São \\Paulo "x"', age: 41.5, birthday: '1990-02-28', vip: true, plan: 'Pro' },
  });
  expect((await person(BO)).fields).toEqual({});
  expect(await rows(done.id)).toEqual([
    [4, 'invalid', 2386, 'My age must be a number'],
    [5, 'invalid', 2386, 'My birthday must be a date, such as 2027-01-31'],
    [6, 'invalid', 2386, 'My vip must be yes or no'],
    [7, 'invalid', 2386, 'Plan must be one of: Free, Pro'],
    [9, 'invalid', 1354, 'This is not a valid phone number'],
  ]);
});

test('fields follow the choice for contacts that exist, and an undo restores those that did not change', async () => {
  const { audience_id } = await importFile({ name: 'Existing' }, `Number,city\n+${ANN},Oslo\n`);
  const file = `Number,city,age\n+${ANN},Bergen,50\n+${CY},Rome,30\n`;
  await importFile({ audience_id }, file, { existing: 'merge' });
  expect([(await person(ANN)).fields, (await person(CY)).fields]).toMatchObject([
    { city: 'Oslo', age: 41.5 },
    { city: 'Rome', age: 30 },
  ]);
  await importFile({ audience_id }, `Number,city\n+${ANN},Paris\n`, { existing: 'skip' });
  expect((await person(ANN)).fields.city).toBe('Oslo');
  const updated = await importFile({ audience_id }, `Number,city,age,plan\n+${ANN},Bergen,50,Free\n`, {
    tags: ['vip'],
  });
  expect((await person(ANN)).fields).toMatchObject({ city: 'Bergen', age: 50, plan: 'Free', vip: true });
  await owner.put(`/v1/people/${ANN}`, { fields: { plan: 'Pro' } });
  await owner.post(`${IMPORTS}/${updated.id}/undo`, {});
  expect(await person(ANN)).toMatchObject({ tags: [], fields: { city: 'Oslo', age: 41.5, plan: 'Pro', vip: true } });
});

test('IDs are imported beside and in place of numbers', async () => {
  await owner.post('/v1/people', { number: '+14155550120', channel_ids: { VIBER } });
  const done = await importFile(
    { name: 'With IDs' },
    'Number,First name,WhatsApp ID,Viber ID\n' +
      `+14155550121,Dan,${WHATSAPP},\n+14155550122,Eva,,${VIBER}\n,Fay,US.1001,\nUS.1002,Gus,,\n+14155550123,,nope,\n` +
      `+14155550124,Hal,${WHATSAPP},\n`,
  );
  expect(done).toMatchObject({ created_count: 3, invalid_count: 2, duplicate_count: 1, total_rows: 6 });
  expect((await rows(done.id)).map(([line, kind, code]) => [line, kind, code])).toEqual([
    [3, 'invalid', 2680],
    [6, 'invalid', 2681],
    [7, 'duplicate', null],
  ]);
  const contacts = await listContacts(owner, done.audience_id);
  expect(contacts.map(({ number, country, channel_ids }) => [number, country, channel_ids]).sort()).toEqual([
    ['14155550121', 'US', { WHATSAPP }],
    ['US.1001', 'US', { WHATSAPP: 'US.1001' }],
    ['US.1002', 'US', { WHATSAPP: 'US.1002' }],
  ]);
  const second = await importFile(
    { audience_id: done.audience_id },
    `Number,First name,WhatsApp ID\n+14155550121,Dan,US.1003\n,Dana,US.1003\n,Gustav,US.1002\n`,
  );
  expect(second).toMatchObject({ created_count: 0, updated_count: 2, duplicate_count: 1 });
  expect(await person('US.1003')).toMatchObject({ number: '14155550121', channel_ids: { WHATSAPP: 'US.1003' } });
  expect(await person('US.1002')).toMatchObject({ first_name: 'Gustav' });
  await owner.post(`${IMPORTS}/${second.id}/undo`, {});
  expect(await person('14155550121')).toMatchObject({ channel_ids: { WHATSAPP } });
  await owner.post(`${IMPORTS}/${done.id}/undo`, {});
  expect([await person('US.1001'), await person('14155550121')]).toEqual([undefined, undefined]);
});

test('a row with the ID of a person has the number of the person', async () => {
  await owner.post('/v1/people', { number: '+14155550130', channel_ids: { WHATSAPP: 'US.1030' } });
  const done = await importFile({ name: 'By ID' }, 'WhatsApp ID,First name\nUS.1030,Ida\nUS.1031,Jo\n');
  expect((await listContacts(owner, done.audience_id)).map(({ number }) => number)).toEqual(['14155550130', 'US.1031']);
});

test('an import needs fields that exist', async () => {
  const { body } = await owner.upload(IMPORTS, { name: 'Unknown' }, csv(`Number,x\n+${ANN},y\n`));
  const start = (columns: object) => owner.put(`${IMPORTS}/${body.data.id}`, { options: { columns } });
  for (const name of ['fields.none', 'fields', 'sms_id'])
    expect((await start({ number: 0, [name]: 1 })).body.errors[0]).toMatchObject({
      ...{ code: 2684, field: `options.columns.${name}` },
    });
  expect((await start({ 'fields.city': 1 })).body.errors[0].code).toBe(1311);
  expect((await start({ number: 0, 'fields.city': 9 })).body.errors[0].code).toBe(1705);
});
