/** The list of a backup's contents, with which `restore` verifies every file before it changes anything. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

export const MANIFEST = 'manifest.json';

const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});
export type Table = z.output<typeof Table>;

const StoredFile = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() });
export type StoredFile = z.output<typeof StoredFile>;

const Manifest = z.object({
  format: z.literal(1),
  create_date: z.string(),
  /** The epoch and the identity of the database. */
  epoch: z.int(),
  identity: z.string(),
  migrations: z.array(z.string()),
  /** The version of the schema of the job queue. Null: the jobs are not included. */
  jobs_version: z.int().nullable(),
  tables: z.array(Table),
  /** Null: the files are not included, because they are in a bucket or backed up separately. */
  files: z.array(StoredFile).nullable(),
});
export type Manifest = z.output<typeof Manifest>;

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} is not a complete backup: it has no ${MANIFEST}`);
  const manifest = Manifest.safeParse(JSON.parse(text));
  if (!manifest.success) throw new Error(`${folder} was made by another version: its ${MANIFEST} cannot be read`);
  return manifest.data;
}

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}

/** Returns the files that are missing or differ from the manifest. */
export async function findDamage(folder: string, manifest: Manifest): Promise<string[]> {
  const files = [
    ...manifest.tables.map(({ file, bytes, sha256 }) => ({ path: file, bytes, sha256 })),
    ...(manifest.files ?? []).map((file) => ({ ...file, path: join('files', file.path) })),
  ];
  const damaged: string[] = [];
  for (const { path, bytes, sha256 } of files) {
    const actual = await hashFile(join(folder, path)).catch(() => null);
    if (actual?.bytes !== bytes || actual.sha256 !== sha256) damaged.push(path);
  }
  return damaged;
}
