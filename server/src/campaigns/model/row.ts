/** A campaign as it is stored, and as the world sees it: what follows from the stored figures is computed here and nowhere else. */
import type {
  Campaign,
  CampaignCounts,
  CampaignReason,
  CampaignStatus,
  SkipReason,
} from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/common.ts';
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
  text: string;
  status: CampaignStatus;
  status_details: CampaignReason | null;
  schedule: string | null;
  validity_seconds: number;
  user_id: string | null;
  template_id: string | null;
  total: number;
  last_contact_id: string | null;
  cursor_contact_id: string | null;
  fanned_out: number;
  skipped: Partial<Record<SkipReason, number>>;
  counts: Partial<Omit<CampaignCounts, 'waiting'>>;
  retryable_count: number;
  cost_micros: number;
  currency: Campaign['currency'];
  start_date: string | null;
  end_date: string | null;
  create_date: string;
  update_date: string;
}

/** The caller adds `where` with `c.account_id`. */
export const campaignSelect: Sql = sql`
  select c.*, s.name as sender_name, a.name as audience_name, o.currency
  from campaigns c
  join accounts o on o.id = c.account_id
  left join senders s on s.account_id = c.account_id and s.id = c.sender_id
  left join audiences a on a.account_id = c.account_id and a.id = c.audience_id`;

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

/** People nobody has decided about yet: neither a message nor a reason for none. */
export const countUndecided = (row: Pick<CampaignRow, 'total' | 'fanned_out' | 'skipped'>): number =>
  Math.max(0, row.total - row.fanned_out - sumCounts(row.skipped));

/** Every person of the frozen audience has been decided about. */
export const isFannedOut = (row: CampaignRow): boolean =>
  row.last_contact_id !== null && row.cursor_contact_id === row.last_contact_id;

/** Messages made whose way to the carrier is not over, as last counted; those made since count as on their way. */
export const countQueued = (row: CampaignRow): number =>
  row.fanned_out - sumCounts(row.counts) + (row.counts.enroute ?? 0);

export function toCampaign(row: CampaignRow): Campaign {
  const counts = { ...NO_COUNTS, ...row.counts, waiting: countUndecided(row) };
  // Between two counts the new messages are still in our queue.
  counts.enroute = Math.max(0, countQueued(row));
  const { last_contact_id: _, cursor_contact_id: __, user_id: ___, template_id: ____, retryable_count, ...rest } = row;
  return {
    ...rest,
    counts,
    retryable: retryable_count,
    messages: {
      total: row.total,
      delivered: counts.delivered + counts.read,
      failed: counts.failed + counts.rejected + counts.expired + counts.blocked + counts.unsubscribed,
    },
  };
}
