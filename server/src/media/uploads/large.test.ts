/** Uploads and downloads 200 MB with only a few chunks in memory, and checks that one more byte is rejected. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MAX_MEDIA_BYTES } from '@parley/contract/media/rules.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, makeCompany } from '../../test/make.ts';
import { makeSlot, pathIn, readProblem } from '../../test/media.ts';
import { startWorkerProcess, type WorkerProcess } from '../../test/worker.ts';
import { createWorld, freePort, type World } from '../../test/world.ts';

let world: World;
let company: Company;
/** A separate process, so that its memory can be measured. */
let server: WorkerProcess;
let url: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  company = await makeCompany(world.kernel);
  const PORT = String(await freePort());
  server = await startWorkerProcess(world, { ROLE: 'api', PORT });
  url = `http://127.0.0.1:${PORT}`;
});
afterAll(async () => {
  await server?.stop();
  await world?.stop();
});

const PIECE = Buffer.alloc(64 * 1024, 'two hundred megabytes of this\n');
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

const megabytes = async (): Promise<number> =>
  Number((await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(server.pid)])).stdout) / 1024;

/** Returns the peak growth of the server's memory during the work. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = await megabytes();
  let peak = before;
  let over = false;
  const watching = (async () => {
    while (!over) {
      peak = Math.max(peak, await megabytes());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await work();
  over = true;
  await watching;
  return peak - before;
}

test('the server accepts 200 MB without keeping it in memory and rejects one more byte', async () => {
  const { bavail, bsize } = await statfs(world.kernel.config.DATA_DIR);
  expect(bavail * bsize, 'room on the disk for three copies').toBeGreaterThan(3 * MAX_MEDIA_BYTES);
  const slot = await makeSlot(world, company.token, {
    file_name: 'large.txt',
    type: 'document',
    channel: 'VIBER',
    bytes: MAX_MEDIA_BYTES,
  });
  expect(slot.max_bytes).toBe(MAX_MEDIA_BYTES);
  const put = async (bytes: number) => {
    const answer = await fetch(url + pathIn(slot.put_url), {
      method: 'PUT',
      headers: { 'content-type': slot.content_type },
      body: stream(bytes),
      duplex: 'half',
    } as RequestInit);
    return { status: answer.status, body: (await answer.json()) as { data: { get_url: string } } };
  };

  // The client either reads the refusal or its connection is closed while it sends the last bytes.
  const excess = await put(MAX_MEDIA_BYTES + 1).catch(() => null);
  if (excess) expect(readProblem(excess as never)).toEqual([400, 1280, 'File size should not exceed 200 MB']);
  expect(await readdir(join(world.kernel.config.DATA_DIR, 'uploads'))).toEqual([]);

  const hash = createHash('sha256');
  for (let left = MAX_MEDIA_BYTES; left > 0; left -= PIECE.length) hash.update(PIECE);
  const sha256 = hash.digest('hex');
  let get_url = '';
  const up = await growth(async () => {
    const { status, body } = await put(MAX_MEDIA_BYTES);
    expect([status, body.data]).toMatchObject([200, { bytes: MAX_MEDIA_BYTES, sha256 }]);
    get_url = body.data.get_url;
  });
  const down = await growth(async () => {
    const answer = await fetch(url + pathIn(get_url));
    const read = createHash('sha256');
    for await (const piece of answer.body!) read.update(piece);
    expect(read.digest('hex')).toBe(sha256);
  });
  expect(Math.max(up, down), `${up} MB up, ${down} MB down`).toBeLessThan(100);
}, 120_000);
