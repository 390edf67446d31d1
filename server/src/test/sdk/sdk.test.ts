/** Tests the SDK against a running server: the examples of its README, repetitions, errors, pages, and webhooks. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createParley,
  every,
  type Options,
  ParleyError,
  verifySignature,
  verifyWebhook,
} from '../../../../sdk/src/index.ts';
import { newSecret, signatureHeaders, signingKeys } from '../../webhooks/signatures.ts';
import { makeCarrier, makeCompany, makeKey, makeSender } from '../make.ts';
import { createWorld, type World } from '../world.ts';

const SDK = fileURLToPath(new URL('../../../../sdk/', import.meta.url));
const run = promisify(execFile);
let world: World;
let folder: string;
let key: string;
const makeClient = (options: Partial<Options> = {}) => createParley({ base_url: world.url, key, ...options });
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  await makeCarrier(world.kernel);
  const { account_id } = await makeCompany(world.kernel);
  await makeSender(world.kernel, account_id, { code: 'Harbour' });
  key = await makeKey(world.kernel, account_id);
  folder = await mkdtemp(join(tmpdir(), 'parley-sdk-'));
});
afterAll(async () => {
  await world?.stop();
  if (folder) await rm(folder, { recursive: true });
});
beforeEach(() => {
  vi.restoreAllMocks();
});

const MESSAGE = { channel: 'SMS' as const, from: 'Harbour', to: ['447410000123'], text: 'Hello' };
const countMessages = async () => (await makeClient().messages.list()).pagination.total;

test('the package builds without dependencies, and every example of its README compiles and runs', async () => {
  const manifest = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  const readme = await readFile(join(SDK, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  expect(examples).toHaveLength(5);
  const packaged = join(folder, 'node_modules/@parley/sdk');
  const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));
  await run(process.execPath, [tsc, '-p', join(SDK, 'tsconfig.json'), '--outDir', join(packaged, 'dist')]);
  await writeFile(join(packaged, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  for (const [index, code] of examples.entries()) {
    const program = code.replace('https://parley.example', world.url).replace('YOUR_API_KEY', key);
    await writeFile(join(folder, `example_${index}.ts`), program);
  }
  const config = {
    compilerOptions: {
      ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, types: [] },
      lib: ['es2023', 'dom', 'dom.iterable'],
    },
    include: ['*.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [tsc, '-p', folder]);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  for (const index of examples.keys()) await import(pathToFileURL(join(folder, `example_${index}.ts`)).href);
  expect(log.mock.calls).toEqual([
    [expect.stringMatching(/^[0-9a-f-]{36}$/), 'enroute'],
    ['447400123456', 'enroute'],
    ['Recipient missing:', 'to'],
  ]);
}, 60_000);

test('a call whose response is lost is carried out once', async () => {
  const before = await countMessages();
  const keys: (string | null)[] = [];
  const lossy: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const response = await fetch(input, init);
    if (keys.length === 1) throw new TypeError('the connection was lost');
    return response;
  };
  const [message] = await makeClient({ fetch: lossy }).messages.create({ body: MESSAGE });
  expect(message?.to).toBe('447410000123');
  expect([keys.length, new Set(keys).size, await countMessages()]).toEqual([2, 1, before + 1]);
});

test('a limited call waits for the announced time and is repeated', async () => {
  let calls = 0;
  const limited: typeof fetch = async (input, init) =>
    ++calls === 1 ? new Response('{}', { status: 429, headers: { 'retry-after': '0' } }) : fetch(input, init);
  await makeClient({ fetch: limited }).accounts.get();
  expect(calls).toBe(2);
});

test('a refused call is not repeated, and reports its code and field', async () => {
  let calls = 0;
  const counting: typeof fetch = (input, init) => {
    calls++;
    return fetch(input, init);
  };
  const refusal = await makeClient({ fetch: counting })
    .messages.create({ body: { ...MESSAGE, to: [] } })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ParleyError);
  expect(refusal).toMatchObject({ code: 1506, status: 400, field: 'to', request_id: expect.any(String) });
  expect(calls).toBe(1);
});

test('a call fails without a code when the server does not respond', async () => {
  const parley = makeClient({ base_url: 'http://127.0.0.1:9', retries: 0 });
  await expect(parley.accounts.get()).rejects.toMatchObject({ code: 0, status: 0, message: 'Parley did not respond' });
});

test('every item of a list is read once, page by page', async () => {
  const parley = makeClient();
  const audience = await parley.audiences.create({
    body: {
      name: 'Regulars',
      channel: 'SMS',
      contacts: Array.from({ length: 25 }, (_, index) => ({ number: `4474100001${10 + index}` })),
    },
  });
  const numbers: string[] = [];
  const params = { id: audience.id };
  for await (const contact of every(parley.contacts.list, { params, query: { page_size: 10 } }))
    numbers.push(contact.number);
  expect([numbers.length, new Set(numbers).size]).toEqual([25, 25]);
  await parley.contacts.remove({
    params: { ...params, contact_id: (await parley.contacts.list({ params })).data[0]!.id },
  });
  expect((await parley.audiences.get({ params })).contacts_count).toBe(24);
});

test('a file is uploaded', async () => {
  const file = new File(['number\n447410000199\n'], 'contacts.csv');
  const { filename } = await makeClient().audience_imports.create({ body: { file, name: 'Imported' } });
  expect(filename).toBe('contacts.csv');
});

test('deliveries are verified with either secret of a rotation, and refused when they are changed or old', async () => {
  const [secret, previous] = [newSecret(), newSecret()];
  const body = '{"type":"message.received","data":{}}';
  const sign = (timestamp: number) =>
    signatureHeaders({
      ...{ id: 'msg_1', timestamp, body, keys: [secret, previous].map(signingKeys) },
      ...{ header: 'X-Signature', encoding: 'base64' as const },
    });
  const now = Math.floor(Date.now() / 1000);
  const headers = sign(now);
  for (const one of [secret, previous])
    expect((await verifyWebhook({ body, headers, secret: one })).type).toBe('message.received');
  const refused = [
    { body: `${body} `, headers, secret },
    { body, headers, secret: newSecret() },
    { body, headers: sign(now - 301), secret },
    { body, headers: sign(now + 400), secret },
    { body, headers: {}, secret },
    { body, headers: { ...headers, 'webhook-signature': 'v1,*' }, secret },
  ];
  for (const one of refused) await expect(verifyWebhook(one)).rejects.toThrow(/delivery|signature/);
  const hex = signatureHeaders({
    ...{
      id: 'msg_1',
      timestamp: now,
      body,
      keys: [signingKeys(secret)],
      header: 'X-Signature',
      encoding: 'hex' as const,
    },
  });
  for (const { 'X-Signature': signature } of [headers, hex]) {
    expect(await verifySignature({ body, signature: signature!, secret })).toBe(true);
    expect(await verifySignature({ body: 'x', signature: signature!, secret })).toBe(false);
  }
});
