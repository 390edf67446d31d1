/** Distributes the browser test files over parallel runs by duration so that the runs take about the same time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Duration of each file in seconds on two busy cores, used only for balancing. Unlisted files count as
 * `DEFAULT_SECONDS`.
 */
const DEFAULT_SECONDS = 30;
export const SECONDS = {
  'accessible/pages': 440,
  accessible: 300,
  'accessible/dialogs': 298,
  channels: 166,
  'going_live/going_live': 156,
  identity: 146,
  audiences: 127,
  access: 120,
  campaigns: 95,
  newcomer: 94,
  senders: 90,
  inbox: 88,
  try_it_now: 67,
  lighthouse: 66,
  templates: 62,
  'gallery/gallery': 58,
  'keyboard/keyboard': 54,
  'panels/panel': 53,
  everywhere: 48,
  permissions: 46,
  'figures/figures': 44,
  main_job: 42,
  team: 39,
  'money/money': 38,
  registrations: 35,
  unplugged: 34,
  lists: 30,
  'crm/crm': 29,
  'links/links': 26,
  'guard/guard': 25,
  'chat_campaigns/chat_campaigns': 21,
  'inbox_team/inbox_team': 19,
  'panels/health': 17,
  'docs/docs': 12,
  'connections/connection_test': 11,
  trial: 10,
  'insights/insights': 6,
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
