/** Tests uploads to an object store, and videos on a machine with ffmpeg. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Company, makeCompany } from '../../test/make.ts';
import { pathIn, uploadFile } from '../../test/media.ts';
import * as files from '../../test/media_files.ts';
import { type ObjectStore, STORE_KEYS, startObjectStore } from '../../test/peers/object_store.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { objectKey } from '../objects.ts';

let store: ObjectStore;
let world: World;
let company: Company;
let tools: string;
const path = process.env.PATH;
beforeAll(async () => {
  // A stand-in for ffmpeg, found first in the PATH. It returns the picture that follows the boxes of the video.
  tools = await mkdtemp(join(tmpdir(), 'parley-tools-'));
  const program = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] !== '-version') {
  const video = readFileSync(args[args.indexOf('-i') + 1].replace('file:', ''));
  const start = video.indexOf('\\x89PNG', 0, 'latin1');
  if (start < 0) process.exit(1);
  // A short video has no frame at half a second, which is not a failure.
  if (video.includes('short') && args[args.indexOf('-ss') + 1] !== '0') process.exit(0);
  writeFileSync(args.at(-1).replace('file:', ''), video.subarray(start));
}
`;
  await writeFile(join(tools, 'ffmpeg'), program);
  await chmod(join(tools, 'ffmpeg'), 0o755);
  process.env.PATH = `${tools}:${path}`;
  store = await startObjectStore('parley');
  world = await createWorld({
    settings: {
      S3_BUCKET: 'parley',
      S3_ENDPOINT: store.url,
      S3_ACCESS_KEY_ID: STORE_KEYS.access_key_id,
      S3_SECRET_ACCESS_KEY: STORE_KEYS.secret_access_key,
    },
  });
  company = await makeCompany(world.kernel);
});
afterAll(async () => {
  process.env.PATH = path;
  await world.stop();
  await store.stop();
  await rm(tools, { recursive: true, force: true });
});

const fetchFile = (url: string, headers: Record<string, string> = {}) => world.as().raw(pathIn(url), { headers });

test('a file in an object store can be uploaded, partly downloaded, and deleted', async () => {
  const file = files.pdf('object store');
  const media = await uploadFile(world, company.token, { file_name: 'a.pdf', type: 'document' }, file);
  expect((await fetchFile(media.get_url!)).text).toBe(file);
  const part = await fetchFile(media.get_url!, { range: 'bytes=0-4' });
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
    206,
    '%PDF-',
    `bytes 0-4/${file.length}`,
  ]);
  const image = await uploadFile(
    world,
    company.token,
    { file_name: 'a.png', type: 'image' },
    await files.picture('png', 700, 500),
  );
  expect((await fetchFile(image.thumbnail_url!)).headers.get('content-type')).toBe('image/webp');
  const { lease } = await world.kernel.db.one<{ lease: string }>(sql`select lease from media where id = ${media.id}`);
  const key = objectKey(company.account_id, lease);
  expect(await world.kernel.storage.exists(key)).toBe(true);
  expect((await world.as(company.token).delete(`/v1/media/${media.id}`)).status).toBe(204);
  await until('the object is removed', async () => !(await world.kernel.storage.exists(key)));
});

test('a video has a thumbnail and dimensions when ffmpeg can read it', async () => {
  const png = await files.picture('png', 640, 360);
  const video = Buffer.concat([files.movie('isom'), files.box('free', png)]);
  const media = await uploadFile(
    world,
    company.token,
    { file_name: 'a.mp4', type: 'video', channel: 'WHATSAPP' },
    video,
  );
  expect(media).toMatchObject({ content_type: 'video/mp4', width: 640, height: 360 });
  expect((await fetchFile(media.thumbnail_url!)).status).toBe(200);
  const file = await fetchFile(media.get_url!);
  expect(file.headers.get('content-disposition')).toMatch(/^inline/);
  const short = await uploadFile(
    world,
    company.token,
    { file_name: 'a.mp4', type: 'video' },
    Buffer.concat([files.movie('isom'), files.box('free', 'short', png)]),
  );
  expect(short).toMatchObject({ width: 640, height: 360 });
  const bare = await uploadFile(world, company.token, { file_name: 'a.mp4', type: 'video' }, files.movie('isom'));
  expect(bare).toMatchObject({ status: 'ready', width: null, height: null, thumbnail_url: null });
});
