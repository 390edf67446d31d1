/** A campaign's stored row and its public format. Values derived from the stored counts are computed only here. */
import type { Campaign, CampaignCounts, CampaignReason, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import {
  type CampaignContent,
  type CampaignFallback,
  NO_CAMPAIGN_CONTENT,
} from '@parley/contract/campaigns/content.ts';
import type { CampaignForecast } from '@parley/contract/campaigns/results.ts';
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Sql, sql } from '../../kernel/db/db.ts';

export interface CampaignRow {
  account_id: string;
  id: string;
  name: string;
  channel: ChannelName;
  sender_id: string | null;
  sender_name: string | null;
  audience_id: string | null;
  audience_name: string | null;
  audience_ids: string[];
  excluded_audience_ids: string[];
  text: string;
  content: Partial<CampaignContent>;
  countries: string[] | null;
  fallbacks: (Omit<CampaignFallback, 'channel'> & { channel: ChannelName })[] | null;
  status: CampaignStatus;
  status_details: CampaignReason | null;
  schedule: string | null;
  validity_seconds: number;
  user_id: string | null;
  template_id: string | null;
  template_name: string | null;
  total: number;
  last_contact_id: string | null;
  cursor_contact_id: string | null;
  fanned_out: number;
  skipped: Partial<Record<SkipReason, number>>;
  counts: Partial<Omit<CampaignCounts, 'waiting'>>;
  retryable_count: number;
  /** True if contacts after the cursor may already have the message. New messages are then marked. */
  possible_duplicate: boolean;
  forecast: CampaignForecast | null;
  cost_micros: number;
  currency: Campaign['currency'];
  start_date: string | null;
  end_date: string | null;
  create_date: string;
  update_date: string;
}

/** The caller adds a `where` clause with `c.account_id`. */
export const campaignSelect: Sql = sql`
  select c.*, s.name as sender_name,
         case when cardinality(c.audience_ids) < 2 then a.name else (
           select string_agg(x.name, ', ' order by array_position(c.audience_ids, x.id)) from audiences x
           where x.account_id = c.account_id and x.id = any(c.audience_ids)
         ) end as audience_name, t.name as template_name,
         o.currency
  from campaigns c
  join accounts o on o.id = c.account_id
  left join senders s on s.account_id = c.account_id and s.id = c.sender_id
  left join audiences a on a.account_id = c.account_id and a.id = c.audience_id
  left join templates t on t.account_id = c.account_id and t.id = c.template_id`;

/** Returns all audiences of the campaign. */
export const listAudienceIds = ({
  audience_id,
  audience_ids,
}: Pick<CampaignRow, 'audience_id' | 'audience_ids'>): string[] =>
  audience_ids.length > 0 ? audience_ids : audience_id ? [audience_id] : [];

const NO_COUNTS: CampaignCounts = {
  waiting: 0,
  enroute: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  rejected: 0,
  expired: 0,
  blocked: 0,
  unsubscribed: 0,
  canceled: 0,
};

const sumCounts = (counts: Partial<Record<string, number>>) =>
  Object.values(counts).reduce<number>((all, count) => all + (count ?? 0), 0);

/** Returns the number of contacts that have neither a message nor a skip reason. */
export const countUndecided = (row: Pick<CampaignRow, 'total' | 'fanned_out' | 'skipped'>): number =>
  Math.max(0, row.total - row.fanned_out - sumCounts(row.skipped));

/** Returns whether every contact in the frozen audience has a message or a skip reason. */
export const isFannedOut = (row: CampaignRow): boolean =>
  row.last_contact_id !== null && row.cursor_contact_id === row.last_contact_id;

/**
 * Returns the number of messages that no carrier has accepted, as of the last count. Messages created since then count
 * as queued.
 */
export const countQueued = (row: CampaignRow): number =>
  row.fanned_out - sumCounts(row.counts) + (row.counts.enroute ?? 0);

export function toCampaign(row: CampaignRow): Campaign {
  const counts = { ...NO_COUNTS, ...row.counts, waiting: countUndecided(row) };
  // Messages created since the last count are still queued.
  counts.enroute = Math.max(0, countQueued(row));
  const {
    last_contact_id: _,
    cursor_contact_id: __,
    user_id: ___,
    possible_duplicate: ____,
    content,
    forecast: _____,
    fallbacks,
    retryable_count,
    ...rest
  } = row;
  return {
    ...rest,
    ...NO_CAMPAIGN_CONTENT,
    ...content,
    fallbacks: fallbacks ?? [],
    audience_ids: listAudienceIds(row),
    counts,
    retryable: retryable_count,
    messages: {
      total: row.total,
      delivered: counts.delivered + counts.read,
      failed: counts.failed + counts.rejected + counts.expired + counts.blocked + counts.unsubscribed,
    },
    links: { self: `/v1/campaigns/${row.id}`, account: '/v1/accounts/self' },
  };
}
