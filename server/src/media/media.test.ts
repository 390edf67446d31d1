/** Follows a file from its upload slot to its deletion, and checks the responses, rows, objects, and events. */

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProblemName, problemCode } from '@parley/contract/problem.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { type Company, makeCompany, makeKey, makeUser } from '../test/make.ts';
import { makeMedia, makeSlot, pathIn, readProblem, send, uploadFile } from '../test/media.ts';
import * as files from '../test/media_files.ts';
import { createWorld, type Reply, until, type World } from '../test/world.ts';
import { carrierLink } from './links/links.ts';
import { releaseMedia, requireMedia, useMedia } from './media.ts';

const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
});
afterAll(() => world.stop());

const owner = () => world.as(company.token);
const fetchFile = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
  world.as().raw(pathIn(url), { headers, method });
const listEvents = (id: string) =>
  world.kernel.db.rows<{ type: string; payload: Record<string, unknown> }>(
    sql`select type, payload from events where account_id = ${company.account_id} and payload->>'id' = ${id}
      order by id`,
  );
const inStorage = async (): Promise<number> =>
  (await readdir(join(world.kernel.config.DATA_DIR, 'files'), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  ).length;
const waitingParts = async (): Promise<string[]> =>
  readdir(join(world.kernel.config.DATA_DIR, 'uploads')).catch(() => []);

test('a slot accepts a file that permitted users and anyone with the link can read', async () => {
  const bytes = await files.picture('jpeg', 640, 480);
  const slot = await makeSlot(world, company.token, {
    file_name: 'Été 🌞.jpg',
    type: 'image',
    channel: 'viber',
    directory: 'templates',
    content_type: 'image/jpeg',
    bytes: bytes.length,
  });
  expect(slot).toMatchObject({ content_type: 'image/jpeg', max_bytes: 24 * 1024 * 1024 });
  expect((await owner().get(`/v1/media/${slot.id}`)).body.data).toMatchObject({ status: 'waiting', get_url: null });
  expect((await fetchFile(slot.get_url)).status).toBe(404);

  const response = await send(world, slot, bytes);
  expect(response.status).toBe(200);
  const media = response.body.data;
  expect(media).toMatchObject({
    id: slot.id,
    account_id: company.account_id,
    status: 'ready',
    type: 'image',
    channel: 'VIBER',
    file_name: 'Été 🌞.jpg',
    content_type: 'image/jpeg',
    directory: 'templates',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    width: 640,
    height: 480,
  });
  expect((await owner().get(`/v1/media/${slot.id}`)).body.data).toEqual(media);
  expect(await waitingParts()).toEqual([]);
  const events = await listEvents(slot.id);
  expect(events.map(({ type }) => type)).toEqual(['media.added']);
  expect(events[0]!.payload).not.toHaveProperty('get_url');

  for (const url of [slot.get_url, media.get_url]) {
    const file = await world.as().raw(pathIn(url), {});
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': FILE_POLICY,
      'cross-origin-resource-policy': 'same-site',
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent('Été 🌞.jpg')}`,
    });
  }
  const small = await fetchFile(media.thumbnail_url);
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect((await fetchFile(slot.thumbnail_url!)).status).toBe(200);
});

test('a download returns the whole file, the requested range, or 304', async () => {
  const text = 'x'.repeat(50_000);
  const { get_url, sha256 } = await uploadFile(
    world,
    company.token,
    { file_name: 'a.pdf', type: 'document' },
    files.pdf(text),
  );
  const file = files.pdf(text);
  const etag = `"${sha256!.slice(0, 32)}"`;
  const part = await fetchFile(get_url!, { range: 'bytes=2-5' });
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
    206,
    'DF-1',
    `bytes 2-5/${file.length}`,
  ]);
  const tail = await fetchFile(get_url!, { range: `bytes=${file.length - 6}-` });
  expect([tail.status, tail.text]).toEqual([206, '%%EOF\n']);
  expect((await fetchFile(get_url!, { range: 'bytes=-6' })).text).toBe('%%EOF\n');
  expect((await fetchFile(get_url!, { range: 'bytes=0-1,5-6' })).status).toBe(200);
  const outOfRange = await fetchFile(get_url!, { range: 'bytes=999999-' });
  expect([outOfRange.status, outOfRange.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
  expect((await fetchFile(get_url!, { 'if-none-match': etag })).status).toBe(304);
  const head = await fetchFile(get_url!, {}, 'HEAD');
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(file.length)]);
});

test('documents and SVG files are served as attachments', async () => {
  const all = [
    await uploadFile(world, company.token, { file_name: 'a.pdf', type: 'document' }, files.pdf()),
    await uploadFile(world, company.token, { file_name: 'a.svg', type: 'image', channel: 'VIBER' }, files.svg()),
    await uploadFile(
      world,
      company.token,
      { file_name: 'a.txt', type: 'document', channel: 'VIBER' },
      '<script>alert(1)</script>',
    ),
  ];
  for (const { get_url, content_type } of all) {
    const file = await fetchFile(get_url!);
    expect(file.headers.get('content-type')).toBe(content_type);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(file.headers.get('content-security-policy')).toBe(FILE_POLICY);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
  }
  // The thumbnail of an SVG is a raster image.
  expect((await fetchFile(all[1]!.thumbnail_url!)).headers.get('content-type')).toBe('image/webp');
});

test('an API key can upload a file in a single call', async () => {
  const key = await makeKey(world.kernel, company.account_id, { MEDIA: 2 });
  const bytes = await files.picture('png', 500, 500);
  const upload = (fields: Record<string, string>, file: { name: string; bytes: Uint8Array | string }) =>
    world.as({ key }).upload('/v1/media', fields, file);
  const completed = await upload({ type: 'image', width: '500', height: '500' }, { name: 'logo.png', bytes });
  expect([completed.status, completed.body.data]).toMatchObject([
    201,
    { status: 'ready', file_name: 'logo.png', width: 500, height: 500, bytes: bytes.length },
  ]);
  const before = await inStorage();
  const rows = () => world.kernel.db.rows(sql`select id from media where account_id = ${company.account_id}`);
  const count = (await rows()).length;
  expect(
    readProblem(await upload({ type: 'image', width: '500', height: '100' }, { name: 'logo.png', bytes })),
  ).toEqual([400, 1907, 'Image dimensions should be 500 x 100 pixels']);
  expect(readProblem(await upload({ type: 'video' }, { name: 'logo.png', bytes }))).toEqual([
    400,
    1906,
    'File extensions should be .mp4, .3gp, or .3gpp',
  ]);
  expect(readProblem(await upload({ type: 'document' }, { name: 'a.pdf', bytes: '' }))).toEqual([
    400,
    1910,
    'The file is empty',
  ]);
  expect(readProblem(await upload({ type: 'image', width: '500' }, { name: 'logo.png', bytes }))[1]).toBe(1705);
  expect((await upload({ type: 'sculpture' }, { name: 'a.pdf', bytes })).body.errors[0].code).toBe(1534);
  await until(
    'the refused file is removed',
    async () => (await rows()).length === count && (await inStorage()) === before,
  );
});

test('a file cannot be deleted while in use and disappears as soon as it is deleted', async () => {
  const { id, get_url } = await makeMedia(world, company.token);
  const used_by = `template:${newId()}` as const;
  const { account_id } = company;
  await world.kernel.db.tx((tx) => useMedia(tx, account_id, id, used_by));
  await world.kernel.db.tx((tx) => useMedia(tx, account_id, id, used_by));
  await world.kernel.db.tx((tx) => useMedia(tx, account_id, id, 'message:1'));
  expect(readProblem(await owner().delete(`/v1/media/${id}`))).toEqual([409, 1913, 'The file is in use']);
  await world.kernel.db.tx((tx) => releaseMedia(tx, account_id, 'message:1'));
  expect((await owner().delete(`/v1/media/${id}`)).status).toBe(409);
  expect((await fetchFile(get_url!)).status).toBe(200);
  await world.kernel.db.tx((tx) => releaseMedia(tx, account_id, used_by));
  expect((await owner().delete(`/v1/media/${id}`)).status).toBe(204);
  expect((await fetchFile(get_url!)).status).toBe(404);
  expect(readProblem(await owner().get(`/v1/media/${id}`)).slice(0, 2)).toEqual([404, 1901]);
  expect((await owner().delete(`/v1/media/${id}`)).status).toBe(404);
  await expect(world.kernel.db.tx((tx) => useMedia(tx, account_id, id, 'message:2'))).rejects.toMatchObject({
    name: 'FILE_NOT_FOUND',
  });
  expect((await listEvents(id)).map(({ type }) => type)).toEqual(['media.added', 'media.removed']);
  const acts = await world.kernel.db.rows(sql`
    select user_id, target_id, detail from audit_log where account_id = ${account_id} and action = 'media.removed'`);
  expect(acts).toEqual([{ user_id: company.user_id, target_id: id, detail: { type: 'image' } }]);
  await until('row and files are removed', async () => {
    const rows = await world.kernel.db.rows(sql`select 1 from media where id = ${id}`);
    const leftovers = await readdir(join(world.kernel.config.DATA_DIR, 'files'), { recursive: true });
    return rows.length === 0 && !leftovers.some((name) => name.includes(id));
  });
});

test('a file is never both used and deleted by concurrent requests', async () => {
  for (let round = 0; round < 3; round++) {
    const { id } = await makeMedia(world, company.token);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 16 }, (_, n) =>
        world.kernel.db.tx((tx) => useMedia(tx, company.account_id, id, `message:${round}-${n}`)),
      ),
      owner()
        .delete(`/v1/media/${id}`)
        .then(({ status }) => (status === 204 ? 'deleted' : Promise.reject(new Error(String(status))))),
    ]);
    const uses = outcomes.slice(0, 16).filter(({ status }) => status === 'fulfilled').length;
    const deleted = outcomes[16]!.status === 'fulfilled';
    expect(deleted ? uses === 0 : uses > 0).toBe(true);
  }
  expect((await world.examine()).filter(({ id, ok }) => id.startsWith('F') && !ok)).toEqual([]);
});

test("another account's files are not found", async () => {
  const stranger = await makeCompany(world.kernel);
  const media = await makeMedia(world, company.token);
  const slot = await makeSlot(world, company.token, { file_name: 'a.pdf', type: 'document' });
  const other = world.as(stranger.token);
  expect((await other.get(`/v1/media/${media.id}`)).status).toBe(404);
  expect((await other.delete(`/v1/media/${media.id}`)).status).toBe(404);
  expect((await other.put(`/v1/media/slots/${slot.id}`)).status).toBe(404);
  const url = new URL(media.get_url!);
  url.searchParams.set('account', stranger.account_id);
  expect(readProblem(await fetchFile(url.href)).slice(0, 2)).toEqual([403, 1902]);
  await expect(
    world.kernel.db.tx((tx) => useMedia(tx, stranger.account_id, media.id, 'message:9')),
  ).rejects.toMatchObject({ name: 'FILE_NOT_FOUND' });
  expect((await owner().get(`/v1/media/${media.id}`)).status).toBe(200);
});

test('a message with an unusable file is rejected with the code for its problem', async () => {
  const { db } = world.kernel;
  const { account_id } = company;
  const png = await makeMedia(world, company.token);
  const svg = await uploadFile(
    world,
    company.token,
    { file_name: 'a.svg', type: 'image', channel: 'VIBER' },
    files.svg(),
  );
  const slot = await makeSlot(world, company.token, { file_name: 'a.pdf', type: 'document' });
  expect((await requireMedia(db, account_id, png.id, { type: 'image', channel: 'WHATSAPP' })).id).toBe(png.id);
  const refusalFor = (id: string, type: 'image' | 'document', channel: 'WHATSAPP' | 'VIBER') =>
    requireMedia(db, account_id, id, { type, channel }).catch((error: { name: ProblemName; field: string }) => [
      problemCode(error.name),
      error.field,
    ]);
  expect(await refusalFor(svg.id, 'image', 'WHATSAPP')).toEqual([1275, 'media_id']);
  expect(await refusalFor(png.id, 'document', 'WHATSAPP')).toEqual([1277, 'media_id']);
  expect(await refusalFor(slot.id, 'document', 'VIBER')).toEqual([1901, 'media_id']);
  expect(await refusalFor(newId(), 'document', 'VIBER')).toEqual([1901, 'media_id']);
  // Links for carriers live longer than links for browsers.
  const row = await requireMedia(db, account_id, png.id, { type: 'image', channel: 'VIBER' });
  expect((await fetchFile(carrierLink(world.kernel, row))).status).toBe(200);
});

test('a user without permission cannot upload', async () => {
  const { token } = await makeUser(world.kernel, company.account_id, { permissions: { MEDIA: 1 } });
  const reply = await world.as(token).post('/v1/media/slots', { file_name: 'a.pdf', type: 'document' });
  expect(readProblem(reply)).toEqual([403, 1136, 'You need Add Media permission.']);
});
