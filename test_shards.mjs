/** Distributes the browser test files over parallel runs by duration so that the runs take about the same time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Duration of each file in seconds on two cores, used only for balancing. Unlisted files count as `DEFAULT_SECONDS`.
 */
const DEFAULT_SECONDS = 30;
export const SECONDS = {
  accessible: 150,
  'accessible/pages': 170,
  'accessible/dialogs': 80,
  'going_live/going_live': 80,
  audiences: 65,
  identity: 59,
  channels: 57,
  senders: 47,
  lighthouse: 42,
  campaigns: 40,
  templates: 40,
  permissions: 39,
  try_it_now: 38,
  inbox: 37,
  newcomer: 37,
  access: 34,
  team: 28,
  'keyboard/keyboard': 22,
  main_job: 22,
  lists: 18,
  registrations: 18,
  everywhere: 15,
  'money/money': 15,
  'crm/crm': 12,
  'links/links': 12,
  'chat_campaigns/chat_campaigns': 10,
  'guard/guard': 10,
  trial: 10,
  'docs/docs': 8,
  unplugged: 10,
  'insights/insights': 8,
  'gallery/gallery': 30,
  'inbox_team/inbox_team': 20,
};
const ENDING = '.spec.ts';

/** Paths relative to the folder, which may have subfolders. */
export const listSpecs = (folder) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ENDING));

/** Assigns the longest files first, each to the shard with the shortest total. The result is deterministic. */
export function splitIntoShards(files, count, durations = SECONDS) {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] }));
  const longestFirst = files
    .map((file) => ({ file, seconds: durations[file.slice(0, -ENDING.length)] ?? DEFAULT_SECONDS }))
    .sort((a, b) => b.seconds - a.seconds || (a.file < b.file ? -1 : 1));
  for (const { file, seconds } of longestFirst) {
    const shortest = shards.reduce((best, shard) => (shard.seconds < best.seconds ? shard : best));
    shortest.files.push(file);
    shortest.seconds += seconds;
  }
  return shards.map((shard) => shard.files);
}

/** Returns Playwright arguments: parts of paths, each of which matches exactly one file. */
export const asArguments = (files) => files.map((file) => join('e2e', file));
