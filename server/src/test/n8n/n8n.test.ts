/** Runs the n8n nodes against a running server, in a context that makes the same HTTP calls as n8n's. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ParleyApi } from '../../../../n8n/src/credentials/ParleyApi.credentials.ts';
import type {
  Context,
  ExecuteContext,
  Field,
  HookContext,
  HttpResponse,
  Item,
  WebhookContext,
} from '../../../../n8n/src/n8n.ts';
import { Parley } from '../../../../n8n/src/nodes/Parley.node.ts';
import { ParleyTrigger } from '../../../../n8n/src/nodes/ParleyTrigger.node.ts';
import { isSigned } from '../../../../n8n/src/nodes/signature.ts';
import { newId } from '../../kernel/clock.ts';
import { emit } from '../../kernel/live/events.ts';
import { newSecret, signatureHeaders, signingKeys } from '../../webhooks/signatures.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeKey, makeSender, testNumber } from '../make.ts';
import { type Caller, createWorld, until, type World } from '../world.ts';

const PACKAGE = fileURLToPath(new URL('../../../../n8n/', import.meta.url));
let world: World;
let company: Company;
let owner: Caller;
let from: string;
let apiKey: string;
beforeAll(async () => {
  world = await createWorld();
  await makeCarrier(world.kernel, { countries: ['GB'] });
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
  from = (await makeSender(world.kernel, company.account_id)).code;
  apiKey = await makeKey(world.kernel, company.account_id);
});
afterAll(() => world?.stop());

/** Like n8n, it adds the headers of the credential and returns each response. */
const makeContext = (key = apiKey): Context => ({
  getCredentials: async () => ({ url: `${world.url}/`, apiKey: key }),
  helpers: {
    async httpRequestWithAuthentication(this, _credential, request): Promise<HttpResponse> {
      const { 'X-API-Key': header } = new ParleyApi().authenticate.properties.headers;
      expect(header).toBe('={{$credentials.apiKey}}');
      const response = await fetch(request.url, {
        method: request.method,
        headers: { 'X-API-Key': key, 'content-type': 'application/json', ...request.headers },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      const text = await response.text();
      return { statusCode: response.status, body: text ? JSON.parse(text) : null };
    },
  },
});

function run(parameters: Record<string, unknown>, { continues = false, key = apiKey } = {}): Promise<Item[][]> {
  const context: ExecuteContext = {
    ...makeContext(key),
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name, _index, fallback) => parameters[name] ?? fallback,
    continueOnFail: () => continues,
  };
  return new Parley().execute.call(context);
}

test('the node sends, reads, looks up, and adds a contact', async () => {
  const text = 'Zoë 👋';
  const message = { operation: 'sendMessage', channel: 'SMS', from, to: `${testNumber(1)}, ${testNumber(2)}`, text };
  const options = { payload: 'order 7', idempotency_key: 'order-7', template: '', schedule: '' };
  const [sent] = await run({ ...message, options });
  expect(sent).toMatchObject(
    [testNumber(1), testNumber(2)].map((to) => ({ json: { to, text }, pairedItem: { item: 0 } })),
  );
  const [again] = await run({ ...message, options });
  expect(again!.map(({ json }) => json.id)).toEqual(sent!.map(({ json }) => json.id));
  const [found] = await run({ operation: 'getMessage', messageId: ` ${sent![0]!.json.id} ` });
  expect(found![0]!.json).toMatchObject({ id: sent![0]!.json.id, text });
  const audienceId = await makeAudience(world.kernel, company.account_id, []);
  const details = { first_name: 'Zoë', last_name: '' };
  const [contact] = await run({ operation: 'addContact', audienceId, number: testNumber(3), details });
  expect(contact![0]!.json).toMatchObject({ number: testNumber(3), first_name: 'Zoë', last_name: '' });
  const lookup = await run({ operation: 'lookUpNumber', number: 'x' }, { continues: true });
  expect(lookup[0]![0]!.json.description).toMatch(/^Code 7910/);
});

test('errors include their code, field, and request ID, and hostile input changes nothing', async () => {
  const message = { operation: 'sendMessage', channel: 'SMS', from, to: 'nobody', text: 'Hello' };
  await expect(run(message)).rejects.toMatchObject({
    description: expect.stringMatching(/^Code 1523, field to.*, request ID [0-9a-f-]{36}$/),
  });
  const [failed] = await run({ ...message, text: 'a\0b' }, { continues: true });
  expect(failed![0]!.json).toMatchObject({ error: expect.any(String), description: expect.stringContaining('1705') });
  await expect(run({ operation: 'getMessage', messageId: '../accounts/self' })).rejects.toMatchObject({ status: 400 });
  await expect(run(message, { key: 'a'.repeat(32) })).rejects.toMatchObject({ code: 1101 });
});

interface Trigger {
  hooks: HookContext;
  state: Record<string, unknown>;
  /** The data that the workflow received. */
  items: Item[];
  statuses: number[];
  requests: { body: Buffer; headers: IncomingHttpHeaders }[];
}

/** A workflow in n8n with the trigger, and its URL. */
async function makeTrigger(events: string[]): Promise<Trigger> {
  const state: Record<string, unknown> = {};
  const trigger: Trigger = { state, items: [], statuses: [], requests: [] } as never;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    trigger.requests.push({ body, headers: request.headers });
    const answer = (code: number) => {
      trigger.statuses.push(code);
      response.statusCode = code;
    };
    const context: WebhookContext = {
      ...makeContext(),
      getWorkflowStaticData: () => state,
      getHeaderData: () => request.headers,
      getRequestObject: () => ({ rawBody: body }),
      getResponseObject: () => ({
        status: (code) => {
          answer(code);
          return { send: (text) => ({ end: () => response.end(text) }) };
        },
      }),
    };
    const { workflowData, noWebhookResponse } = await new ParleyTrigger().webhook.call(context);
    trigger.items.push(...(workflowData?.[0] ?? []));
    if (noWebhookResponse) return;
    answer(200);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
  trigger.hooks = {
    ...makeContext(),
    getNodeParameter: () => events,
    getNodeWebhookUrl: () => url,
    getWorkflowStaticData: () => state,
  };
  return trigger;
}

test('the trigger adds its webhook, starts the workflow with signed events only, and removes the webhook', async () => {
  const trigger = await makeTrigger(['message.failed', 'message.delivered']);
  const { checkExists, create, delete: remove } = new ParleyTrigger().webhookMethods.default;
  expect(await checkExists.call(trigger.hooks)).toBe(false);
  expect(await create.call(trigger.hooks)).toBe(true);
  expect(await checkExists.call(trigger.hooks)).toBe(true);
  const webhooks = (await owner.get('/v1/webhooks')).body.data;
  expect(webhooks).toMatchObject([{ events: ['message.delivered', 'message.failed'], id: trigger.state.id }]);
  await world.kernel.db.tx(async (tx) => {
    const message = {
      ...{ id: newId(), account_id: company.account_id, direction: 'MT', channel: 'SMS', from, status: 'delivered' },
      ...{ to: '447700900123', text: 'Zoë 👋', create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' },
    };
    emit(tx, messageStatusChanged, company.account_id, message as never);
  });
  await until('the workflow starts', () => trigger.items.length === 1);
  expect(trigger.items[0]!.json).toMatchObject({
    ...{ type: 'message.delivered', data: { text: 'Zoë 👋' }, webhook_id: expect.any(String) },
  });
  const [{ body, headers }] = trigger.requests as [Trigger['requests'][number]];
  const url = trigger.hooks.getNodeWebhookUrl('default')!;
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));
  const forged = await fetch(url, { method: 'POST', body: `${body} `, headers: sent as Record<string, string> });
  expect([forged.status, (await fetch(url, { method: 'POST', body: '{}' })).status]).toEqual([401, 401]);
  expect(trigger.items).toHaveLength(1);
  expect(await remove.call(trigger.hooks)).toBe(true);
  expect([(await owner.get('/v1/webhooks')).body.data, trigger.state]).toEqual([[], {}]);
});

test('a trigger whose webhook was deleted or whose events changed repairs it', async () => {
  const events = ['message.failed'];
  const trigger = await makeTrigger(events);
  const { checkExists, create, delete: remove } = new ParleyTrigger().webhookMethods.default;
  await create.call(trigger.hooks);
  events.push('message.read');
  expect(await checkExists.call(trigger.hooks)).toBe(true);
  expect((await owner.get('/v1/webhooks')).body.data[0].events).toEqual(events);
  await owner.delete(`/v1/webhooks/${trigger.state.id}`);
  expect(await checkExists.call(trigger.hooks)).toBe(false);
  expect(await remove.call(trigger.hooks)).toBe(true);
});

test('a late, early, or foreign signature is not valid', () => {
  const secret = newSecret();
  const body = Buffer.from('{"type":"message.sent"}');
  const now = Date.now();
  const sign = (seconds: number, secrets = [secret]) =>
    signatureHeaders({
      ...{
        id: 'x',
        timestamp: Math.floor(now / 1_000) + seconds,
        body: body.toString(),
        keys: secrets.map(signingKeys),
      },
      ...{ header: 'X-Signature', encoding: 'base64' as const },
    });
  expect(isSigned(body, sign(0), secret, now)).toBe(true);
  expect(isSigned(body, sign(0, [newSecret(), secret]), secret, now)).toBe(true);
  for (const headers of [sign(-301), sign(302), sign(0, [newSecret()]), {}, { ...sign(0), 'webhook-id': ['x', 'y'] }])
    expect(isSigned(body, headers, secret, now)).toBe(false);
});

test('the package is built as n8n loads it: CommonJS with the listed files, without dependencies', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-n8n-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  execFileSync(process.execPath, [join(PACKAGE, 'build.mjs'), join(folder, 'dist')]);
  const require = createRequire(join(folder, 'index.js'));
  const manifest = createRequire(join(PACKAGE, 'index.js'))('./package.json');
  expect(manifest).toMatchObject({ name: 'n8n-nodes-parley', keywords: ['n8n-community-node-package'] });
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  const files: string[] = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
  const loaded = files.map((file) => {
    const name = /(\w+)\.(node|credentials)\.js$/.exec(file)![1]!;
    return new (require(join(folder, file))[name])();
  });
  const names = loaded.map((one) => one.description?.name ?? one.name);
  expect(names).toEqual(['parley', 'parleyTrigger', 'parleyApi']);
  // A field that depends on an operation must name one that exists.
  const fields: Field[] = loaded[0].description.properties;
  const operations = fields
    .find(({ name }) => name === 'operation')!
    .options!.map((one) => 'value' in one && one.value);
  for (const { displayOptions } of fields)
    for (const operation of displayOptions?.show.operation ?? []) expect(operations).toContain(operation);
});
