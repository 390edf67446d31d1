/** Distributes the browser test files over parallel runs by duration so that the runs take about the same time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Duration of each file in seconds on two busy cores, used only for balancing. Unlisted files count as
 * `DEFAULT_SECONDS`.
 */
const DEFAULT_SECONDS = 20;
export const SECONDS = {
  'accessible/pages': 170,
  accessible: 110,
  'accessible/dialogs': 90,
  identity: 105,
  'connections/provider_failover': 40,
  'campaign_control/campaign_control': 40,
  'campaign_control/automations': 15,
  'exports/exports': 25,
  'exports/s3': 10,
  'exports/sftp': 10,
  'connections/connect_provider': 20,
  'keywords/keywords': 14,
  'people/person': 30,
  'opt_in_forms/opt_in_forms': 25,
  'docs/try_it': 20,
  'docs/first_steps': 20,
  channels: 104,
  'going_live/going_live': 96,
  inbox: 90,
  audiences: 87,
  access: 84,
  senders: 66,
  campaigns: 63,
  newcomer: 57,
  lighthouse: 50,
  'gallery/gallery': 49,
  'figures/figures': 46,
  templates: 42,
  everywhere: 41,
  try_it_now: 38,
  unplugged: 36,
  permissions: 33,
  team: 32,
  'panels/panel': 32,
  'inbox_team/cards': 15,
  'inbox_team/inbox_team': 28,
  'inbox_team/push': 12,
  'inbox_team/quotes': 10,
  'inbox_team/reports': 12,
  'inbox_team/rules': 15,
  'inbox_team/send_later': 30,
  'inbox_team/targets': 12,
  'keyboard/keyboard': 27,
  registrations: 26,
  'brand/brand': 30,
  'onboarding/checklist': 19,
  'guard/fraud': 30,
  'guard/guard': 21,
  'guard/reviews': 25,
  'crm/crm': 20,
  'crm/sync': 30,
  main_job: 20,
  'chat_campaigns/chat_campaigns': 19,
  trial: 19,
  'links/links': 17,
  lists: 15,
  'money/planned_prices': 15,
  'panels/health': 15,
  'panels/developer': 20,
  'dynamic_audiences/dynamic_audiences': 14,
  'money/money': 10,
  'docs/docs': 9,
  'docs/manual': 9,
  'insights/insights': 9,
  'connections/connection_test': 7,
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
