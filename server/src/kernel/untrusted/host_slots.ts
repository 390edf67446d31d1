/**
 * Extends the limits of fair slots to all processes of an installation on one host, because they share its memory. A
 * slot is an abstract Unix socket: Linux gives each name to one process at a time and frees it when that process ends,
 * even if it is killed. On other systems, the limits hold for each process.
 */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A limit: at most this many holders on the host at the same time. */
export interface HostLimit {
  name: string;
  size: number;
}

/** Random, so that waiting processes do not try at the same moments. */
const PAUSE_MS = { min: 20, max: 120 };

/** Null: the limits hold for this process only. */
let installation: string | null = null;

/** The processes with the same database are one installation. Called once, before the process takes tasks. */
export function shareSlotsOnHost(database_url: string): void {
  if (process.platform !== 'linux') return;
  installation = createHash('sha256').update(database_url).digest('base64url').slice(0, 22);
}

/** Waits for a slot of every limit and returns the function that frees them. */
export async function holdHostSlots(limits: readonly HostLimit[], signal?: AbortSignal): Promise<() => Promise<void>> {
  if (installation === null) return async () => {};
  for (;;) {
    const held = await tryAll(installation, limits);
    if (held) return () => releaseSlots(held);
    signal?.throwIfAborted();
    await sleep(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min), undefined, signal ? { signal } : {});
  }
}

/** Holds all slots or none, so that two processes that need the same slots do not wait for each other. */
async function tryAll(prefix: string, limits: readonly HostLimit[]): Promise<Server[] | null> {
  const held: Server[] = [];
  for (const { name, size } of limits) {
    const slot = await tryOne(`\0parley/${prefix}/${name}`, size);
    if (slot) held.push(slot);
    else {
      await releaseSlots(held);
      return null;
    }
  }
  return held;
}

async function tryOne(name: string, size: number): Promise<Server | null> {
  for (let index = 0; index < size; index++) {
    const slot = await listen(`${name}/${index}`);
    if (slot) return slot;
  }
  return null;
}

const listen = (path: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen({ path, exclusive: true }, () => resolve(server));
    server.unref();
  });

const releaseSlots = async (held: readonly Server[]): Promise<void> => {
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
};
