/** A campaign's stored row and its public format. Values derived from the stored counts are computed only here. */
import type { CampaignApproval } from '@parley/contract/campaigns/approval.ts';
import type { Campaign, CampaignCounts, CampaignReason, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import {
  type CampaignContent,
  type CampaignFallback,
  NO_CAMPAIGN_CONTENT,
} from '@parley/contract/campaigns/content.ts';
import type { CampaignRepeat } from '@parley/contract/campaigns/repeats.ts';
import type { CampaignForecast } from '@parley/contract/campaigns/results.ts';
import { type CampaignSafety, NO_SAFETY, type SafetyFigures } from '@parley/contract/campaigns/safety.ts';
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import { type CampaignTiming, NO_TIMING } from '@parley/contract/campaigns/timing.ts';
import type { CampaignTrigger } from '@parley/contract/campaigns/triggers.ts';
import { type CampaignTest, VARIANT_NAMES } from '@parley/contract/campaigns/variants.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { raw, type Sql, sql } from '../../kernel/db/db.ts';
import { upcomingRuns } from './run_times.ts';

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
  /** The stored people of each dynamic audience, by its ID. Set at the start. */
  audience_sets: Record<string, string>;
  text: string;
  session_text: string | null;
  content: Partial<CampaignContent>;
  countries: string[] | null;
  fallbacks: (Omit<CampaignFallback, 'channel'> & { channel: ChannelName })[] | null;
  status: CampaignStatus;
  status_details: CampaignReason | null;
  schedule: string | null;
  timing: Partial<CampaignTiming>;
  /** When a scheduled campaign starts; null if it was started by a user. */
  due_date: string | null;
  /** The microseconds between two messages; null if the rate is not limited. */
  pace_micros: number | null;
  /** The time of the next message in microseconds since 1970, if the rate is limited. */
  paced_micros: number | null;
  /** The fan-out rests until then. */
  fanout_date: string | null;
  repeat: CampaignRepeat | null;
  /** The time of the first run of a series. */
  repeat_date: string | null;
  trigger: CampaignTrigger | null;
  trigger_date: string | null;
  /** A run of an automation gets more people until then. */
  open_until: string | null;
  series_id: string | null;
  run_date: string | null;
  /** The account's time zone. */
  account_zone: string;
  approval_id: string | null;
  approval_status: CampaignApproval['status'] | null;
  safety: Partial<CampaignSafety>;
  /** The bulk lookup that the campaign waits for. Set at the start. */
  lookup_id: string | null;
  /** Null also if the bulk lookup was deleted. */
  lookup: Campaign['safeguards']['lookup'];
  /** The number of messages of the canary; null without a canary. */
  canary_size: number | null;
  /** When the results of the canary are checked; null until carriers have accepted its messages. */
  canary_date: string | null;
  canary_passed: boolean;
  /** The figures before the latest resume after a limit paused the campaign. */
  safety_offset: SafetyFigures | null;
  /** The figures that paused the campaign. */
  safety_tripped: SafetyFigures | null;
  test: CampaignTest | null;
  /** The number of messages of the A/B test. */
  test_size: number | null;
  /** Choose the sample of the test (sample.ts). Null for everyone, and for campaigns from older versions. */
  test_seed: number | null;
  test_threshold: number | null;
  test_cursor: string | null;
  /** When the winner is chosen; null until carriers have accepted the messages of the test. */
  test_date: string | null;
  /** The number of messages of each variant; empty before the first. */
  test_counts: number[];
  /** The variant that the rest gets: 0 for A. */
  test_winner: number | null;
  /** True once the author was asked to choose the winner. */
  test_notified: boolean;
  approval: CampaignApproval | null;
  tags: string[];
  note: string;
  archive_date: string | null;
  /** The number of contacts waiting for their time, by this time in ISO format. */
  waits: Record<string, number>;
  validity_seconds: number;
  user_id: string | null;
  template_id: string | null;
  template_name: string | null;
  total: number;
  last_contact_id: string | null;
  cursor_contact_id: string | null;
  fanned_out: number;
  skipped: Partial<Record<SkipReason, number>>;
  /** True if `campaign_skips` has a row for each skipped contact. */
  lists_skips: boolean;
  /** Canceled: contacts after this one have no message. Null for campaigns that older versions canceled. */
  canceled_after: string | null;
  /** True if `campaign_skips` has the contacts that the cancellation left out. */
  lists_canceled: boolean;
  counts: Partial<Omit<CampaignCounts, 'waiting'>>;
  in_review: number;
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

const wireTime = (column: string): Sql => raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`);
const person = (column: string): Sql =>
  raw(`(
    select jsonb_build_object('id', u.id, 'name', trim(u.first_name || ' ' || u.last_name)) from users u
    where u.account_id = v.account_id and u.id = v.${column}
  )`);

/** The columns of an approval `v`. */
export const approvalColumns: Sql = sql`
  v.id, v.status, v.target, v.recipients, v.amount_micros, ${person('requested_user_id')} as requested_by,
  ${wireTime('v.request_date')} as request_date, to_jsonb(v.submitter_ids) as submitter_ids,
  ${person('decided_user_id')} as decided_by, ${wireTime('v.decide_date')} as decide_date, v.reason`;

/** The caller adds a `where` clause with `c.account_id`. */
export const campaignSelect: Sql = sql`
  select c.*, s.name as sender_name,
         case when cardinality(c.audience_ids) < 2 then a.name else (
           select string_agg(x.name, ', ' order by array_position(c.audience_ids, x.id)) from audiences x
           where x.account_id = c.account_id and x.id = any(c.audience_ids)
         ) end as audience_name, t.name as template_name,
         o.currency, o.timezone as account_zone, case when c.approval_id is not null then (
           select to_jsonb(a) from (
             select ${approvalColumns} from campaign_approvals v
             where v.account_id = c.account_id and v.id = c.approval_id
           ) a
         ) end as approval, case when c.lookup_id is not null then (
           select jsonb_build_object('bulk_lookup_id', b.id, 'status', b.status, 'done', b.done, 'total', b.total)
           from bulk_lookups b where b.account_id = c.account_id and b.id = c.lookup_id
         ) end as lookup
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

/** Returns whether the fan-out has read the whole frozen audience. */
export const isRead = (row: CampaignRow): boolean =>
  row.last_contact_id !== null && row.cursor_contact_id === row.last_contact_id;

/** Returns whether every contact in the frozen audience has a message or a skip reason. */
export const isFannedOut = (row: CampaignRow): boolean => isRead(row) && countWaits(row) === 0;

/** Returns the number of contacts waiting for their time. */
export const countWaits = ({ waits }: Pick<CampaignRow, 'waits'>): number => sumCounts(waits);

/**
 * Returns the number of messages that no carrier has accepted, as of the last count. Messages created since then count
 * as queued.
 */
export const countQueued = (row: CampaignRow): number =>
  row.fanned_out - sumCounts(row.counts) + (row.counts.enroute ?? 0);

const INTERNAL = [
  'audience_sets',
  'last_contact_id',
  'cursor_contact_id',
  'canceled_after',
  'user_id',
  'possible_duplicate',
  'forecast',
  'due_date',
  'pace_micros',
  'paced_micros',
  'fanout_date',
  'repeat_date',
  'trigger_date',
  'open_until',
  'account_zone',
  'lookup_id',
  'lookup',
  'canary_size',
  'canary_date',
  'canary_passed',
  'safety_offset',
  'safety_tripped',
  'test_size',
  'test_seed',
  'test_threshold',
  'test_cursor',
  'test_date',
  'test_counts',
  'test_winner',
  'test_notified',
  'approval_id',
  'approval_status',
] as const satisfies readonly (keyof CampaignRow)[];

function withoutInternal(row: CampaignRow): Omit<CampaignRow, (typeof INTERNAL)[number]> {
  const hidden: readonly string[] = INTERNAL;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))) as unknown as Omit<
    CampaignRow,
    (typeof INTERNAL)[number]
  >;
}

/** The times are in the wire format, in order. */
const listWaits = (waits: CampaignRow['waits']): Campaign['waits'] =>
  Object.entries(waits)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([until, recipients]) => ({ until: until.slice(0, 19).replace('T', ' '), recipients }));

const toWire = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const toSafeguards = (row: CampaignRow): Campaign['safeguards'] => {
  const { canary_size, canary_date, canary_passed, safety_tripped } = row;
  const status = canary_passed ? 'passed' : canary_date === null ? 'sending' : 'waiting';
  return {
    canary: canary_size === null ? null : { recipients: canary_size, status, end_date: canary_date },
    tripped: safety_tripped,
    lookup: row.lookup,
  };
};

function toTestState(row: CampaignRow): Campaign['test_state'] {
  const { test, test_size, test_date, test_winner, test_notified } = row;
  if (test === null || test_size === null) return null;
  const waiting = test_notified ? 'choosing' : test_date === null ? 'sending' : 'waiting';
  const winner = test_winner === null ? null : VARIANT_NAMES[test_winner]!;
  return { recipients: test_size, status: winner ? 'decided' : waiting, end_date: test_date, winner };
}

export function toCampaign(row: CampaignRow): Campaign {
  const counts = { ...NO_COUNTS, ...row.counts, waiting: countUndecided(row) };
  // Messages created since the last count are still queued.
  counts.enroute = Math.max(0, countQueued(row));
  const { content, fallbacks, retryable_count, timing, safety, waits, ...rest } = withoutInternal(row);
  return {
    ...rest,
    ...NO_CAMPAIGN_CONTENT,
    ...content,
    fallbacks: fallbacks ?? [],
    timing: { ...NO_TIMING, ...timing },
    safety: { ...NO_SAFETY, ...safety },
    next_runs: upcomingRuns(row).map(toWire),
    safeguards: toSafeguards(row),
    test_state: toTestState(row),
    waits: listWaits(waits),
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
