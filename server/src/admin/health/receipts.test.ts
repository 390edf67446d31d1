import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { trimUnmatched } from '../../messages/messages.ts';
import { makeCarrier, makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';

let world: World;
let operator: Caller;
let first: string;
let second: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  first = (await makeCarrier(world.kernel, { name: 'First carrier' })).connection_id;
  second = (await makeCarrier(world.kernel, { name: 'Second carrier' })).connection_id;
});
afterAll(() => world.stop());
beforeEach(() => world.kernel.db.run(sql`delete from unmatched_reports`));

const keep = (connection_id: string, external_id: string, number: string, age = '1 minute') =>
  world.kernel.db.run(sql`
    insert into unmatched_reports (id, connection_id, external_id, number, report, create_date)
    values (${newId()}, ${connection_id}, ${external_id}, ${number}, ${JSON.stringify({
      ...{ sender: 'Parley', status: 'delivered', state: 'DELIVERED', code: null, reference: 7 },
    })}::jsonb, now() - ${age}::interval)`);
const listIds = async (query = '') =>
  (await operator.get(`/v1/unmatched_receipts${query}`)).body.data.map(
    (row: { external_id: string }) => row.external_id,
  );

test('an operator lists unmatched receipts by message ID, number, connection, and time, newest first', async () => {
  await keep(first, 'ab-1', '447400000001', '5 hours');
  await keep(second, 'ab-2', '447400000002');
  await keep(first, '', '12025550188');
  expect(await listIds()).toEqual(['', 'ab-2', 'ab-1']);
  expect(await listIds('?filter[search]=ab-')).toEqual(['ab-2', 'ab-1']);
  expect(await listIds('?filter[search]=%2B1202')).toEqual(['']);
  expect(await listIds(`?filter[connection_id]=${first}`)).toEqual(['', 'ab-1']);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19);
  expect(await listIds(`?filter[from_date]=${hourAgo}`)).toEqual(['', 'ab-2']);
  expect(await listIds(`?filter[to_date]=${hourAgo}`)).toEqual(['ab-1']);
  expect((await operator.get('/v1/unmatched_receipts')).body.data[1]).toMatchObject({
    connection_name: 'Second carrier',
    ...{ number: '447400000002', sender: 'Parley', status: 'delivered', state: 'DELIVERED', code: null, reference: 7 },
  });
});

test('the list of unmatched receipts is not available when the caller is a customer', async () => {
  const customer = world.as((await makeCompany(world.kernel)).token);
  expect((await customer.get('/v1/unmatched_receipts')).status).toBe(403);
});

test('a connection keeps its newest unmatched receipts when there are too many', async () => {
  for (const id of ['1', '2', '3', '4']) await keep(first, id, '447400000001');
  await keep(second, '5', '447400000001');
  await trimUnmatched(world.kernel.db, 2);
  expect(await listIds()).toEqual(['5', '4', '3']);
});
