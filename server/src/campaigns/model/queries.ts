import type { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import { type CampaignRow, campaignSelect, listAudienceIds } from './row.ts';

export const campaignById = (db: Queryable, account_id: string, id: string) =>
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
}

const conditions = (filter: CampaignFilter): Sql =>
  and([
    sql`c.account_id = ${filter.account_id}`,
    filter.channel && sql`c.channel = ${filter.channel}`,
    filter.search && sql`c.name ilike ${likePattern(filter.search)}`,
    filter.series_id && sql`c.series_id = ${filter.series_id}`,
    filter.statuses?.length && sql`c.status = any(${filter.statuses}::text[])`,
  ]);

const SORTS: Sorts<typeof listCampaigns> = {
  name: 'lower(c.name)',
  status: 'c.status',
  start_date: 'coalesce(c.start_date, c.schedule, c.create_date)',
  cost_micros: 'c.cost_micros',
  create_date: 'c.id',
};

export const campaignPage = (db: Queryable, filter: CampaignFilter, page: Page) =>
  db.rows<CampaignRow>(sql`
    ${campaignSelect} where ${conditions(filter)}
    order by ${orderBy(page, SORTS, 'c.id', 'c.id desc')} limit ${page.size + 1} offset ${page.offset}`);

export const countCampaigns = async (db: Queryable, filter: CampaignFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from campaigns c where ${conditions(filter)} limit ${CAP + 1}) capped`)
  ).count;

export interface AudienceRow {
  id: string;
  name: string;
  channel: ChannelName;
}

export const audienceById = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<AudienceRow>(
    sql`select id, name, channel from audiences where account_id = ${account_id} and id = ${id}`,
  );

export const audiencesById = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<AudienceRow>(sql`
    select id, name, channel from audiences where account_id = ${account_id} and id = any(${ids}::uuid[])`);

/**
 * Keeps the audiences until the transaction ends. A request to delete one of them waits, and then finds that it is in
 * use.
 */
export const holdAudiences = (tx: Tx, account_id: string, ids: readonly string[]) =>
  tx.run(sql`
    select from audiences where account_id = ${account_id} and id = any(${ids}::uuid[]) order by id for key share`);

export interface Contact {
  id: string;
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
  /** The values of the account's own fields. */
  fields: Record<string, unknown>;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface ContactRange {
  account_id: string;
  audience_ids: readonly string[];
  excluded_audience_ids: readonly string[];
  after: string | null;
  until: string | null;
}

/** A contact of the audiences, and why it gets no message regardless of its content. */
export interface ReachedContact extends Contact {
  exclusion: 'duplicate' | 'excluded' | null;
}

/**
 * Returns the next contacts in the audiences, paged by key, so that page 100 costs as much as page 1. Of the contacts
 * with the same number, the one with the lowest key counts.
 */
export const contactsAfter = (db: Queryable, range: ContactRange, limit: number) => {
  const { account_id, audience_ids, excluded_audience_ids, after, until } = range;
  const columns = sql`id, number, country, first_name, last_name, custom1, custom2`;
  const next = (audience_id: Sql) => sql`
    select ${columns} from contacts
    where account_id = ${account_id} and audience_id = ${audience_id}
      and id > ${after ?? FIRST_ID} and id <= ${until ?? LAST_ID}
    order by id limit ${limit}`;
  const [only, ...others] = audience_ids;
  if (others.length === 0 && excluded_audience_ids.length === 0)
    return db.rows<ReachedContact>(sql`
      select k.*, coalesce(p.fields, '{}') as fields, null as exclusion from (${next(sql`${only ?? FIRST_ID}`)}) k
      ${joinFields(account_id)} order by k.id`);
  return db.rows<ReachedContact>(sql`
    select k.*, coalesce(p.fields, '{}') as fields, case
      when exists (select from contacts o where o.account_id = ${account_id}
        and o.audience_id = any(${excluded_audience_ids}::uuid[]) and o.number = k.number) then 'excluded'
      when exists (select from contacts o where o.account_id = ${account_id}
        and o.audience_id = any(${audience_ids}::uuid[]) and o.number = k.number and o.id < k.id) then 'duplicate'
      end as exclusion
    from (
      select n.* from unnest(${audience_ids}::uuid[]) as a(id) cross join lateral (${next(sql`a.id`)}) n
      order by n.id limit ${limit}
    ) k ${joinFields(account_id)}
    order by k.id`);
};

/** Returns the contacts with these ids that are still in the audiences. */
export const contactsWithIds = (
  db: Queryable,
  { account_id, audience_ids, excluded_audience_ids }: Omit<ContactRange, 'after' | 'until'>,
  ids: readonly string[],
) =>
  db.rows<ReachedContact>(sql`
    select k.*, coalesce(p.fields, '{}') as fields, case
      when exists (select from contacts o where o.account_id = ${account_id}
        and o.audience_id = any(${excluded_audience_ids}::uuid[]) and o.number = k.number) then 'excluded'
      end as exclusion
    from (
      select id, number, country, first_name, last_name, custom1, custom2 from contacts
      where account_id = ${account_id} and audience_id = any(${audience_ids}::uuid[]) and id = any(${ids}::uuid[])
    ) k ${joinFields(account_id)}`);

/** One index lookup for each contact, and none if the account has not defined any fields. */
const joinFields = (account_id: string): Sql => sql`
  left join lateral (
    select fields from people where account_id = ${account_id} and number = k.number
      and (select exists (select from contact_fields where account_id = ${account_id})) offset 0
  ) p on true`;

/** Selects the contact that a message `m` of the campaign was written for. */
export const recipientContact = (campaign: Pick<CampaignRow, 'audience_id' | 'audience_ids'>): Sql => sql`
  select * from contacts k
  where k.account_id = m.account_id and k.audience_id = any(${listAudienceIds(campaign)}::uuid[])
    and k.number = m.number
  order by k.id limit 1`;

export const contactsFrom = (db: Queryable, account_id: string, audience_id: string, offset: number, limit: number) =>
  db.rows<Contact>(sql`
    select k.*, coalesce(p.fields, '{}') as fields from (
      select id, number, country, first_name, last_name, custom1, custom2 from contacts
      where account_id = ${account_id} and audience_id = ${audience_id}
      order by id limit ${limit} offset ${offset}
    ) k ${joinFields(account_id)}
    order by k.id`);

export const countContacts = async (db: Queryable, account_id: string, audience_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) from contacts where account_id = ${account_id} and audience_id = ${audience_id}`,
    )
  ).count;

/**
 * Returns the messages in a campaign, paged by key in the order of the index on (account, campaign, number). The queue
 * is empty most of the time, so the planner would choose a join that suits an empty queue. When the queue is full, that
 * join would read the whole campaign once per queue row.
 */
export const messagesAfter = (
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
