/** Files to import, and functions that read the results, for testing imports. */
import { Readable } from 'node:stream';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller, World } from './world.ts';

export const IMPORTS = '/v1/audience_imports';
export const csv = (bytes: string, name = 'people.csv') => ({ name, bytes });
export const manyRows = (count: number) => {
  const rows = Array.from({ length: count }, (_, index) => `+1415${2_000_000 + index * 7},Person ${index}\n`);
  return `Number,First name\n${rows.join('')}`;
};

export const listContacts = async (caller: Caller, id: string) =>
  ((await caller.get(`/v1/audiences/${id}/contacts?page_size=100`)).body.data as Record<string, string>[]).reverse();
export const listEvents = async (world: World, account_id: string, type: string) =>
  (
    await world.kernel.db.rows<{ payload: Record<string, unknown> }>(
      sql`select payload from events where account_id = ${account_id} and type = ${type} order by id`,
    )
  ).map(({ payload }) => payload);
export const findFiles = (world: World, id: string) =>
  world.kernel.db.one<{ storage_key: string; refused_key: string | null }>(
    sql`select storage_key, refused_key from audience_imports where id = ${id}`,
  );

/** Returns the kernel with a storage that stalls in the middle of every file, so that the import stays in progress. */
export function onStuckDisk(kernel: Kernel, after_bytes = 600_000): Kernel {
  return {
    ...kernel,
    storage: {
      ...kernel.storage,
      async open(key, range) {
        const file = await kernel.storage.open(key, range);
        if (!file) return null;
        const stalled = Readable.from(
          (async function* () {
            let bytes = 0;
            for await (const piece of file.stream) {
              yield piece;
              bytes += (piece as Buffer).length;
              if (bytes >= after_bytes) await new Promise(() => {});
            }
          })(),
          { objectMode: false },
        );
        return { ...file, stream: stalled };
      },
    },
  };
}
