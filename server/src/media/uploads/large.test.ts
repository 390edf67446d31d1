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
  let remaining = bytes;
  return new ReadableStream({
    pull(controller) {
      if (remaining === 0) return controller.close();
      const piece = PIECE.subarray(0, Math.min(remaining, PIECE.length));
      remaining -= piece.length;
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
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await megabytes());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await work();
  isDone = true;
  await watching;
  return peak - before;
}

test('the server accepts a 200 MB upload without buffering it in memory and rejects one more byte', async () => {
  const { bavail, bsize } = await statfs(world.kernel.config.DATA_DIR);
  expect(bavail * bsize, 'the disk needs space for three copies').toBeGreaterThan(3 * MAX_MEDIA_BYTES);
  const slot = await makeSlot(world, company.token, {
    file_name: 'large.txt',
    type: 'document',
    channel: 'VIBER',
    bytes: MAX_MEDIA_BYTES,
  });
  expect(slot.max_bytes).toBe(MAX_MEDIA_BYTES);
  const putFile = async (bytes: number) => {
    const response = await fetch(url + pathIn(slot.put_url), {
      method: 'PUT',
      headers: { 'content-type': slot.content_type },
      body: stream(bytes),
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as { data: { get_url: string } } };
  };

  // The client either reads the refusal or its connection is closed while it sends the last bytes.
  const excess = await putFile(MAX_MEDIA_BYTES + 1).catch(() => null);
  if (excess) expect(readProblem(excess as never)).toEqual([400, 1280, 'File size should not exceed 200 MB']);
  expect(await readdir(join(world.kernel.config.DATA_DIR, 'uploads'))).toEqual([]);

  const hash = createHash('sha256');
  for (let remaining = MAX_MEDIA_BYTES; remaining > 0; remaining -= PIECE.length) hash.update(PIECE);
  const sha256 = hash.digest('hex');
  let get_url = '';
  const uploadGrowth = await growth(async () => {
    const { status, body } = await putFile(MAX_MEDIA_BYTES);
    expect([status, body.data]).toMatchObject([200, { bytes: MAX_MEDIA_BYTES, sha256 }]);
    get_url = body.data.get_url;
  });
  const downloadGrowth = await growth(async () => {
    const response = await fetch(url + pathIn(get_url));
    const digest = createHash('sha256');
    for await (const piece of response.body!) digest.update(piece);
    expect(digest.digest('hex')).toBe(sha256);
  });
  expect(
    Math.max(uploadGrowth, downloadGrowth),
    `memory growth: ${uploadGrowth} MB on upload, ${downloadGrowth} MB on download`,
  ).toBeLessThan(100);
});
