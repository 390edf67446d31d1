import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { readAmount, readPriceList, writeAmount } from './price_file.ts';

let world: World;
let operators: Company;
let operator: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operators = await makeCompany(world.kernel, { operator: true });
  operator = world.as(operators.token);
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.kernel.db.run(sql`delete from rates`);
});

const code = (reply: Reply) => reply.body.errors[0]!.code;
const HEADER = 'channel,country,network,purpose,currency,price';
const preview = (lines: string[], missing?: string) =>
  operator.post('/v1/price_imports', { filename: 'list.csv', text: [HEADER, ...lines].join('\n'), missing });
const apply = (reply: Reply) => operator.put(`/v1/price_imports/${reply.body.data.id}/apply`, {});
async function load(lines: string[], missing?: string): Promise<Reply> {
  const reply = await apply(await preview(lines, missing));
  expect(reply.status).toBe(200);
  return reply;
}
const exported = async () => (await operator.get('/v1/prices/export')).text.trim().split('\r\n').slice(1);

test('an import shows its changes first and writes them all at once', async () => {
  await load(['SMS,DE,,,USD,0.08', 'SMS,FR,,,USD,0.05', 'SMS,GB,,,USD,0.04']);
  const reply = await preview(['SMS,DE,,,USD,0.16', 'SMS,FR,,,USD,0.055', 'SMS,GB,,,USD,0.04', 'SMS,AT,,,USD,0.07']);
  expect(reply.status).toBe(201);
  expect(reply.body.data).toMatchObject({
    added: 1,
    changed: 2,
    removed: 0,
    unchanged: 1,
    invalid: 0,
    apply_date: null,
  });
  expect(reply.body.data.differences).toMatchObject([
    { country: 'DE', before_micros: 80_000, after_micros: 160_000 },
    { country: 'FR', before_micros: 50_000, after_micros: 55_000 },
  ]);
  expect(await exported()).toContain('SMS,DE,,,USD,0.08');
  const applied = await apply(reply);
  expect(applied.body.data.apply_date).not.toBeNull();
  expect(await exported()).toEqual([
    'SMS,AT,,,USD,0.07',
    'SMS,DE,,,USD,0.16',
    'SMS,FR,,,USD,0.055',
    'SMS,GB,,,USD,0.04',
  ]);
  const changes = (await operator.get('/v1/price_changes?page_size=50')).body.data;
  expect(changes.filter((row: { before_micros: number | null }) => row.before_micros !== null)).toMatchObject([
    { country: 'FR', filename: 'list.csv', user_name: 'Test Person' },
    { country: 'DE', before_micros: 80_000, after_micros: 160_000 },
  ]);
  expect((await apply(reply)).status, 'a repeated call changes nothing').toBe(200);
  expect((await operator.get('/v1/price_changes')).body.pagination.total).toBe(changes.length);
});

test('prices that the file lacks are removed only on request, and only in its channels and currencies', async () => {
  await load(['SMS,DE,,,USD,0.08', 'SMS,FR,,,USD,0.05', 'SMS,FR,,,EUR,0.05', 'VIBER,FR,,session,USD,0.01']);
  expect((await preview(['SMS,DE,,,USD,0.08'])).body.data.removed).toBe(0);
  const reply = await preview(['SMS,DE,,,USD,0.08'], 'remove');
  expect(reply.body.data).toMatchObject({ removed: 1, unchanged: 1 });
  await apply(reply);
  expect(await exported()).toEqual(['SMS,DE,,,USD,0.08', 'SMS,FR,,,EUR,0.05', 'VIBER,FR,,session,USD,0.01']);
});

test('an import is refused when a price has changed since its preview', async () => {
  await load(['SMS,DE,,,USD,0.08']);
  const reply = await preview(['SMS,DE,,,USD,0.09']);
  const [price] = (await operator.get('/v1/prices')).body.data;
  await operator.put(`/v1/prices/${price.id}`, { price_micros: 70_000 });
  expect(code(await apply(reply))).toBe(7936);
  expect(await exported()).toEqual(['SMS,DE,,,USD,0.07']);
});

test('an invalid line is named and blocks the import', async () => {
  const reply = await preview(['SMS,DE,,,USD,0.08', 'SMS,XX,,,USD,0.08', 'SMS,DE,,,USD,0.09', 'SMS,AT,,,USD,cheap']);
  expect(reply.body.data.invalid).toBe(3);
  expect(reply.body.data.problems.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5]);
  expect(code(await apply(reply))).toBe(7934);
  expect(await exported()).toEqual([]);
});

test('an export can be imported without a change', async () => {
  await load(['SMS,DE,26201,,USD,0.083001', 'SMS,DE,,,USD,0.08', 'WHATSAPP,DE,,marketing,USD,0.1']);
  const { text } = await operator.get('/v1/prices/export');
  const reply = await operator.post('/v1/price_imports', { filename: 'same.csv', text, missing: 'remove' });
  expect(reply.body.data).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 3, unknown_networks: 1 });
});

test('a single price is added, changed, and removed, with each change in the history and the audit log', async () => {
  const key = { channel: 'SMS', country: 'SE', currency: 'EUR' };
  const created = await operator.post('/v1/prices', { ...key, price_micros: 50_000 });
  expect(created.status).toBe(201);
  expect(code(await operator.post('/v1/prices', { ...key, price_micros: 1 }))).toBe(7931);
  expect(code(await operator.post('/v1/prices', { ...key, purpose: 'utility', price_micros: 1 }))).toBe(7933);
  const path = `/v1/prices/${created.body.data.id}`;
  expect((await operator.put(path, { price_micros: 60_000 })).body.data.price_micros).toBe(60_000);
  expect((await operator.delete(path)).status).toBe(204);
  expect(code(await operator.put(path, { price_micros: 1 }))).toBe(7930);
  const history = (await operator.get('/v1/price_changes?filter[country]=SE')).body.data;
  expect(history.map((row: Record<string, unknown>) => [row.before_micros, row.after_micros, row.filename])).toEqual([
    [60_000, null, null],
    [50_000, 60_000, null],
    [null, 50_000, null],
  ]);
  const acts = await world.kernel.db.rows<{ action: string }>(sql`
    select action from audit_log where account_id = ${operators.account_id} order by number desc limit 3`);
  expect(acts.map(({ action }) => action)).toEqual(['price.removed', 'price.updated', 'price.created']);
});

test('an account gets a custom price, which takes precedence until it is removed', async () => {
  const company = await makeCompany(world.kernel);
  const caller = world.as(company.token);
  const key = { channel: 'SMS', country: 'IE', currency: 'USD' };
  await operator.post('/v1/prices', { ...key, price_micros: 50_000 });
  const own = { ...key, account_id: company.account_id, price_micros: 30_000 };
  const { data } = (await operator.post('/v1/prices', own)).body;
  expect(data).toMatchObject({ account_id: company.account_id, price_micros: 30_000, user_name: 'Test Person' });
  expect(code(await operator.post('/v1/prices', own))).toBe(7931);
  expect(code(await operator.post('/v1/prices', { ...own, account_id: operators.account_id }))).toBe(1102);
  const rate = async () => (await caller.get('/v1/rates?filter[country]=IE')).body.data;
  expect(await rate()).toMatchObject([{ price_micros: 30_000, custom: true }]);
  const listed = async (filter: string) =>
    (await operator.get(`/v1/prices?filter[country]=IE${filter}`)).body.data.map(
      ({ price_micros }: { price_micros: number }) => price_micros,
    );
  expect(await listed('')).toEqual([50_000]);
  expect(await listed(`&filter[account_id]=${company.account_id}`)).toEqual([30_000]);
  expect((await operator.put(`/v1/prices/${data.id}`, { price_micros: 20_000 })).body.data.previous_micros).toBe(
    30_000,
  );
  expect((await operator.delete(`/v1/prices/${data.id}`)).status).toBe(204);
  expect(await rate()).toMatchObject([{ price_micros: 50_000, custom: false }]);
});

test('customers cannot read or change list prices', async () => {
  const customer = world.as((await makeCompany(world.kernel)).token);
  expect((await customer.get('/v1/prices')).status).toBe(403);
  expect((await customer.post('/v1/price_imports', { filename: 'x', text: 'x' })).status).toBe(403);
});

test.each([
  ['0', 0],
  ['0.0425', 42_500],
  ['0,04', 40_000],
  ['12.3456780', 12_345_678],
  ['10000', 10_000_000_000],
  ['10001', null],
  ['0.0000001', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('the amount "%s" is read exactly as %s', (text, micros) => {
  expect(readAmount(text)).toBe(micros);
  if (micros !== null) expect(readAmount(writeAmount(micros))).toBe(micros);
});

test('a file without the required columns is refused', () => {
  expect(() => readPriceList('a,b\n1,2')).toThrow(/Missing: country, currency, price/);
  expect(() => readPriceList('country,currency,price')).toThrow(/no prices/);
});

type Cell = string | number | null;
async function toSheet(rows: Cell[][]): Promise<string> {
  const [header, ...lines] = rows;
  const columns = header!.map((name, n) => ({ header: String(name), key: String(n) }));
  const data = lines.map((line) => Object.fromEntries(line.map((cell, n) => [String(n), cell])));
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Prices', columns, data }] })).toString('base64');
}
const previewSheet = (xlsx: string, fields: object = {}) =>
  operator.post('/v1/price_imports', { filename: 'list.xlsx', xlsx, ...fields });
const TITLES = ['Channel', 'Country', 'Network', 'Purpose', 'Currency', 'Price'];

test('a spreadsheet has the same preview, and applies like a CSV file', async () => {
  await load(['SMS,DE,,,USD,0.08', 'SMS,FR,,,USD,0.05']);
  const rows = [TITLES, ['SMS', 'DE', null, null, 'USD', 0.16], ['sms', 'fr', 20801, '', 'usd', '0.055']];
  const reply = await previewSheet(await toSheet(rows));
  expect(reply.body).toMatchObject({ data: { filename: 'list.xlsx', added: 1, changed: 1, unchanged: 0, invalid: 0 } });
  expect(reply.body.data.differences).toMatchObject([{ country: 'DE', before_micros: 80_000, after_micros: 160_000 }]);
  expect((await apply(reply)).status).toBe(200);
  expect(await exported()).toEqual(['SMS,DE,,,USD,0.16', 'SMS,FR,,,USD,0.05', 'SMS,FR,20801,,USD,0.055']);
});

test('nonsense in a spreadsheet is listed by its row and changes nothing', async () => {
  await load(['SMS,DE,,,USD,0.08']);
  const rows = [
    TITLES,
    ['SMS', 'DE', null, null, 'USD', 0.1],
    [null, null, null, null, null, null],
    ['SMS', 'FR', null, null, 'USD', -1],
    ['SMS', 'AT', null, null, 'USD', 0.0000001],
    ['SMS', 'IT', null, null, 'USD', 1e9],
    ['SMS', 'Spain', null, null, 'XXX', 'free'],
    ['SMS', 'DE', null, null, 'USD', 0.2],
  ];
  const reply = await previewSheet(await toSheet(rows));
  expect(reply.body.data).toMatchObject({ invalid: 5, changed: 1 });
  const listed = reply.body.data.problems as { line: number; text: string }[];
  expect(listed.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8]);
  expect(listed[4]!.text).toBe('The same destination as in line 2');
  expect(code(await apply(reply))).toBe(7934);
  expect(await exported()).toEqual(['SMS,DE,,,USD,0.08']);
});

test.each([
  ['is no spreadsheet', async () => Buffer.from('channel,country\nSMS,DE').toString('base64'), {}, 7934],
  ['is only the start of a spreadsheet', async () => (await toSheet([TITLES])).slice(0, 400), {}, 7934],
  ['has no prices', () => toSheet([TITLES]), {}, 7934],
  [
    'lacks a column',
    () =>
      toSheet([
        ['Country', 'Price'],
        ['DE', 1],
      ]),
    {},
    7934,
  ],
  ['comes with a text', () => toSheet([TITLES]), { text: HEADER }, 7934],
  ['is not base64', async () => 'price list!', {}, 1705],
])('a file that %s is refused', async (_, file, fields, expected) => {
  const reply = await previewSheet(await file(), fields);
  expect([reply.status, code(reply)]).toEqual([400, expected]);
});
