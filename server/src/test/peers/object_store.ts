/** Starts an S3-compatible server (s3rver) on a free port with an empty folder. It does not check signatures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../world.ts';

export interface ObjectStore {
  readonly url: string;
  stop(): Promise<void>;
}

interface Peer {
  run(): Promise<unknown>;
  close(): Promise<void>;
}
// The package has no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Peer;

export async function startObjectStore(bucket: string): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-objects-'));
  const port = await freePort();
  const peer = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  await peer.run();
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await peer.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
