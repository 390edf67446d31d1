import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskStorage, type Storage, TooLarge } from './storage.ts';

const SECRET = 'a secret of at least thirty-two characters';

let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-storage-'));
  storage = diskStorage(folder, [SECRET]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a file is stored, read completely or in part, and removed', async () => {
  const content = 'a,b\n'.repeat(50_000);
  const stored = await storage.put(
    'imports/2026/rows.csv',
    Readable.from([content.slice(0, 70_000), content.slice(70_000)]),
    {
      max_bytes: 1_000_000,
    },
  );
  expect(stored).toEqual({ bytes: 200_000, sha256: createHash('sha256').update(content).digest('hex') });
  expect(await text((await storage.open('imports/2026/rows.csv'))!.stream)).toBe(content);
  const part = await storage.open('imports/2026/rows.csv', { start: 4, end: 7 });
  expect(part!.bytes).toBe(200_000);
  expect(await text(part!.stream)).toBe('a,b\n');
  await storage.put('imports/2026/rows.csv', Readable.from(['new']), { max_bytes: 3 });
  expect(await text((await storage.open('imports/2026/rows.csv'))!.stream)).toBe('new');
  await storage.remove('imports/2026/rows.csv');
  await storage.remove('imports/2026/rows.csv');
  expect(await storage.exists('imports/2026/rows.csv')).toBe(false);
  expect(await storage.open('imports/2026/rows.csv')).toBeNull();
});

test('a file leaves nothing behind when it is too large or its source fails', async () => {
  await expect(storage.put('big', Readable.from(['12345', '67890']), { max_bytes: 9 })).rejects.toThrow(TooLarge);
  const broken = async function* () {
    yield 'half';
    throw new Error('the client disconnected');
  };
  await expect(storage.put('half', broken(), { max_bytes: 9 })).rejects.toThrow('the client disconnected');
  expect(await storage.exists('big')).toBe(false);
  expect((await readdir(folder)).filter((name) => name.includes('part'))).toEqual([]);
});

test('a key cannot point outside the folder', async () => {
  const keys = [
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    'a/./b',
    '.hidden',
    'a\\..\\b',
    'a\0b',
    '',
    'a/',
    '%2e%2e/x',
    'a/.b',
    'x'.repeat(301),
  ];
  for (const key of keys) {
    await expect(storage.open(key), key).rejects.toThrow('not a storage key');
    await expect(storage.put(key, Readable.from(['x']), { max_bytes: 9 }), key).rejects.toThrow('not a storage key');
    expect(() => storage.sign(key, { expires_s: 60 }), key).toThrow('not a storage key');
  }
});

test('a signed link opens only its own file, until it expires', () => {
  const query = Object.fromEntries(
    new URLSearchParams(storage.sign('exports/a.csv', { expires_s: 60, filename: 'Übersicht.csv' })),
  );
  expect(storage.verify(query)).toEqual({ key: 'exports/a.csv', filename: 'Übersicht.csv', disposition: 'attachment' });
  expect(storage.verify(query, new Date(Date.now() + 62_000))).toBeNull();
  const changes = [
    { key: 'exports/b.csv' },
    { expires: String(Number(query.expires) + 1) },
    { filename: 'x.html' },
    { disposition: 'inline' },
    { signature: query.signature!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    { signature: '' },
    { signature: undefined },
    { key: ['exports/a.csv'] },
  ];
  for (const change of changes) expect(storage.verify({ ...query, ...change }), JSON.stringify(change)).toBeNull();
  expect(diskStorage(folder, ['another secret']).verify(query)).toBeNull();
  expect(diskStorage(folder, ['another secret', SECRET]).verify(query)).not.toBeNull();
});
