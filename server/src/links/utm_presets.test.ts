import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeCompany } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';

let world: World;
let api: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  api = world.as((await makeCompany(world.kernel)).token);
});
afterAll(() => world.stop());

const code = (reply: Reply) => reply.body.errors[0].code;
const create = (body: object, caller = api) => caller.post('/v1/utm_presets', body);

test('UTM presets are saved, listed by name, and deleted', async () => {
  const { status, body } = await create({ name: 'SMS 📣', source: 'parley', medium: 'sms', campaign: ' Été  2027 ' });
  expect([status, body.data]).toMatchObject([
    201,
    { name: 'SMS 📣', source: 'parley', medium: 'sms', campaign: 'Été 2027', term: '', content: '' },
  ]);
  await create({ name: 'Letters', medium: 'print' });
  const names = async () => (await api.get('/v1/utm_presets')).body.data.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['Letters', 'SMS 📣']);
  expect((await api.delete(`/v1/utm_presets/${body.data.id}`)).status).toBe(204);
  expect(await names()).toEqual(['Letters']);
  expect(code(await api.delete(`/v1/utm_presets/${body.data.id}`))).toBe(2656);
});

test('an empty preset, a name in use, another account’s preset, and too many presets are refused', async () => {
  const own = await create({ name: 'Winter', source: 'parley' });
  expect(code(await create({ name: 'Empty', source: ' ' }))).toBe(2657);
  expect(code(await create({ name: 'WINTER', source: 'other' }))).toBe(2658);
  const { account_id, token } = await makeCompany(world.kernel);
  const stranger = world.as(token);
  expect(code(await stranger.delete(`/v1/utm_presets/${own.body.data.id}`))).toBe(2656);
  expect((await create({ name: 'Winter', source: 'parley' }, stranger)).status).toBe(201);
  await world.kernel.db.run(sql`
    insert into utm_presets (account_id, id, name, params)
    select ${account_id}, gen_random_uuid(), 'Preset ' || n, '{"source": "x"}' from generate_series(1, 49) n`);
  expect(code(await create({ name: 'One more', source: 'x' }, stranger))).toBe(2659);
});
