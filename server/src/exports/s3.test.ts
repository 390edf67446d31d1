/** Uploads of scheduled exports to S3 buckets: who may receive them, secrets, failures, and crashes. */
import type { S3Destination } from '@parley/contract/exports/destinations.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import * as uploads from '../test/calls/uploads.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { type ObjectStore, STORE_KEYS, startObjectStore } from '../test/peers/object_store.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { requireAllowedStore } from './s3.ts';
import { resumeUploads } from './uploads.ts';

const BUCKET = 'customer-exports';
let world: World;
let company: Company;
let owner: Caller;
let store: ObjectStore;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  store = await startObjectStore(BUCKET);
});
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(async () => {
  await world.stop();
  await store.stop();
});

const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;
const TESTS = '/v1/export_destination_tests';
const DESTINATIONS = '/v1/export_destinations';
const access = () => ({ type: 's3', endpoint: store.url, bucket: BUCKET, ...STORE_KEYS });
const withoutSecret = () => {
  const { secret_access_key: _, ...rest } = access();
  return rest;
};
const save = (more: object = {}) => owner.post(DESTINATIONS, { name: 'Lake', ...access(), ...more });
const find = async (): Promise<S3Destination> => (await owner.get(DESTINATIONS)).body.data[0];

const makeUpload = (destination_id: string, rows: number) =>
  uploads.makeUpload(world, { owner, account_id: company.account_id }, destination_id, rows);
const upload = (id: string) => uploads.upload(world, company.account_id, id);
const makeDue = () => uploads.makeUploadsDue(world, company.account_id);
const countLines = (key: string) => store.objects.get(`/${BUCKET}/${key}`)!.toString().split('\r\n').length;

test('a connection test writes and deletes an object, and explains each refusal', async () => {
  expect((await owner.post(TESTS, access())).body.data).toEqual({ is_complete: true });
  expect([...store.objects.keys()]).toEqual([]);
  const refuse = async (more: object) => code(await owner.post(TESTS, { ...access(), ...more }));
  expect(await refuse({ secret_access_key: 'wrong' })).toBe(2635);
  expect(await refuse({ access_key_id: 'OTHER' })).toBe(2635);
  expect(await refuse({ bucket: 'missing' })).toBe(2636);
  expect(await refuse({ endpoint: 'http://127.0.0.1:9' })).toBe(2634);
  expect(await refuse({ secret_access_key: '' })).toBe(2637);
  store.denied = 'DELETE';
  expect((await owner.post(TESTS, { ...access(), folder: '/a b/é👍/' })).body.data.is_complete).toBe(true);
  store.denied = null;
  expect([...store.objects.keys()]).toEqual([`/${BUCKET}/a b/é👍/parley-test.txt`]);
});

test('bad input, other types, strangers, and private networks are refused', async () => {
  for (const more of [
    ...[{ endpoint: 'ftp://example.com' }, { endpoint: 'x' }, { endpoint: 'https://a:b@example.com' }],
    ...[
      { endpoint: 'https://example.com?x=1' },
      { bucket: '../x' },
      { bucket: 'A' },
      { bucket: 'a/b' },
      { region: '' },
    ],
    ...[{ access_key_id: 'a b' }, { secret_access_key: 'a\nb' }, { folder: 'a\u0000b' }, { file_name: 'a/b' }],
    ...[{ type: 'ftp' }, { host: 'example.com' }],
  ])
    expect([JSON.stringify(more).slice(0, 40), (await save(more)).status]).toEqual([expect.any(String), 400]);
  const strict = { ...world.kernel.config, OUTBOUND_ALLOW_CIDRS: [] };
  const { secret_access_key: secret, ...rest } = { ...STORE_KEYS, bucket: BUCKET };
  for (const endpoint of [
    'http://127.0.0.1',
    'http://0x7f.1',
    'http://[::1]',
    'https://169.254.169.254',
    'http://localhost',
  ])
    await expect(requireAllowedStore(strict, { endpoint, secret, ...rest })).rejects.toMatchObject({
      name: 'EXPORT_ENDPOINT_NOT_ALLOWED',
    });
  const { id } = (await save()).body.data;
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(code(await stranger.put(`${DESTINATIONS}/${id}`, { name: 'x', ...access() }))).toBe(2605);
  expect(code(await stranger.post(TESTS, { ...withoutSecret(), destination_id: id }))).toBe(2605);
  const server = { type: 'sftp', host: '127.0.0.1', username: 'a', password: 'b', host_key_type: 'ssh-ed25519' };
  const key = { host_key_fingerprint: `SHA256:${'A'.repeat(43)}` };
  expect((await owner.put(`${DESTINATIONS}/${id}`, { name: 'x', ...server, ...key })).status).toBe(400);
});

test('the secret is sealed, never returned, and only used for its endpoint and access key', async () => {
  const saved = await save();
  expect(saved.body.data).toMatchObject({ type: 's3', endpoint: store.url, bucket: BUCKET, region: 'us-east-1' });
  expect(saved.body.data).not.toHaveProperty('host');
  for (const text of [saved.text, (await owner.get(DESTINATIONS)).text])
    expect(text).not.toContain(STORE_KEYS.secret_access_key);
  const { secret } = await world.kernel.db.one<{ secret: string }>(sql`
    select secret from export_destinations where account_id = ${company.account_id}`);
  expect(secret).toMatch(/^sealed\./);
  const { id } = saved.body.data;
  const test = { ...withoutSecret(), destination_id: id };
  expect((await owner.post(TESTS, test)).body.data.is_complete).toBe(true);
  for (const more of [{ endpoint: 'http://127.0.0.1:9' }, { endpoint: null }, { access_key_id: 'OTHER' }]) {
    expect(code(await owner.post(TESTS, { ...test, ...more }))).toBe(2637);
    expect(code(await owner.put(`${DESTINATIONS}/${id}`, { name: 'x', ...withoutSecret(), ...more }))).toBe(2637);
  }
  const changed = await owner.put(`${DESTINATIONS}/${id}`, { name: 'Ocean', ...withoutSecret(), folder: 'daily' });
  expect(changed.body.data).toMatchObject({ name: 'Ocean', folder: 'daily' });
  expect((await owner.post(TESTS, test)).body.data.is_complete).toBe(true);
});

test('a scheduled export is uploaded whole, replaces the older file, and is retried after failures', async () => {
  const { id } = (await save({ folder: 'daily/', file_name: 'once' })).body.data;
  const export_id = await makeUpload(id, 2_000);
  store.failure = 503;
  await upload(export_id);
  expect(await find()).toMatchObject({ status: 'failing', waiting_count: 1 });
  store.failure = null;
  store.denied = 'PUT';
  await makeDue();
  await upload(export_id);
  expect((await find()).error_message).toMatch(/access key/);
  store.denied = null;
  await makeDue();
  await Promise.all([upload(export_id), upload(export_id)]);
  expect(countLines('daily/once.csv')).toBe(2_002);
  expect(await find()).toMatchObject({ status: 'active', waiting_count: 0, last_file: 'once.csv' });
  await upload(await makeUpload(id, 1));
  expect(countLines('daily/once.csv')).toBe(3);
});

test('a worker that is killed after an upload leaves it to the next one', async () => {
  const { id } = (await save({ file_name: 'crash' })).body.data;
  const export_id = await makeUpload(id, 3_000);
  const worker = await startWorkerProcess(world, { FAILPOINT: 'export.uploaded' });
  expect((await worker.ended).signal).toBe('SIGKILL');
  await world.kernel.db.run(sql`delete from pgboss.job where name = 'exports.upload'`);
  await makeDue();
  await resumeUploads(world.kernel);
  await upload(export_id);
  expect(countLines('crash.csv')).toBe(3_002);
  expect((await find()).waiting_count).toBe(0);
}, 60_000);
