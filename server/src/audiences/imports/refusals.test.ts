import { allPermissions } from '@parley/contract/permission.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { csv, IMPORTS, manyRows } from '../../test/imports.ts';
import { type Company, makeCompany, makeKey, makeUser } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

/** This world runs no jobs, because files are rejected before any job starts. */
let world: World;
let company: Company;
let owner: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel, { country: 'US' });
  owner = world.as(company.token);
});
afterAll(async () => {
  const broken = (await world.examine()).filter(({ ok }) => !ok);
  await world.stop();
  expect(broken).toEqual([]);
});

describe('an import', () => {
  const files = async () =>
    (
      await world.kernel.db.one<{ count: number }>(
        sql`select count(*) from audience_imports where account_id = ${company.account_id}`,
      )
    ).count;

  test.each<[string, Record<string, string>, string, number, number]>([
    ['neither a name nor an audience', {}, manyRows(1), 400, 1303],
    ['a blank name', { name: '   ' }, manyRows(1), 400, 1303],
    ['a reserved name', { name: 'audience-7' }, manyRows(1), 400, 1304],
    ['a name that is too long', { name: 'x'.repeat(46) }, manyRows(1), 400, 1305],
    ['an invalid audience id', { audience_id: '7' }, manyRows(1), 400, 1302],
    ['an unknown audience', { audience_id: '01890000-0000-7000-8000-000000000000' }, manyRows(1), 404, 1301],
    ['an invalid country', { name: 'Ok', default_country: 'Narnia' }, manyRows(1), 400, 1412],
    ['an invalid policy for existing contacts', { name: 'Ok', existing: 'replace' }, manyRows(1), 400, 1705],
    ['an immediate start and no Number column', { name: 'Ok', start: 'yes' }, 'City\nParis\n', 400, 1311],
    ['a PDF file', { name: 'Ok' }, '%PDF-1.4', 400, 1316],
    ['an unknown delimiter', { name: 'Ok' }, 'Number^City\n+12025550123^Paris\n', 400, 1312],
    ['too many columns', { name: 'Ok' }, `${'a,'.repeat(60)}Number\n`, 400, 1314],
    ['too many rows', { name: 'Ok' }, manyRows(100_001), 400, 1315],
    ['no rows', { name: 'Ok' }, 'Number\n', 400, 7912],
  ])('is rejected when it has %s', async (_, fields, text, status, code) => {
    const before = await files();
    const reply = await owner.upload(IMPORTS, fields, csv(text));
    expect(reply.status).toBe(status);
    expect(reply.body.errors[0]).toMatchObject({ code, status });
    expect(await files()).toBe(before);
  });

  test('is rejected when its name is taken, regardless of case', async () => {
    await owner.post('/v1/audiences', { name: 'Taken', channel: 'SMS' });
    expect((await owner.upload(IMPORTS, { name: 'taken' }, csv(manyRows(1)))).body.errors[0]).toMatchObject({
      code: 1309,
      status: 409,
    });
  });

  test('is rejected without a file or a multipart body', async () => {
    const form = new FormData();
    form.append('name', 'No file');
    expect((await owner.raw(IMPORTS, { method: 'POST', body: form })).body.errors[0]).toMatchObject({
      code: 1705,
      field: 'file',
    });
    expect((await owner.post(IMPORTS, { name: 'No file' })).body.errors[0].code).toBe(1009);
  });

  test('is rejected when the user lacks permission', async () => {
    const { token } = await makeUser(world.kernel, company.account_id, {
      permissions: { ...allPermissions(), AUDIENCES: 1 },
    });
    expect((await world.as(token).upload(IMPORTS, { name: 'Sneaky' }, csv(manyRows(10)))).body.errors[0].code).toBe(
      1136,
    );
  });

  test('is rejected when ten others are in progress', async () => {
    const other = await makeCompany(world.kernel);
    const caller = world.as(await makeKey(world.kernel, other.account_id).then((key) => ({ key })));
    const replies = [];
    for (let index = 0; index < 11; index++)
      replies.push((await caller.upload(IMPORTS, { name: `Many ${index}`, start: 'true' }, csv(manyRows(2)))).status);
    expect(replies).toEqual([...Array.from({ length: 10 }, () => 201), 400]);
    const last = await caller.upload(IMPORTS, { name: 'Many more', start: 'true' }, csv(manyRows(2)));
    expect(last.body.errors[0]).toMatchObject({ code: 1310, message: 'At most 10 imports can run at the same time' });
  });

  test('cannot start without a Number column or with an unknown column', async () => {
    const { body } = await owner.upload(IMPORTS, { name: 'Cities' }, csv('City\nParis\nRome\n'));
    const path = `${IMPORTS}/${body.data.id}`;
    expect(body.data.options.columns).toEqual({});
    expect((await owner.put(path, {})).body.errors[0]).toMatchObject({ code: 1311, field: 'file' });
    expect((await owner.put(path, { options: { columns: { number: 3 } } })).body.errors[0]).toMatchObject({
      code: 1705,
      field: 'options.columns.number',
    });
    expect((await owner.get(path)).body.data.status).toBe('mapping');
  });

  test('is not found by another account', async () => {
    const { body } = await owner.upload(IMPORTS, { name: 'Mine' }, csv(manyRows(2)));
    const stranger = world.as((await makeCompany(world.kernel)).token);
    const path = `${IMPORTS}/${body.data.id}`;
    for (const reply of [
      await stranger.get(path),
      await stranger.put(path, { options: { columns: { number: 0 } } }),
      await stranger.delete(path),
      await stranger.get(`${path}/refused_rows`),
      await stranger.get(`${path}/rows`),
    ])
      expect(reply.body.errors[0]).toMatchObject({ code: 1317, status: 404 });
    expect((await stranger.get(IMPORTS)).body.data).toEqual([]);
  });
});
