import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from '../test/make.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';

let world: World;
let company: Company;
let api: Caller;
let code: string;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  await carrier({ receipt_delay_ms: 50, receipt_jitter_ms: 20 });
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, countries: ['GB', 'US'] });
  await until('a line is up', async () => (await lineStates()).includes('bound'));
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  ({ code } = await makeSender(world.kernel, company.account_id));
  api = world.as(company.token);
});

const lineStates = async () =>
  (await world.kernel.db.rows<{ state: string }>(sql`select state from binds`)).map(({ state }) => state);
const carrier = (settings: object) =>
  fetch(`${world.sandbox!.url}/api/carrier`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
const send = async (to: string, text = 'Your order is ready'): Promise<string> => {
  const reply = await api.post('/v1/messages', { from: code, to, channel: 'sms', text });
  expect(reply.status).toBe(200);
  return reply.body.data[0].id;
};
const message = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const becomes = async (id: string, status: string, ms = 10_000) => {
  await until(`message is ${status}`, async () => (await message(id)).status === status, ms);
  return message(id);
};
const submissions = async (to: string) =>
  (
    (await (await fetch(`${world.sandbox!.url}/api/submissions?to=${to}`)).json()) as {
      submissions: { text: string; from: string }[];
    }
  ).submissions;
const sound = async () => expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);

describe('a message', () => {
  test('is sent, delivered and paid for', async () => {
    const id = await send('447400000001');
    const done = await becomes(id, 'delivered');
    expect(done.timeline.map(({ status, source }: { status: string; source: string }) => [status, source])).toEqual([
      ['enroute', 'gate'],
      ['sent', 'carrier'],
      ['delivered', 'carrier'],
    ]);
    expect(done).toMatchObject({ charge: 'settled', external_ids: [expect.any(String)] });
    expect(await submissions('447400000001')).toMatchObject([{ text: 'Your order is ready', from: code }]);
    await sound();
  });
});
