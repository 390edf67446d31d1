import type { Campaign, CampaignCounts, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import type { createCampaign } from '@parley/contract/campaigns/drafts.ts';
import type { CampaignImport } from '@parley/contract/campaigns/imports.ts';
import type { SkippedContact } from '@parley/contract/campaigns/recipients.ts';
import type { CampaignForecast } from '@parley/contract/campaigns/results.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../kernel/db/list.ts';
import type { CampaignFilter } from './model/queries.ts';

export type TestRequest = Parsed<typeof createCampaign>['body'];

export type StoredSkip = Pick<SkippedContact, 'id' | 'reason'>;

export interface TestCampaignRow {
  account_id: string;
  id: string;
  key_id: string;
  name: string;
  /** As users see it: a campaign whose messages all have an outcome is completed. */
  status: Campaign['status'];
  schedule: string | null;
  request: TestRequest;
  campaign: Campaign;
  run_date: string | null;
  audience_ids: string[];
  series_id: string | null;
  forecast: CampaignForecast | null;
  skips: StoredSkip[];
  create_date: string;
  update_date: string;
  /** The number of messages by status, and the time of their latest change. */
  counts: Partial<Record<keyof CampaignCounts | 'scheduled', number>>;
  end_date: string | null;
}

/** Reads the statuses of the messages from an index. A campaign has at most 1,000. */
const select: Sql = raw(`
  select c.account_id, c.id, c.key_id, c.name, c.channel, c.schedule, c.request, c.campaign, c.run_date, c.audience_ids,
    c.series_id, c.forecast, c.skips, c.create_date, c.update_date, coalesce(m.counts, '{}') as counts, m.end_date,
    case when c.status = 'in_progress' and c.run_date is not null
      and not coalesce(m.counts ?| array['enroute', 'scheduled'], false) then 'completed' else c.status end as status
  from test_campaigns c
  left join lateral (
    select jsonb_object_agg(s.status, s.count) as counts, max(s.update_date) as end_date from (
      select status, count(*) as count, max(update_date) as update_date from test_messages
      where account_id = c.account_id and campaign_id = c.id group by status
    ) s
  ) m on true`);

export const findTestCampaign = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<TestCampaignRow>(sql`${select} where c.account_id = ${account_id} and c.id = ${id}`);

export const lockTestCampaign = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<TestCampaignRow>(sql`${select} where c.account_id = ${account_id} and c.id = ${id} for update of c`);

const matches = (filter: CampaignFilter): Sql =>
  and([
    sql`t.account_id = ${filter.account_id}`,
    filter.channel && sql`t.channel = ${filter.channel}`,
    filter.search && sql`t.name ilike ${likePattern(filter.search)}`,
    filter.tags?.length && sql`t.campaign -> 'tags' ?| ${filter.tags}::text[]`,
    filter.statuses?.length && sql`t.status = any(${filter.statuses}::text[])`,
    filter.series_id && sql`t.series_id = ${filter.series_id}`,
    // None of them needs an approval or is archived.
    (filter.approvals?.length || filter.archived === 'true') && sql`false`,
  ]);

const SORTS: Sorts<typeof listCampaigns> = {
  name: 'lower(t.name)',
  status: 't.status',
  start_date: 'coalesce(t.run_date, t.schedule, t.create_date)',
  cost_micros: 't.account_id',
  create_date: 't.id',
};

export const listTestCampaignRows = (db: Queryable, filter: CampaignFilter, page: Page) =>
  db.rows<TestCampaignRow>(sql`
    select * from (${select} where c.account_id = ${filter.account_id}) t where ${matches(filter)}
    order by ${orderBy(page, SORTS, 't.id', 't.id desc')} limit ${page.size + 1} offset ${page.offset}`);

export const countTestCampaigns = async (db: Queryable, filter: CampaignFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select from (${select} where c.account_id = ${filter.account_id}) t where ${matches(filter)} limit ${CAP + 1}
      ) capped`)
  ).count;

/** Serializes the creation of campaigns, so that their names differ and their limit holds for simultaneous calls. */
export const lockTestCampaigns = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`test campaigns ${account_id}`}, 7))`);

export const countAll = async (tx: Tx, account_id: string): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) from test_campaigns where account_id = ${account_id}`)).count;

export const isNameTaken = async (tx: Tx, account_id: string, name: string, except: string | null): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from test_campaigns
    where account_id = ${account_id} and lower(name) = lower(${name}) and id is distinct from ${except}::uuid`)) !==
  null;

export interface StoredCampaign {
  campaign: Campaign;
  request: TestRequest;
  key_id: string;
  audience_ids: readonly string[];
  series_id?: string | null;
  import?: CampaignImport | null;
}

export const insertTestCampaign = (
  tx: Tx,
  { campaign, request, key_id, audience_ids, series_id = null, import: source = null }: StoredCampaign,
) =>
  tx.run(sql`
    insert into test_campaigns (account_id, id, key_id, name, channel, status, schedule, audience_ids, request,
      campaign, series_id, import, create_date, update_date)
    values (${campaign.account_id}, ${campaign.id}, ${key_id}, ${campaign.name}, ${campaign.channel},
      ${campaign.status}, ${campaign.schedule}::timestamp at time zone 'UTC', ${audience_ids}::uuid[],
      ${JSON.stringify(request)}::jsonb, ${JSON.stringify(campaign)}::jsonb, ${series_id},
      ${source && JSON.stringify(source)}::jsonb, ${tx.now}, ${tx.now})`);

export const testImport = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ import: CampaignImport }>(sql`
    select import from test_campaigns where account_id = ${account_id} and import ->> 'id' = ${id}`);

export const updateTestCampaign = (tx: Tx, { campaign, request, audience_ids }: Omit<StoredCampaign, 'key_id'>) =>
  tx.run(sql`
    update test_campaigns set name = ${campaign.name}, status = ${campaign.status},
      schedule = ${campaign.schedule}::timestamp at time zone 'UTC', audience_ids = ${audience_ids}::uuid[],
      request = ${JSON.stringify(request)}::jsonb, campaign = ${JSON.stringify(campaign)}::jsonb,
      update_date = ${tx.now}
    where account_id = ${campaign.account_id} and id = ${campaign.id}`);

export interface RunFacts {
  run_date: Date;
  forecast: CampaignForecast | null;
  skips: readonly StoredSkip[];
}

/** Stores that the messages were created, or, without facts, why they were not. */
export const storeRun = (tx: Tx, campaign: Campaign, facts: RunFacts | null) =>
  tx.run(sql`
    update test_campaigns set status = ${campaign.status}, run_date = ${facts?.run_date ?? null},
      forecast = ${facts?.forecast ? JSON.stringify(facts.forecast) : null}::jsonb,
      skips = ${JSON.stringify(facts?.skips ?? [])}::jsonb,
      campaign = ${JSON.stringify(campaign)}::jsonb, update_date = ${tx.now}
    where account_id = ${campaign.account_id} and id = ${campaign.id}`);

/** Stores the next run of a repeating campaign, or its end. */
export const storeSeries = (tx: Tx, campaign: Campaign) =>
  tx.run(sql`
    update test_campaigns set status = ${campaign.status},
      schedule = ${campaign.schedule}::timestamp at time zone 'UTC', campaign = ${JSON.stringify(campaign)}::jsonb,
      update_date = ${tx.now}
    where account_id = ${campaign.account_id} and id = ${campaign.id}`);

export const deleteTestCampaign = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from test_campaigns where account_id = ${account_id} and id = ${id}`);

/** The account after this one that has test audiences or test campaigns. */
export const nextTestAccount = (db: Queryable, after: string) =>
  db.maybeOne<{ account_id: string }>(sql`
    select min(account_id::text)::uuid as account_id from (
      (select account_id from test_audiences where account_id > ${after}::uuid order by account_id limit 1)
      union all
      (select account_id from test_campaigns where account_id > ${after}::uuid order by account_id limit 1)
    ) next having min(account_id::text) is not null`);

export const deleteOldTestCampaigns = (tx: Tx, account_id: string, days: number) =>
  tx.run(sql`
    delete from test_campaigns
    where account_id = ${account_id} and update_date < now() - make_interval(days => ${days})
      and (status <> 'scheduled' or schedule < now())`);
