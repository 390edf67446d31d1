/** Uploads of scheduled exports: who may receive them, host keys, crashes, retries, and two independent servers. */
import type { SftpDestination } from '@parley/contract/exports/destinations.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import * as uploads from '../test/calls/uploads.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import {
  newKey,
  type OwnSftpPeer,
  PASSWORD,
  type SftpPeer,
  SSHD,
  startOpenSsh,
  startSftpPeer,
  USER,
} from '../test/peers/sftp_server.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { requireAllowedServer } from './sftp.ts';
import { resumeUploads } from './uploads.ts';

let world: World;
let company: Company;
let owner: Caller;
let peer: OwnSftpPeer;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  peer = await startSftpPeer();
});
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(async () => {
  await world.stop();
  await peer.stop();
});

const code = (reply: { body: { errors: { code: number }[] } }) => reply.body.errors[0]!.code;

type Login = Record<string, unknown> & { host: string; port: number };
const type = 'sftp';
const ownLogin = (): Login => ({ type, host: '127.0.0.1', port: peer.port, username: USER, password: PASSWORD });
const readKey = async ({ host, port }: Login) => {
  const { host_key_type, host_key_fingerprint } = (
    await owner.post('/v1/export_destination_tests', { type, host, port })
  ).body.data;
  return { host_key_type, host_key_fingerprint };
};
const save = async (login: Login, more: object = {}) =>
  owner.post('/v1/export_destinations', { name: 'Warehouse', ...login, ...(await readKey(login)), ...more });
const find = async (): Promise<SftpDestination> => (await owner.get('/v1/export_destinations')).body.data[0];

const makeUpload = (destination_id: string, rows: number) =>
  uploads.makeUpload(world, { owner, account_id: company.account_id }, destination_id, rows);
const upload = (id: string) => uploads.upload(world, company.account_id, id);
const makeDue = () => uploads.makeUploadsDue(world, company.account_id);
const countMails = async () =>
  (
    await world.kernel.db.rows<{ subject: string }>(sql`
      select subject from mails where account_id = ${company.account_id}`)
  ).map(({ subject }) => subject);

test('a password is sent only after the host key was accepted, and is never returned', async () => {
  const before = peer.logins;
  const login = ownLogin();
  const key = (await owner.post('/v1/export_destination_tests', login)).body.data;
  expect(key).toEqual({
    host_key_type: 'ssh-rsa',
    host_key_fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/),
    is_complete: false,
  });
  const other = { host_key_type: 'ssh-rsa', host_key_fingerprint: `SHA256:${'A'.repeat(43)}` };
  expect(code(await owner.post('/v1/export_destination_tests', { ...login, ...other }))).toBe(2609);
  expect(peer.logins).toBe(before);
  const { is_complete: _, ...accepted } = key;
  expect((await owner.post('/v1/export_destination_tests', { ...login, ...accepted })).body.data.is_complete).toBe(
    true,
  );
  const wrong = { ...login, ...accepted, password: 'wrong' };
  expect(code(await owner.post('/v1/export_destination_tests', wrong))).toBe(2610);
  const missing = { ...login, ...accepted, folder: '/missing' };
  expect(code(await owner.post('/v1/export_destination_tests', missing))).toBe(2611);
  expect(await peer.list()).toEqual([]);
  const saved = await save(login);
  expect(saved.status).toBe(201);
  for (const text of [saved.text, (await owner.get('/v1/export_destinations')).text])
    expect(text).not.toContain(PASSWORD);
  const { secret } = await world.kernel.db.one<{ secret: string }>(sql`
    select secret from export_destinations where account_id = ${company.account_id}`);
  expect(secret).toMatch(/^sealed\./);
});

test('bad input, strangers, and private networks are refused', async () => {
  const login = ownLogin();
  const key = await readKey(login);
  const send = (more: object) =>
    owner.post('/v1/export_destinations', { name: 'Warehouse', ...login, ...key, ...more });
  for (const more of [
    ...[{ host: 'a b' }, { host: 'user@example.com' }, { host: '' }, { port: 0 }, { folder: 'a\u0000b' }],
    ...[{ username: 'a\nb' }, { file_name: '../x' }, { file_name: 'a/b' }, { file_name: '{secret}' }],
    ...[{ file_name: '.hidden' }, { password: '' }, { private_key: newKey() }, { host_key_fingerprint: 'MD5:aa' }],
    ...[{ password: undefined, private_key: 'not a key 🔑' }, { name: ' ' }],
  ])
    expect([JSON.stringify(more).slice(0, 40), (await send(more)).status]).toEqual([expect.any(String), 400]);
  const strict = { ...world.kernel.config, OUTBOUND_ALLOW_CIDRS: [] };
  for (const host of ['127.0.0.1', '0x7f.1', '::1', '10.0.0.1', '169.254.169.254', 'localhost'])
    await expect(requireAllowedServer(strict, { host, port: 22 })).rejects.toMatchObject({
      name: 'EXPORT_HOST_NOT_ALLOWED',
    });
  await expect(requireAllowedServer(strict, { host: '8.8.8.8', port: 25 })).rejects.toThrow('Port 25 is not allowed');
  const { id } = (await send({})).body.data;
  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(code(await stranger.put(`/v1/export_destinations/${id}`, { name: 'x', ...login, ...key }))).toBe(2605);
  expect(code(await stranger.delete(`/v1/export_destinations/${id}`))).toBe(2605);
  const schedule = { list: 'messages', interval: 'daily', destination_id: id };
  expect(code(await stranger.post('/v1/export_schedules', schedule))).toBe(2605);
  expect(code(await stranger.post('/v1/export_destination_tests', { ...login, ...key, destination_id: id }))).toBe(
    2605,
  );
  const reader = world.as((await makeUser(world.kernel, company.account_id, { permissions: { MESSAGES: 15 } })).token);
  expect((await reader.get('/v1/export_destinations')).status).toBe(403);
  expect((await owner.post('/v1/export_schedules', schedule)).body.data.destination_name).toBe('Warehouse');
  expect(code(await owner.delete(`/v1/export_destinations/${id}`))).toBe(2614);
});

test('the stored password is sent only to the server for which it was entered', async () => {
  const login = ownLogin();
  const { id } = (await save(login)).body.data;
  const { password: _, ...rest } = login;
  const key = await readKey(login);
  const change = (more: object) =>
    owner.put(`/v1/export_destinations/${id}`, { name: 'Store', ...rest, ...key, ...more });
  expect(code(await change({ host: 'localhost' }))).toBe(2612);
  expect(code(await change({ username: 'other' }))).toBe(2612);
  const test = { ...rest, ...key, destination_id: id };
  expect(code(await owner.post('/v1/export_destination_tests', { ...test, host: 'localhost' }))).toBe(2612);
  expect((await owner.post('/v1/export_destination_tests', test)).body.data.is_complete).toBe(true);
  expect((await change({})).body.data.name).toBe('Store');
  expect((await owner.post('/v1/export_destination_tests', test)).body.data.is_complete).toBe(true);
  expect((await owner.delete(`/v1/export_destinations/${id}`)).status).toBe(204);
});

test('a scheduled export is uploaded once, replaces the older file, and sends no email', async () => {
  const { id } = (await save(ownLogin(), { file_name: 'once' })).body.data;
  const export_id = await makeUpload(id, 2_000);
  expect((await find()).waiting_count).toBe(1);
  const sessions = peer.sessions;
  await Promise.all([upload(export_id), upload(export_id)]);
  await upload(export_id);
  expect(peer.sessions).toBe(sessions + 1);
  expect((await peer.read('once.csv')).toString().split('\r\n')).toHaveLength(2_002);
  expect(await find()).toMatchObject({ status: 'active', waiting_count: 0, last_file: 'once.csv' });
  await upload(await makeUpload(id, 1));
  expect((await peer.read('once.csv')).toString().split('\r\n')).toHaveLength(3);
  expect((await peer.list()).filter((name) => name.includes('part'))).toEqual([]);
  expect(await countMails()).toEqual([]);
});

test('a changed host key stops uploads until a person accepts it', async () => {
  const { id } = (await save(ownLogin(), { file_name: 'key-{id}' })).body.data;
  const export_id = await makeUpload(id, 1);
  await peer.changeKey();
  const before = peer.logins;
  await upload(export_id);
  expect(await find()).toMatchObject({
    ...{ status: 'disabled', waiting_count: 1, error_message: expect.stringContaining('host key') },
  });
  expect(peer.logins).toBe(before);
  expect(await countMails()).toEqual(['Exports are no longer uploaded to Warehouse']);
  await resumeUploads(world.kernel);
  await upload(export_id);
  expect(peer.logins).toBe(before);
  const { password: _, ...login } = ownLogin();
  await owner.put(`/v1/export_destinations/${id}`, {
    ...{ name: 'Warehouse', ...login, ...(await readKey(login as Login)), file_name: 'key-{id}' },
  });
  await upload(export_id);
  expect(await find()).toMatchObject({ status: 'active', waiting_count: 0, last_file: `key-${export_id}.csv` });
});

test('uploads to a failing server are retried, and it is disabled after days with one email', async () => {
  const { id } = (await save(ownLogin(), { file_name: 'full-{id}' })).body.data;
  const export_id = await makeUpload(id, 1);
  peer.isFull = true;
  await upload(export_id);
  expect(await find()).toMatchObject({ status: 'failing', waiting_count: 1 });
  const { wait } = await world.kernel.db.one<{ wait: number }>(sql`
    select extract(epoch from next_date - now())::float8 as wait from export_uploads
    where account_id = ${company.account_id}`);
  expect(wait).toBeGreaterThan(40);
  await world.kernel.db.run(sql`
    update export_destinations set failing_since = now() - interval '4 days' where account_id = ${company.account_id}`);
  await makeDue();
  await upload(export_id);
  expect((await find()).status).toBe('disabled');
  expect(await countMails()).toHaveLength(1);
  peer.isFull = false;
  const { password: _, ...login } = ownLogin();
  const key = await readKey(login as Login);
  await owner.post('/v1/export_destination_tests', { ...login, ...key, destination_id: id });
  await upload(export_id);
  expect(await find()).toMatchObject({ status: 'active', waiting_count: 0 });
  expect(await peer.list()).toContain(`full-${export_id}.csv`);
});

test('the folder has one complete file after workers are killed at every stage of an upload', async () => {
  const { id } = (await save(ownLogin(), { file_name: 'crash' })).body.data;
  const export_id = await makeUpload(id, 6_000);
  const isOurs = (name: string) => name === 'crash.csv' || name.includes('part');
  const left: string[][] = [];
  for (const FAILPOINT of ['export.upload_part:2', 'export.upload_complete', 'export.uploaded']) {
    const worker = await startWorkerProcess(world, { FAILPOINT });
    expect((await worker.ended).signal).toBe('SIGKILL');
    left.push((await peer.list()).filter(isOurs));
    // The job queue would notice the dead worker when its heartbeat is overdue.
    await world.kernel.db.run(sql`delete from pgboss.job where name = 'exports.upload'`);
    await makeDue();
    await resumeUploads(world.kernel);
  }
  // The first two crashes leave only the temporary file of their own run; the third leaves a complete file.
  expect(left).toEqual([[expect.stringMatching(/part$/)], [expect.stringMatching(/part$/)], ['crash.csv']]);
  await makeDue();
  await upload(export_id);
  expect((await peer.list()).filter(isOurs)).toEqual(['crash.csv']);
  expect((await peer.read('crash.csv')).toString().split('\r\n')).toHaveLength(6_002);
  expect((await find()).waiting_count).toBe(0);
}, 60_000);

describe.skipIf(SSHD === null)('OpenSSH (skipped if sshd is not installed)', () => {
  let openssh: SftpPeer & { private_key: string; username: string };
  beforeAll(async () => {
    openssh = await startOpenSsh(SSHD!);
  });
  afterAll(() => openssh.stop());

  test('an upload with a private key replaces the older file', async () => {
    const { port, private_key, username } = openssh;
    const login = { type, host: '127.0.0.1', port, username, private_key };
    expect((await readKey(login)).host_key_type).toBe('ssh-ed25519');
    const { id } = (await save(login, { file_name: '{list}' })).body.data;
    await upload(await makeUpload(id, 6_000));
    await upload(await makeUpload(id, 3_000));
    expect(await openssh.list()).toEqual(['contacts.csv']);
    expect((await openssh.read('contacts.csv')).toString().split('\r\n')).toHaveLength(3_002);
    const missing = await save(login, { folder: '/missing/folder' });
    const { host_key_type, host_key_fingerprint, folder } = missing.body.data as SftpDestination;
    const test = { ...login, host_key_type, host_key_fingerprint, folder };
    expect(code(await owner.post('/v1/export_destination_tests', test))).toBe(2611);
  });
});
