/** Tests that the sweep removes only abandoned files, and that a kill during an upload leaves a valid state. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { UNUSED_DAYS } from '@parley/contract/media/media.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from '../test/make.ts';
import { makeMedia, makeSlot, pathIn, send } from '../test/media.ts';
import { readReceivedBytes, startUpload, untilReceived } from '../test/slow_upload.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';
import { useMedia } from './media.ts';
import { sweepMedia } from './sweep.ts';
import { sweepParts } from './uploads/parts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOTES = { file_name: 'notes.txt', type: 'document', channel: 'VIBER' };
let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
});
afterAll(() => world.stop());

/** Runs the sweep at a later time. */
const sweepIn = (ms: number) => sweepMedia({ ...world.kernel, clock: { now: () => new Date(Date.now() + ms) } });
const folder = (...names: string[]) => join(world.kernel.config.DATA_DIR, ...names);
const names = (path: string) => readdir(path).catch(() => [] as string[]);
const parts = () => names(folder('uploads'));
const stored = () => names(folder('files', 'media', company.account_id));
const readStatus = async (id: string) =>
  (await world.kernel.db.maybeOne<{ status: string }>(sql`select status from media where id = ${id}`))?.status ??
  'gone';

test('the sweep removes unused slots after a day and unused files after 30 days but keeps files in use', async () => {
  const slot = await makeSlot(world, company.token, NOTES);
  const broken = await startUpload(world, slot, Buffer.alloc(2_000, 'a'), 9_000);
  await untilReceived(world, slot, 2_000);
  broken.cut();
  const used = await makeMedia(world, company.token);
  const unused = await makeMedia(world, company.token);
  await world.kernel.db.tx((tx) => useMedia(tx, company.account_id, used.id, 'template:1'));
  const all = async () => [await readStatus(slot.id), await readStatus(used.id), await readStatus(unused.id)];

  await sweepIn(DAY - HOUR);
  expect(await all()).toEqual(['waiting', 'ready', 'ready']);
  await sweepIn(DAY + HOUR);
  expect(await all()).toEqual(['gone', 'ready', 'ready']);
  expect(await parts()).toEqual([]);
  expect(await stored()).toHaveLength(4);

  await sweepIn(UNUSED_DAYS * DAY - HOUR);
  expect(await all()).toEqual(['gone', 'ready', 'ready']);
  await sweepIn(UNUSED_DAYS * DAY + HOUR);
  expect(await all()).toEqual(['gone', 'ready', 'gone']);
  expect(await stored()).toHaveLength(2);
  expect((await world.as(company.token).get(`/v1/media/${used.id}`)).status).toBe(200);
});

test("the sweep removes all of an erased account's files", async () => {
  const closedCompany = await makeCompany(world.kernel);
  const { id } = await makeMedia(world, closedCompany.token);
  await world.kernel.db.tx((tx) => useMedia(tx, closedCompany.account_id, id, 'message:1'));
  await world.kernel.db.run(
    sql`update accounts set close_date = now(), erase_date = now() where id = ${closedCompany.account_id}`,
  );
  await sweepMedia(world.kernel);
  expect(await readStatus(id)).toBe('gone');
  expect(await names(folder('files', 'media', closedCompany.account_id))).toEqual([]);
  expect((await world.examine()).filter(({ id: check, ok }) => check.startsWith('F') && !ok)).toEqual([]);
});

test('the sweep removes old part files of abandoned uploads', async () => {
  const slot = await makeSlot(world, company.token, NOTES);
  const upload = await startUpload(world, slot, Buffer.alloc(500), 1_000);
  await untilReceived(world, slot, 500);
  upload.cut();
  await sweepParts(world.kernel);
  const [name] = await parts();
  expect(await parts()).toHaveLength(1);
  const old = new Date(Date.now() - 3 * DAY);
  await utimes(folder('uploads', name!), old, old);
  await sweepParts(world.kernel);
  expect(await parts()).toEqual([]);
});

/** Starts the API as a separate process on the same data, so that the test can kill it. */
async function startProgram(
  settings: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess; dead: Promise<unknown> }> {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [inject('programs').server], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...world.settings,
      ROLE: 'api',
      PORT,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const dead = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => line === '{"ready":true}' && resolve());
  });
  return { url: `http://127.0.0.1:${PORT}`, child, dead };
}

test('an upload can be resumed after the server is killed while receiving it', async () => {
  const file = Buffer.alloc(300_000, 'half-done\n');
  const slot = await makeSlot(world, company.token, NOTES);
  const program = await startProgram();
  const upload = await startUpload(program, slot, file.subarray(0, 200_000), file.length);
  await untilReceived(program, slot, 100_000);
  program.child.kill('SIGKILL');
  await program.dead;
  expect(await upload.ended).toBe('ECONNRESET');
  expect(await readStatus(slot.id)).toBe('waiting');
  const offset = await readReceivedBytes(world, slot);
  expect(offset).toBeGreaterThanOrEqual(100_000);
  const range = { 'content-range': `bytes ${offset}-${file.length - 1}/${file.length}` };
  const { status, body } = await send(world, slot, file.subarray(offset), range);
  expect([status, body.data.sha256]).toEqual([200, createHash('sha256').update(file).digest('hex')]);
});

test('a server that shuts down ends its uploads, which can be resumed on the next server', async () => {
  const file = Buffer.alloc(100_000, 'patience\n');
  const slot = await makeSlot(world, company.token, NOTES);
  const program = await startProgram();
  const upload = await startUpload(program, slot, file.subarray(0, 60_000), file.length);
  await untilReceived(program, slot, 60_000);
  program.child.kill('SIGTERM');
  // A server that waited for the rest of the upload would be killed after its grace period.
  expect(await program.dead).toBe(0);
  expect(await upload.ended).not.toBe(200);
  const next = await startProgram();
  expect(await readReceivedBytes(next, slot)).toBe(60_000);
  next.child.kill('SIGKILL');
  await next.dead;
  const range = { 'content-range': `bytes 60000-${file.length - 1}/${file.length}` };
  expect((await send(world, slot, file.subarray(60_000), range)).status).toBe(200);
});

test('an upload can be retried after a kill between storing the object and updating the row', async () => {
  const before = (await stored()).length;
  const slot = await makeSlot(world, company.token, NOTES);
  const program = await startProgram({ FAILPOINT: 'media.stored' });
  await expect(fetch(program.url + pathIn(slot.put_url), { method: 'PUT', body: 'hello' })).rejects.toThrow();
  await program.dead;
  expect(await readStatus(slot.id)).toBe('waiting');
  expect((await world.as().get(pathIn(slot.get_url))).status).toBe(404);
  expect((await stored()).length).toBe(before + 1);
  const again = await send(world, slot, 'l', { 'content-range': 'bytes 3-3/5' });
  expect([again.status, again.body.data.received]).toEqual([202, 4]);
  const { status } = await send(world, slot, 'o', { 'content-range': 'bytes 4-4/5' });
  expect(status).toBe(200);
  expect((await world.as().get(pathIn(slot.get_url))).text).toBe('hello');
  await until('the object of the first try is removed', async () => (await stored()).length === before + 1);
});

test('the sweep removes an object whose upload was killed and never retried', async () => {
  const before = (await stored()).length;
  const slot = await makeSlot(world, company.token, NOTES);
  const program = await startProgram({ FAILPOINT: 'media.stored' });
  await fetch(program.url + pathIn(slot.put_url), { method: 'PUT', body: 'hello' }).catch(() => null);
  await program.dead;
  expect((await stored()).length).toBe(before + 1);
  await sweepIn(DAY + HOUR);
  expect([await readStatus(slot.id), (await stored()).length, (await parts()).length]).toEqual(['gone', before, 0]);
});
