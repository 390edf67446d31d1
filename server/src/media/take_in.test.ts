import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db.ts';
import { makeCompany } from '../test/make.ts';
import { picture } from '../test/media_files.ts';
import { createWorld, type World } from '../test/world.ts';
import { takeIn } from './media.ts';

let world: World;
let account_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  ({ account_id } = await makeCompany(world.kernel));
});
afterAll(() => world?.stop());

const take = (type: 'image' | 'document', file_name: string | null, content_type: string, octets: Buffer | string) =>
  takeIn(
    world.kernel,
    { account_id, type, channel: 'WHATSAPP', file_name, content_type },
    Readable.from([Buffer.from(octets as string, 'latin1')]),
  );
const kept = async () =>
  (
    await world.kernel.db.one<{ count: number }>(
      sql`select count(*)::int as count from media where account_id = ${account_id} and status <> 'removed'`,
    )
  ).count;

test.each([
  ['audio.ogg', 'audio/ogg; codecs=opus', 'OggS\0\x02more', 'audio/ogg'],
  ['audio.mp3', 'audio/mpeg', 'ID3\x04more', 'audio/mpeg'],
  ['audio.m4a', 'audio/mp4', '\0\0\0\x1cftypM4A more', 'audio/mp4'],
  ['audio.aac', 'audio/aac', '\xff\xf1more', 'audio/aac'],
  ['audio.amr', 'audio/amr', '#!AMR\nmore', 'audio/amr'],
])('a voice message of a person: %s', async (name, told, octets, content_type) => {
  expect(await take('document', name, told, octets)).toMatchObject({ file_name: name, content_type, status: 'ready' });
});

test('a sticker, and a picture whose name says nothing', async () => {
  const sticker = await take('image', null, 'image/webp', (await picture('webp')).toString('latin1'));
  expect(sticker).toMatchObject({ content_type: 'image/webp', file_name: 'image.webp' });
});

test('what is not what it says, or of no kind we know, leaves nothing behind', async () => {
  const before = await kept();
  await expect(take('document', 'audio.ogg', 'audio/ogg', 'MZ a program')).rejects.toMatchObject({ name: 'Problem' });
  await expect(take('document', 'run.exe', 'application/x-msdownload', 'MZ')).rejects.toMatchObject({ code: 1906 });
  expect(await kept()).toBe(before);
});
