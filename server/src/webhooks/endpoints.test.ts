/** Webhooks to servers that redirect, never answer, answer without an end, or move to a private network. */
import dns from 'node:dns/promises';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeCompany } from '../test/make.ts';
import { type Caller, createWorld, until, type World } from '../test/world.ts';

/** The address of the host `hook.example` at the moment. */
let address = '127.0.0.1';
const systemLookup = dns.lookup;
/** Replaces the lookup of the process, which the worker uses. */
function replaceLookup(lookup: unknown): void {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
}

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  response: ServerResponse;
}

let world: World;
let owner: Caller;
let server: Server;
let port: number;
const received: Received[] = [];
/** The server's behavior at each path; it answers 200 by default. */
const answers: Record<string, (response: ServerResponse) => void> = {};

beforeAll(async () => {
  replaceLookup((host: string, options: { all: true }) =>
    host === 'hook.example' ? Promise.resolve([{ address, family: 4 }]) : systemLookup(host, options),
  );
  world = await createWorld();
  owner = world.as((await makeCompany(world.kernel)).token);
  server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const path = request.url!;
    received.push({ path, headers: request.headers, text, response });
    (answers[path] ?? ((one) => one.end()))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  replaceLookup(systemLookup);
  server?.closeAllConnections();
  await world?.stop();
  server?.close();
});

const at = (path: string) => received.filter((one) => one.path === path);
const create = async (path: string, host = '127.0.0.1') =>
  (await owner.post('/v1/webhooks', { url: `http://${host}:${port}${path}`, events: ['message.sent'] })).body.data as {
    id: string;
    secret: string;
  };
/** Sends an example, and returns the path of its delivery. */
const send = async (id: string) => {
  const { body } = await owner.post(`/v1/webhooks/${id}/examples`, { event: 'message.sent' });
  return `/v1/webhooks/${id}/deliveries/${body.data.id}`;
};
/** Waits until the delivery has this number of attempts, and returns the last one. */
async function attempt(delivery: string, count = 1) {
  let attempts: { response_status: number | null; response_body: string | null; error: string | null }[] = [];
  await until(`${count} attempts of the delivery`, async () => {
    ({ attempts } = (await owner.get(delivery)).body.data);
    return attempts.length >= count;
  });
  return attempts.at(-1)!;
}

test('a redirect is a failure and is not followed', async () => {
  answers['/moved'] = (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/target` }).end();
  const { id } = await create('/moved');
  expect(await attempt(await send(id))).toMatchObject({ response_status: 302, error: 'The server responded 302' });
  expect(at('/target')).toEqual([]);
});

test('only the beginning of a response without an end is read, and its connection is closed', async () => {
  let closed = false;
  answers['/endless'] = (response) => {
    const write = () => {
      while (!closed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', write);
    response.on('close', () => {
      closed = true;
    });
    write();
  };
  const { id } = await create('/endless');
  const { response_status, response_body } = await attempt(await send(id));
  expect([response_status, response_body?.length]).toEqual([200, 1_000]);
  await until('the connection is closed', () => closed);
});

test('a server that never answers gets at most 2 requests at a time, and delays no other webhook', async () => {
  let [open, most] = [0, 0];
  answers['/silent'] = (response) => {
    open++;
    most = Math.max(most, open);
    response.on('close', () => {
      open--;
    });
  };
  onTestFinished(() => {
    for (const { response } of at('/silent')) response.destroy();
    answers['/silent'] = (response) => response.destroy();
  });
  const [silent, other] = [await create('/silent'), await create('/other')];
  const deliveries: string[] = [];
  for (let n = 0; n < 15; n++) {
    deliveries.push(await send(silent.id));
    await send(other.id);
  }
  await until('the other webhook has everything', () => at('/other').length === 15);
  await until('the requests are open', () => at('/silent').length >= 2);
  expect(most).toBe(2);
  for (const { response } of at('/silent')) response.destroy();
  expect((await attempt(deliveries[0]!)).response_status).toBeNull();
});

test('a webhook whose host moves to a private network receives no deliveries until it moves back', async () => {
  const { id } = await create('/moving', 'hook.example');
  await attempt(await send(id));
  expect(at('/moving').length).toBe(1);
  for (const inside of ['10.0.0.1', '169.254.169.254', '192.168.1.1']) {
    address = inside;
    expect(await attempt(await send(id))).toMatchObject({
      response_status: null,
      error: 'The URL points to a private network',
    });
    // A failing webhook waits between its deliveries.
    address = '127.0.0.1';
    const delivery = await send(id);
    await owner.post(`${delivery}/resend`);
    await attempt(delivery);
  }
});

test('a repeated delivery has its first ID, and a consumer refuses late and changed deliveries', async () => {
  answers['/repeated'] = (response) => response.writeHead(at('/repeated').length === 1 ? 500 : 200).end();
  const { id, secret } = await create('/repeated');
  const delivery = await send(id);
  await attempt(delivery);
  await owner.post(`${delivery}/resend`);
  await attempt(delivery, 2);
  const [first, second] = at('/repeated');
  const consumer = new Webhook(secret);
  const headers = (one: Received, change: Record<string, string> = {}) => ({
    ...(one.headers as Record<string, string>),
    ...change,
  });
  for (const one of [first!, second!])
    expect(consumer.verify(one.text, headers(one))).toMatchObject({ type: 'message.sent' });
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect(() => consumer.verify(first!.text, headers(first!))).toThrow('too old');
  const later = String(Math.floor(Date.now() / 1_000));
  expect(() => consumer.verify(first!.text, headers(first!, { 'webhook-timestamp': later }))).toThrow('signature');
});
