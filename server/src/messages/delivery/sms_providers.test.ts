/** SMS over the APIs of the providers that the sandbox simulates: receipts, replies, refusals, and lost responses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TABLES } from '../../channels/sms_http/test/tables.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { addRate, connectProvider, listProviders, SENDER } from '../../test/peers/sandbox_providers.ts';
import { type Caller, createWorld, until, type World } from '../../test/world.ts';

const PROVIDERS = Object.keys(TABLES);
let world: World;
let api: Caller;
let code: string;

beforeAll(async () => {
  world = await createWorld({ sandbox: true });
  const { kernel } = world;
  await addRate(world);
  const providers = await listProviders(world.sandbox!);
  expect(providers.map(({ name }) => name)).toEqual(PROVIDERS);
  for (const provider of providers)
    await connectProvider(world, provider, {
      origin: world.sandbox!.url,
      prefix: numberFor(provider.name).slice(0, 6),
    });
  const company = await makeCompany(kernel);
  ({ code } = await makeSender(kernel, company.account_id, { code: SENDER }));
  api = world.as(company.token);
});
afterAll(() => world?.stop());

/** Each provider serves the numbers with one prefix. The ending decides what the phone does. */
const numberFor = (name: string, ending = '111111') => `4474${10 + PROVIDERS.indexOf(name)}${ending}`;

// biome-ignore lint/suspicious/noExplicitAny: responses of the sandbox have many shapes.
async function box(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(world.sandbox!.url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return response.json();
}

async function send(to: string, text = 'Your table is ready'): Promise<string> {
  const { status, body, text: raw } = await api.post('/v1/messages', { from: code, to, channel: 'SMS', text });
  expect(status, raw).toBe(200);
  return body.data[0].id;
}
const read = async (id: string) => (await api.get(`/v1/messages/${id}`)).body.data;
const becomes = (id: string, status: string) =>
  until(`the message is ${status}`, async () => (await read(id)).status === status);

describe.each(PROVIDERS)('%s', (name) => {
  test('a message is delivered and charged, and the reply arrives in the conversation', async () => {
    const to = numberFor(name);
    const id = await send(to);
    await becomes(id, 'delivered');
    expect(await read(id)).toMatchObject({ charge: 'settled', price_micros: 40_000, connection_name: name });
    await box('POST', `/api/phones/${to}/messages`, { to: code, text: 'On my way 👍' });
    await until('the reply is stored', async () => {
      const { body } = await api.get(`/v1/messages?filter[direction]=MO&filter[from]=${to}`);
      return body.data[0]?.text === 'On my way 👍';
    });
  });

  test('a failed receipt and a refusal end the message, and a refusal costs nothing', async () => {
    const [undelivered, refused] = [await send(numberFor(name, '900901')), await send(numberFor(name, '900902'))];
    await becomes(undelivered, 'failed');
    await becomes(refused, 'rejected');
    expect((await read(refused)).charge).toBe('released');
  });

  test('throttling delays a message, and a repeated receipt changes nothing', async () => {
    const [throttled, twice] = [await send(numberFor(name, '900909')), await send(numberFor(name, '900907'))];
    await becomes(throttled, 'delivered');
    await becomes(twice, 'delivered');
  });

  test('a lost response is resolved by the receipt, and the phone gets the message once', async () => {
    const to = numberFor(name, '900910');
    const id = await send(to, 'Only once');
    await becomes(id, 'delivered');
    const { messages } = await box('GET', `/api/phones/${to}/messages`);
    expect(messages.filter(({ text }: { text: string }) => text === 'Only once')).toHaveLength(1);
  });
});

test('the ledger and the messages are consistent after these tests', async () => {
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});
