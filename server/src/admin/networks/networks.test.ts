import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPriceBook } from '../../billing/billing.ts';
import { makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../../test/world.ts';
import { readBundledPlan, readPlan } from './numbering_plan.ts';

let world: World;
let operator: Caller;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(() => world.stop());

const update = (lines: string[] | null, apply = true): Promise<Reply> =>
  operator.put('/v1/networks', { text: lines && ['mccmnc,name,country,prefixes', ...lines].join('\n'), apply });
const total = async () => (await operator.get('/v1/networks')).body.pagination.total;

test('the bundled plan is valid and names the network of a number', async () => {
  const { networks, problems } = readPlan(await readBundledPlan());
  expect(problems).toEqual([]);
  expect(networks.length).toBeGreaterThan(600);
  expect(new Set(networks.map(({ country }) => country)).size).toBeGreaterThan(180);
  expect((await update(null)).body.data).toMatchObject({ added: networks.length, removed: 0, applied: true });
  expect((await update(null)).body.data).toMatchObject({ added: 0, changed: 0, unchanged: networks.length });
  const book = await readPriceBook(world.kernel);
  expect(book.networkName('26202')).toBe('Vodafone');
  expect((await operator.get('/v1/networks?filter[search]=491721234567')).body.data).toMatchObject([
    { mccmnc: '26202', country: 'DE' },
  ]);
  // Countries share +1: the plan has the Caribbean and the Pacific, but no free data covers the United States.
  const find = async (number: string) => (await operator.get(`/v1/networks?filter[search]=${number}`)).body.data;
  expect(await find('18764201234')).toMatchObject([{ name: 'Digicel', country: 'JM' }]);
  expect(await find('12025550123')).toEqual([]);
});

test('an update replaces the plan, and its preview changes nothing', async () => {
  await update(['11111,First,DE,49151 49152', '22222,Second,DE,49160']);
  const next = ['11111,First,DE,49151', '33333,Third,FR,336'];
  const expected = { added: 1, changed: 1, removed: 1, unchanged: 0, prefixes: 2 };
  expect((await update(next, false)).body.data).toMatchObject({ ...expected, applied: false });
  expect(await total()).toBe(2);
  expect((await update(next)).body.data).toMatchObject({ ...expected, applied: true });
  const rows = (await operator.get('/v1/networks')).body.data;
  expect(rows).toEqual([
    { mccmnc: '11111', name: 'First', country: 'DE', prefixes: ['49151'] },
    { mccmnc: '33333', name: 'Third', country: 'FR', prefixes: ['336'] },
  ]);
});

test('a plan with an invalid line is not applied', async () => {
  await update(['11111,First,DE,49151']);
  const reply = await update([
    '11111,First,DE,49151',
    '1,Bad,DE,49',
    '22222,,DE,49',
    '33333,X,XX,1',
    '44444,X,DE,49151',
  ]);
  expect(reply.body.data).toMatchObject({ invalid: 4, applied: false });
  expect(reply.body.data.problems.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5, 6]);
  expect(await total()).toBe(1);
});

test('a file without the required columns is refused', async () => {
  const reply = await operator.put('/v1/networks', { text: 'a,b\n1,2', apply: true });
  expect(reply.status).toBe(400);
  expect(reply.body.errors[0].message).toContain('Missing: mccmnc, name, country, prefixes');
});
