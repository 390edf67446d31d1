/** Distributes the browser test files over parallel runs by duration so that the runs take about the same time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Duration of each file in seconds on two busy cores, used only for balancing. Unlisted files count as
 * `DEFAULT_SECONDS`.
 */
const DEFAULT_SECONDS = 20;
export const SECONDS = {
  accessible: 203,
  'inbox_team/one_conversation': 98,
  channels: 90,
  identity: 86,
  'accessible/dialogs': 75,
  audiences: 63,
  campaigns: 59,
  inbox: 57,
  senders: 56,
  'going_live/going_live': 50,
  lighthouse: 49,
  newcomer: 47,
  access: 44,
  templates: 41,
  'money/planned_prices': 40,
  'gallery/gallery': 39,
  'panels/panel': 36,
  'campaign_control/campaign_control': 36,
  'figures/figures': 36,
  unplugged: 36,
  team: 33,
  try_it_now: 31,
  'guard/fraud': 30,
  'connections/provider_failover': 30,
  main_job: 29,
  'keyboard/keyboard': 29,
  'people/person': 28,
  'onboarding/checklist': 26,
  permissions: 26,
  lists: 25,
  'inbox_team/inbox_team': 25,
  everywhere: 24,
  'accessible/pages': 22,
  'chat_campaigns/chat_campaigns': 22,
  'inbox_team/send_later': 21,
  'links/links': 20,
  'guard/guard': 18,
  'opt_in_forms/opt_in_forms': 18,
  'guard/inheritance': 17,
  'connections/connect_provider': 17,
  'inbox_team/assistance': 16,
  'guard/reviews': 16,
  'inbox_team/rules': 16,
  'exports/exports': 16,
  'docs/try_it': 16,
  'brand/brand': 16,
  'crm/crm': 15,
  'inbox_team/cards': 14,
  'panels/health': 14,
  'money/volume_prices': 14,
  'dynamic_audiences/dynamic_audiences': 13,
  'campaign_control/automations': 13,
  'money/money': 12,
  'insights/carrier': 12,
  'docs/first_steps': 12,
  'crm/sync': 12,
  trial: 12,
  'panels/webhooks': 11,
  registrations: 10,
  'panels/developer': 9,
  'insights/insights': 9,
  'exports/s3': 8,
  'keywords/keywords': 8,
  'inbox_team/reports': 7,
  'docs/docs': 7,
  'inbox_team/targets': 7,
  'exports/sftp': 6,
  'connections/connection_test': 6,
  'docs/manual': 5,
  'inbox_team/quotes': 5,
  'money/reconciliation': 5,
  'inbox_team/unsubscribing': 5,
  'inbox_team/push': 4,
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
