/**
 * Third-party programs that talk to the API unchanged, after setting the base URL, the key, and the name of its header:
 * openapi-client-axios and openapi-fetch, which are clients for any OpenAPI document, and curl. Each one sends a
 * message, reads its status, finds it in the list, and receives its report, which the published library of Standard
 * Webhooks verifies.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import createClient from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCarrier } from '../carrier.ts';
import { makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { isInstalled } from '../peers/debian.ts';
import { createWorld, until, type World } from '../world.ts';

/** The name that a client of another vendor sends. */
const HEADER = 'X-Harbour-Key';

interface Setup {
  url: string;
  key: string;
}
interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the programs read arbitrary bodies
  body: any;
}
/** The calls of a program. */
interface Program {
  createWebhook(data: object): Promise<Reply>;
  send(data: object): Promise<Reply>;
  read(id: string): Promise<Reply>;
  list(query: Readonly<Record<string, string>>): Promise<Reply>;
}

async function openapiClientAxios({ url, key }: Setup): Promise<Program> {
  const api = new OpenAPIClientAxios({
    definition: `${url}/v1/openapi.json`,
    axiosConfigDefaults: { baseURL: url, headers: { [HEADER]: key }, validateStatus: () => true },
  });
  const client = await api.init();
  const call = async (id: string, parameters: Record<string, string>, data?: object): Promise<Reply> => {
    const { status, data: body } = await client[id]!(parameters, data && { data });
    return { status, body };
  };
  return {
    createWebhook: (data) => call('webhooks.create', {}, data),
    send: (data) => call('messages.create', {}, data),
    read: (id) => call('messages.get', { id }),
    list: (query) => call('messages.list', { ...query }),
  };
}

async function openapiFetch({ url, key }: Setup): Promise<Program> {
  // biome-ignore lint/suspicious/noExplicitAny: generated_client.test.ts checks the types
  const client = createClient<any>({ baseUrl: url, headers: { [HEADER]: key } }) as any;
  const reply = ({ response, data, error }: { response: Response; data?: unknown; error?: unknown }): Reply => ({
    status: response.status,
    body: data ?? error,
  });
  return {
    createWebhook: async (data) => reply(await client.POST('/v1/webhooks', { body: { data } })),
    send: async (data) => reply(await client.POST('/v1/messages', { body: { data } })),
    read: async (id) => reply(await client.GET('/v1/messages/{id}', { params: { path: { id } } })),
    list: async (query) => reply(await client.GET('/v1/messages', { params: { query } })),
  };
}

async function curl({ url, key }: Setup): Promise<Program> {
  const call = async (path: string, ...options: string[]): Promise<Reply> => {
    const common = ['--silent', '--show-error', '--write-out', '\n%{http_code}', '--header', `${HEADER}: ${key}`];
    const { stdout } = await promisify(execFile)('curl', [...common, ...options, url + path]);
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), body: JSON.parse(stdout.slice(0, end)) };
  };
  const post = (path: string, data: object) =>
    call(path, '--header', 'Content-Type: application/json', '--data', JSON.stringify({ data }));
  return {
    createWebhook: (data) => post('/v1/webhooks', data),
    send: (data) => post('/v1/messages', data),
    read: (id) => call(`/v1/messages/${id}`),
    list: (query) =>
      call('/v1/messages', '--get', ...Object.entries(query).flatMap((pair) => ['--data-urlencode', pair.join('=')])),
  };
}

const PROGRAMS = { 'openapi-client-axios': openapiClientAxios, 'openapi-fetch': openapiFetch, curl } as const;

let world: World;
let receiver: Server;
const received: { path: string; headers: Record<string, string>; text: string }[] = [];
beforeAll(async () => {
  world = await createWorld({ sandbox: true, settings: { API_KEY_HEADERS: `X-API-Key,${HEADER}` } });
  await openCarrier(world).set({ receipt_delay_ms: 20, receipt_jitter_ms: 0 });
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp });
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    received.push({ path: request.url!, headers: request.headers as Record<string, string>, text });
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await world?.stop();
  receiver?.close();
});

const isCurlAvailable = isInstalled('curl', () => spawnSync('curl', ['--version']).status === 0);

describe.each(Object.entries(PROGRAMS))('%s', (name, start) => {
  test.skipIf(name === 'curl' && !isCurlAvailable)(
    'sends a message, reads its status, finds it in the list, and receives its report',
    async () => {
      const { account_id } = await makeCompany(world.kernel);
      const { code } = await makeSender(world.kernel, account_id);
      const program = await start({ url: world.url, key: await makeKey(world.kernel, account_id) });
      const path = `/${name}`;
      const hook = await program.createWebhook({
        url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`,
        events: ['message.delivered'],
      });
      expect(hook).toMatchObject({ status: 201, body: { data: { secret: expect.stringMatching(/^whsec_/) } } });

      const message = { from: code, to: ['+447410000123'], channel: 'SMS', text: 'Hello', payload: 'order-7' };
      const sent = await program.send(message);
      expect(sent).toMatchObject({ status: 200, body: { data: [{ account_id, status: 'enroute' }] } });
      const [{ id }] = sent.body.data;
      const refused = await program.send({ ...message, to: [] });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 1506 }] } });

      await until('the message is delivered', async () => (await program.read(id)).body.data.status === 'delivered');
      const query = { 'filter[to]': '447410000123', 'filter[statuses]': 'DELIVERED', page: '0', page_size: '10' };
      expect(await program.list(query)).toMatchObject({
        status: 200,
        body: { data: [{ id, status: 'delivered' }], pagination: { total: 1, links: { next: null } } },
      });

      await until('the report has arrived', () => received.some((one) => one.path === path));
      const { headers, text } = received.find((one) => one.path === path)!;
      expect(new Webhook(hook.body.data.secret).verify(text, headers)).toMatchObject({
        type: 'message.delivered',
        data: { id, payload: 'order-7' },
      });
    },
  );
});
