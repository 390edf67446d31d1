/** 200 MB through the server and out again, in the memory of a few pieces; and a byte more. */
import { createHash } from 'node:crypto';
import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_MEDIA_BYTES } from '@parley/contract/media_rules.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, makeCompany } from '../test/make.ts';
import { makeSlot, pathIn, refusalOf, send } from '../test/media.ts';
import { createWorld, type World } from '../test/world.ts';

const MB = 1024 * 1024;
let world: World;
let company: Company;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
});
afterAll(() => world.stop());

const PIECE = Buffer.alloc(64 * 1024, 'two hundred megabytes of this\n');
/** Always the same piece, so that what sends it needs no memory of its own. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const piece = PIECE.subarray(0, Math.min(left, PIECE.length));
      left -= piece.length;
      controller.enqueue(new Uint8Array(piece));
    },
  });
}

/** The most that the process has grown while it did this. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  await work();
  clearInterval(timer);
  return most - before;
}

test('200 MB and not a byte more, without holding them', async () => {
  const { bavail, bsize } = await statfs(world.kernel.config.DATA_DIR);
  expect(bavail * bsize, 'room on the disk for three copies').toBeGreaterThan(3 * MAX_MEDIA_BYTES);
  const slot = await makeSlot(world, company.token, {
    file_name: 'large.txt',
    type: 'document',
    channel: 'VIBER',
    bytes: MAX_MEDIA_BYTES,
  });
  expect(slot.max_bytes).toBe(MAX_MEDIA_BYTES);

  const more = await send(world, slot, stream(MAX_MEDIA_BYTES + 1)).catch(() => null);
  if (more) expect(refusalOf(more)).toEqual([400, 1280, 'File size should not exceed 200 MB']);
  expect(await readdir(join(world.kernel.config.DATA_DIR, 'uploads'))).toEqual([]);

  const hash = createHash('sha256');
  for (let left = MAX_MEDIA_BYTES; left > 0; left -= PIECE.length) hash.update(PIECE);
  const sha256 = hash.digest('hex');
  let get_url = '';
  const up = await growth(async () => {
    const { status, body, text } = await send(world, slot, stream(MAX_MEDIA_BYTES));
    expect(status, text).toBe(200);
    expect(body.data).toMatchObject({ bytes: MAX_MEDIA_BYTES, sha256 });
    get_url = body.data.get_url;
  });
  const down = await growth(async () => {
    const answer = await fetch(world.url + pathIn(get_url));
    const read = createHash('sha256');
    for await (const piece of answer.body!) read.update(piece);
    expect(read.digest('hex')).toBe(sha256);
  });
  // What is sent and what is received lives in this one process, garbage and all; the file alone would be 200.
  expect(
    [up / MB, down / MB].map((grown) => grown < 120),
    `${up / MB} MB up, ${down / MB} MB down`,
  ).toEqual([true, true]);
}, 120_000);
