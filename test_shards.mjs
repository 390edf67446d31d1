/** Distributes the browser test files over parallel runs by duration so that the runs take about the same time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Duration of each file in seconds on two busy cores, used only for balancing. Unlisted files count as
 * `DEFAULT_SECONDS`.
 */
const DEFAULT_SECONDS = 20;
export const SECONDS = {
  channels: 70,
  'accessible/dialogs': 107,
  'inbox_team/one_conversation': 99,
  accessible: 96,
  inbox: 82,
  identity: 81,
  campaigns: 78,
  'going_live/going_live': 66,
  access: 54,
  newcomer: 51,
  'money/planned_prices': 49,
  'gallery/gallery': 49,
  lighthouse: 48,
  'connections/provider_failover': 44,
  audiences: 41,
  'figures/figures': 40,
  senders: 40,
  'people/person': 33,
  unplugged: 33,
  'guard/fraud': 31,
  try_it_now: 30,
  'inbox_team/cards': 30,
  'inbox_team/inbox_team': 28,
  'campaign_control/campaign_control': 26,
  main_job: 26,
  'accessible/pages': 23,
  templates: 21,
  permissions: 20,
  'crm/crm': 20,
  'inbox_team/rules': 20,
  'onboarding/checklist': 20,
  everywhere: 20,
  'guard/guard': 19,
  'panels/panel': 18,
  'money/money': 18,
  team: 18,
  lists: 17,
  'keyboard/keyboard': 16,
  'links/links': 16,
  'inbox_team/send_later': 16,
  'exports/exports': 15,
  'opt_in_forms/opt_in_forms': 14,
  'connections/connect_provider': 14,
  'brand/brand': 14,
  'inbox_team/assistance': 14,
  'guard/inheritance': 13,
  'panels/health': 13,
  'inbox_team/quotes': 11,
  'crm/sync': 11,
  'guard/reviews': 11,
  'docs/try_it': 11,
  registrations: 11,
  'chat_campaigns/chat_campaigns': 10,
  'docs/first_steps': 10,
  'dynamic_audiences/dynamic_audiences': 8,
  'campaign_control/automations': 8,
  'inbox_team/targets': 8,
  'exports/sftp': 8,
  'inbox_team/reports': 7,
  trial: 7,
  'keywords/keywords': 7,
  'insights/insights': 6,
  'connections/connection_test': 6,
  'panels/developer': 6,
  'docs/docs': 5,
  'money/reconciliation': 5,
  'inbox_team/unsubscribing': 4,
  'docs/manual': 3,
  'inbox_team/push': 3,
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
