/**
 * Tests the object store over a real socket, against a server that speaks S3. s3_signature.test.ts checks signatures
 * against published ones.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObjectStore, STORE_KEYS, startObjectStore } from '../../test/peers/object_store.ts';
import { fixedCredentials } from './s3_credentials.ts';
import { TooLarge } from './storage.ts';
import { s3Storage } from './storage_s3.ts';

const SECRET = 'a secret of at least thirty-two characters';
let folder: string;
let store: ObjectStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  store = await startObjectStore('parley');
});
afterAll(async () => {
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});
function storage(endpoint = store.url, keys: Partial<Record<keyof typeof STORE_KEYS, string>> = {}) {
  const { region, ...pair } = { ...STORE_KEYS, ...keys };
  const credentials = fixedCredentials({ ...pair, session_token: null });
  return s3Storage({ credentials, region, bucket: 'parley', endpoint, folder: join(folder, 'on_its_way') }, [SECRET]);
}

test('a file is stored, read completely or in part, and removed', async () => {
  const content = 'a,b\n'.repeat(50_000);
  const stored = await storage().put('media/a/one', Readable.from([content.slice(0, 70_000), content.slice(70_000)]), {
    max_bytes: 1_000_000,
  });
  expect(stored).toEqual({ bytes: 200_000, sha256: createHash('sha256').update(content).digest('hex') });
  expect(await readdir(join(folder, 'on_its_way'))).toEqual([]);
  expect(await storage().exists('media/a/one')).toBe(true);
  const file = await storage().open('media/a/one');
  expect(file!.bytes).toBe(200_000);
  expect(await text(file!.stream)).toBe(content);
  const part = await storage().open('media/a/one', { start: 4, end: 7 });
  expect([part!.bytes, await text(part!.stream)]).toEqual([200_000, 'a,b\n']);
  await storage().put('media/a/one', Readable.from(['new']), { max_bytes: 3 });
  expect(await text((await storage().open('media/a/one'))!.stream)).toBe('new');
  await storage().remove('media/a/one');
  await storage().remove('media/a/one');
  expect(await storage().exists('media/a/one')).toBe(false);
  expect(await storage().open('media/a/one')).toBeNull();
});

test('a file leaves nothing behind when it is too large or its source fails', async () => {
  await expect(storage().put('big', Readable.from(['12345', '67890']), { max_bytes: 9 })).rejects.toThrow(TooLarge);
  const broken = async function* () {
    yield 'half';
    throw new Error('the client disconnected');
  };
  await expect(storage().put('half', broken(), { max_bytes: 9 })).rejects.toThrow('the client disconnected');
  expect([await storage().exists('big'), await storage().exists('half')]).toEqual([false, false]);
  expect(await readdir(join(folder, 'on_its_way'))).toEqual([]);
});

test.each([
  ['a wrong secret', { secret_access_key: 'another secret' }],
  ['an unknown access key', { access_key_id: 'UNKNOWN' }],
  ['a wrong region', { region: 'eu-west-1' }],
])('a request is refused when it is signed with %s', async (_, keys) => {
  const wrong = storage(store.url, keys);
  await expect(wrong.put('media/a/two', Readable.from(['abc']), { max_bytes: 3 })).rejects.toThrow(/403/);
  await expect(wrong.open('media/a/two')).rejects.toThrow(/403/);
  expect(await storage().exists('media/a/two')).toBe(false);
});

test('a key cannot point outside the bucket', async () => {
  for (const key of ['../other', '/a', 'a//b', 'a?x', 'a/../b']) await expect(storage().exists(key)).rejects.toThrow();
});

test('an upload is retried after a server error but not a refusal, and temporary files are removed', async () => {
  const requests: string[] = [];
  const statuses = [503, 500, 200, 403];
  const server = createServer((request, reply) => {
    request.resume();
    request.on('end', () => {
      requests.push(`${request.method} ${request.url} ${request.headers['content-length']}`);
      reply.writeHead(statuses[requests.length - 1] ?? 200).end('<Error/>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const remote = storage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    await remote.put('a', Readable.from(['abc']), { max_bytes: 3 });
    await expect(remote.put('b', Readable.from(['abc']), { max_bytes: 3 })).rejects.toThrow(/PUT failed with 403/);
    expect(requests).toEqual([...Array(3).fill('PUT /parley/a 3'), 'PUT /parley/b 3']);
    expect(await readdir(join(folder, 'on_its_way'))).toEqual([]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
