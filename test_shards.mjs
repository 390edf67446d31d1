// Which browser tests run side by side: whole files, shared out by how long they take, so that no half waits long for the other.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds on two cores, by file; one that is not named here counts as a usual one. Only the balance hangs on them. */
const USUAL = 30;
const SECONDS = {
  accessible: 150,
  audiences: 57,
  channels: 53,
  senders: 52,
  identity: 45,
  newcomer: 42,
  lighthouse: 40,
  templates: 40,
  access: 38,
  inbox: 37,
  permissions: 37,
  campaigns: 33,
  team: 33,
  unplugged: 27,
  try_it_now: 23,
  main_job: 16,
  trial: 13,
};
const ENDING = '.spec.ts';

export const specsIn = (folder) => readdirSync(folder).filter((name) => name.endsWith(ENDING));

/** The same for the same files, always: the longest first, each to whoever has least. */
export function shardsOf(files, count) {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] }));
  const longest = files
    .map((file) => ({ file, seconds: SECONDS[file.slice(0, -ENDING.length)] ?? USUAL }))
    .sort((a, b) => b.seconds - a.seconds || (a.file < b.file ? -1 : 1));
  for (const { file, seconds } of longest) {
    const least = shards.reduce((found, shard) => (shard.seconds < found.seconds ? shard : found));
    least.files.push(file);
    least.seconds += seconds;
  }
  return shards.map((shard) => shard.files);
}

/** As Playwright takes them: a part of the path, which must be no other's. */
export const asArguments = (files) => files.map((file) => join('e2e', file));
