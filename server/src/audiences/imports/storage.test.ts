import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { csv, IMPORTS, manyRows } from '../../test/imports.ts';
import { makeCompany } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { FILES_MB: '1' } });
});
afterAll(() => world.stop());

const usage = (account_id: string) =>
  world.kernel.db.one<{ files: number; refused: number }>(sql`
    select sum(file_bytes)::int as files, sum(refused_bytes)::int as refused from audience_imports
    where account_id = ${account_id}`);

test('the files of imports count toward the storage of the company until they are removed', async () => {
  const company = await makeCompany(world.kernel, { country: 'US' });
  const owner = world.as(company.token);
  const file = csv(manyRows(24_000));
  const first = await owner.upload(IMPORTS, { name: 'First' }, file);
  expect(first.status).toBe(201);
  expect((await usage(company.account_id)).files).toBe(file.bytes.length);
  const second = await owner.upload(IMPORTS, { name: 'Second' }, file);
  expect([second.status, second.body.errors[0].code]).toEqual([409, 1918]);
  await owner.put(`${IMPORTS}/${first.body.data.id}`, { action: 'start', options: { columns: { number: 0 } } });
  await until('the file is removed', async () => (await usage(company.account_id)).files === 0, 30_000);
  expect(
    (await owner.upload(IMPORTS, { name: 'Third', start: 'true' }, csv('Number\n12\n+12025550123\n'))).status,
  ).toBe(201);
  await until('the rejected rows are stored', async () => (await usage(company.account_id)).refused > 0, 30_000);
});
