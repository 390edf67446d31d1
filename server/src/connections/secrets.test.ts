import { afterAll, beforeAll, expect, test } from 'vitest';
import { getAdapter } from '../channels/index.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { createWorld, until, type World } from '../test/world.ts';

let world: World;
let operators: Company;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  operators = await makeCompany(world.kernel, { operator: true });
});
afterAll(() => world?.stop());

test('a bind uses the sealed password, and the adapter counts binds and parts without unsealing it', async () => {
  const api = world.as(operators.token);
  const settings = { host: '127.0.0.1', port: world.sandbox!.smpp, system_id: 'parley', password: 'sandbox' };
  const { id } = (await api.post('/v1/connections', { name: 'Sealed', adapter: 'smpp', settings })).body.data;
  const stored = await world.kernel.db.one<{ settings: { password: string } }>(
    sql`select settings from connections where id = ${id}`,
  );
  expect(stored.settings.password).toMatch(/^sealed\./);
  await until('the connection is bound', async () => {
    const { binds } = (await api.get(`/v1/connections/${id}`)).body.data as { binds: { state: string }[] };
    return binds.length === 1 && binds[0]!.state === 'bound';
  });
  const connection = { id, settings: stored.settings };
  const smpp = getAdapter('smpp');
  expect([smpp.binds(connection), smpp.parts(connection, 'x'.repeat(161))]).toEqual([1, 2]);
});
