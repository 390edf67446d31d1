import type { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { likePattern, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import { type CampaignRow, campaignSelect } from './row.ts';

export const findCampaign = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<CampaignRow>(sql`${campaignSelect} where c.account_id = ${account_id} and c.id = ${id}`);

/**
 * Locks a campaign. Every change to its status, cursor, or counts requires this lock, so that fan-out, counting, and
 * user requests wait for each other.
 */
export const lockCampaign = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<CampaignRow>(sql`${campaignSelect} where c.account_id = ${account_id} and c.id = ${id} for update of c`);

/** Like `lockCampaign`, but returns null immediately if another transaction holds the lock. */
export const tryLockCampaign = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<CampaignRow>(sql`
    ${campaignSelect} where c.account_id = ${account_id} and c.id = ${id} for update of c skip locked`);

export interface CampaignFilter {
  account_id: string;
  channel?: string | undefined;
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
  series_id?: string | undefined;
  approvals?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  automations?: 'true' | undefined;
  archived?: 'false' | 'true' | 'all' | undefined;
}

const conditions = (filter: CampaignFilter): Sql =>
  and([
    sql`c.account_id = ${filter.account_id}`,
    filter.channel && sql`c.channel = ${filter.channel}`,
    filter.search && sql`c.name ilike ${likePattern(filter.search)}`,
    filter.series_id && sql`c.series_id = ${filter.series_id}`,
    filter.approvals?.length && sql`c.approval_status = any(${filter.approvals}::text[])`,
    filter.archived === 'all'
      ? null
      : filter.archived === 'true'
        ? sql`c.archive_date is not null`
        : sql`c.archive_date is null`,
    filter.automations && sql`c.trigger is not null and c.series_id is null`,
    filter.tags?.length && sql`c.tags && ${filter.tags}::text[]`,
    filter.statuses?.length && sql`c.status = any(${filter.statuses}::text[])`,
  ]);

const SORTS: Sorts<typeof listCampaigns> = {
  name: 'lower(c.name)',
  status: 'c.status',
  start_date: 'coalesce(c.start_date, c.schedule, c.create_date)',
  cost_micros: 'c.cost_micros',
  create_date: 'c.id',
};

export const listCampaignRows = (db: Queryable, filter: CampaignFilter, page: Page) =>
  db.rows<CampaignRow>(sql`
    ${campaignSelect} where ${conditions(filter)}
    order by ${orderBy(page, SORTS, 'c.id', 'c.id desc')} limit ${page.size + 1} offset ${page.offset}`);

export const countCampaigns = async (db: Queryable, filter: CampaignFilter, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from campaigns c where ${conditions(filter)} limit ${page.count_limit}) capped`)
  ).count;

export interface AudienceRow {
  id: string;
  name: string;
  channel: ChannelName;
}

export const findAudience = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<AudienceRow>(
    sql`select id, name, channel from audiences where account_id = ${account_id} and id = ${id}`,
  );

export const listAudiencesById = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<AudienceRow>(sql`
    select id, name, channel from audiences where account_id = ${account_id} and id = any(${ids}::uuid[])`);

/**
 * Keeps the audiences until the transaction ends. A request to delete one of them waits, and then finds that it is in
 * use.
 */
export const holdAudiences = (tx: Tx, account_id: string, ids: readonly string[]) =>
  tx.run(sql`
    select from audiences where account_id = ${account_id} and id = any(${ids}::uuid[]) order by id for key share`);

/**
 * Returns the messages in a campaign, paged by key in the order of the index on (account, campaign, number). The queue
 * is empty most of the time, so the planner would choose a join that suits an empty queue. When the queue is full, that
 * join would read the whole campaign once per queue row.
 */
export const listMessagesAfter = (
  db: Queryable,
  { account_id, id }: { account_id: string; id: string },
  condition: Sql,
  after: string,
  limit: number,
) =>
  db.rows<{ id: string; number: string }>(sql`
    select m.id, m.number from messages m
    where m.account_id = ${account_id} and m.campaign_id = ${id} and m.number > ${after} and ${condition}
    order by m.number limit ${limit}`);

export const WAITING: Sql = sql`m.status in ('scheduled', 'enroute')`;
