/** Tests the limit of rows per import, which operators set for each account. SOAK=1 imports files of a million rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, IMPORTS, manyRows } from '../../test/imports.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';
import { runImport } from './run.ts';

const SOAK = process.env.SOAK === '1';
const MB = 1024 * 1024;

let world: World;
let company: Company;
let api: Caller;
let operator: Caller;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  api = world.as(company.token);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(() => world.stop());

const setLimit = (import_rows: unknown) => operator.put(`/v1/accounts/${company.account_id}`, { import_rows });
/** Random characters, as in a damaged file. */
const garbage = (count: number) =>
  Array.from({ length: count }, (_, index) => `${(index * 7_919).toString(36)}~#${index % 97}\n`).join('');

test('an operator raises the limit of an account, within bounds', async () => {
  const refused = await api.upload(IMPORTS, { name: 'Too many' }, csv(manyRows(100_001)));
  expect(refused.body.errors[0]).toMatchObject({ code: 1315, message: 'The file has more than 100,000 rows' });
  expect((await setLimit(99_999)).status).toBe(400);
  expect((await setLimit(1_000_001)).status).toBe(400);
  expect((await api.put(`/v1/accounts/${company.account_id}`, { import_rows: 200_000 })).status).toBe(403);
  expect((await setLimit(100_001)).body.data.import_rows).toBe(100_001);
  expect((await api.get('/v1/accounts/self')).body.data.import_rows).toBe(100_001);
  const { status, body } = await api.upload(IMPORTS, { name: 'Many' }, csv(manyRows(100_001)));
  expect([status, body.data.preview.row_count]).toEqual([201, 100_001]);
  // The limit at the time of the import counts.
  await setLimit(100_000);
  const { columns } = body.data.options;
  const action = { action: 'start', options: { columns } };
  expect((await api.put(`${IMPORTS}/${body.data.id}`, action)).status).toBe(200);
  await runImport(world.kernel, { account_id: company.account_id, id: body.data.id }, new AbortController().signal);
  expect((await api.get(`${IMPORTS}/${body.data.id}`)).body.data).toMatchObject({ status: 'failed', error_code: 1315 });
});

test('a file of garbage is refused, and the server stays small', async () => {
  await setLimit(SOAK ? 1_000_000 : 100_000);
  const text = garbage(SOAK ? 1_000_000 : 50_000);
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  try {
    const reply = await api.upload(IMPORTS, { name: 'Garbage', start: 'yes' }, csv(text));
    expect([reply.status, reply.body.errors[0].code]).toEqual([400, 1311]);
    const more = await api.upload(IMPORTS, { name: 'Garbage' }, csv(garbage(SOAK ? 1_000_002 : 100_002)));
    expect([more.status, more.body.errors[0].code]).toEqual([400, 1315]);
  } finally {
    clearInterval(timer);
  }
  if (SOAK) expect((peak - before) / MB).toBeLessThan(400);
});

test.runIf(SOAK)('a file of a million rows is imported', { timeout: 600_000 }, async () => {
  await setLimit(1_000_000);
  const rows = Array.from({ length: 1_000_000 }, (_, index) => `+1415${2_000_000 + index},P\n`).join('');
  const reply = await api.upload(IMPORTS, { name: 'Million', start: 'yes' }, csv(`Number,First name\n${rows}`));
  expect(reply.status).toBe(201);
  const { id } = reply.body.data;
  await runImport(world.kernel, { account_id: company.account_id, id }, new AbortController().signal);
  await until('the import has ended', async () => (await api.get(`${IMPORTS}/${id}`)).body.data.status === 'completed');
});
