// Which browser tests run side by side: whole files, shared out by how long they take, so that no half waits long for the other.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds on two cores, by file; one that is not named here counts as a usual one. Only the balance hangs on them. */
const USUAL = 30;
const SECONDS = {
  accessible: 200,
  channels: 78,
  audiences: 65,
  identity: 62,
  senders: 47,
  campaigns: 45,
  lighthouse: 42,
  templates: 40,
  permissions: 39,
  try_it_now: 38,
  inbox: 37,
  newcomer: 37,
  access: 34,
  team: 28,
  registrations: 18,
  main_job: 17,
  unplugged: 10,
  trial: 10,
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
