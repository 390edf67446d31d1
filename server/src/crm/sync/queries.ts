import type { CrmName } from '@parley/contract/crm/crm.ts';
import type { CrmSyncError, CrmSyncSettings } from '@parley/contract/crm/sync.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';
import type { Pair } from './merge.ts';

export interface SyncKey {
  account_id: string;
  provider: CrmName;
}

export interface SyncRow extends SyncKey, Omit<CrmSyncSettings, 'audience_id'> {
  audience_id: string | null;
  is_on: boolean;
  stage: 'idle' | 'records' | 'contacts';
  cursor: string | null;
  processed_count: number;
  since_ms: number | null;
  full_ms: number | null;
  hold_ms: number;
  has_triggers: boolean;
  deals_since_ms: number | null;
  hook_ids: string[];
  sync_date: string | null;
  full_date: string | null;
  last_error: string | null;
}

const columns = raw(
  `account_id, provider, is_on, direction, rule, audience_id, fields, consents, opt_out, stage, cursor, processed_count,
  (extract(epoch from since) * 1000)::float8 as since_ms, (extract(epoch from full_date) * 1000)::float8 as full_ms,
  (extract(epoch from hold_date) * 1000)::float8 as hold_ms, has_triggers,
  (extract(epoch from deals_since) * 1000)::float8 as deals_since_ms, hook_ids, sync_date, full_date, last_error`,
);

export const findSync = (db: Queryable, { account_id, provider }: SyncKey) =>
  db.maybeOne<SyncRow>(
    sql`select ${columns} from crm_syncs where account_id = ${account_id} and provider = ${provider}`,
  );

export const lockSync = (tx: Tx, { account_id, provider }: SyncKey) =>
  tx.maybeOne<SyncRow>(
    sql`select ${columns} from crm_syncs where account_id = ${account_id} and provider = ${provider} for update`,
  );

/** The row exists before anything uses it. */
export const insertSync = (tx: Tx, { account_id, provider }: SyncKey) =>
  tx.run(sql`
    insert into crm_syncs (account_id, provider, direction, rule) values (${account_id}, ${provider}, 'both', 'newest')
    on conflict (account_id, provider) do nothing`);

export const updateSettings = (tx: Tx, row: SyncKey & CrmSyncSettings & { is_on: boolean }) =>
  tx.run(sql`
    update crm_syncs set is_on = ${row.is_on}, direction = ${row.direction}, rule = ${row.rule},
      audience_id = ${row.audience_id}, fields = ${JSON.stringify(row.fields)}::jsonb,
      consents = ${JSON.stringify(row.consents)}::jsonb,
      opt_out = ${row.opt_out && JSON.stringify(row.opt_out)}::jsonb, last_error = null, next_date = ${tx.now},
      hold_date = ${tx.now}
    where account_id = ${row.account_id} and provider = ${row.provider}`);

export const startFull = (tx: Tx, { account_id, provider }: SyncKey) =>
  tx.run(sql`
    update crm_syncs set stage = case when direction = 'to_crm' then 'contacts' else 'records' end, cursor = null,
      processed_count = 0, since = ${tx.now}, next_date = ${tx.now}
    where account_id = ${account_id} and provider = ${provider}`);

export type Progress = Pick<SyncRow, 'stage' | 'cursor' | 'processed_count'>;

/** Only if the settings have not started another full sync in the meantime. */
export const saveProgress = async (tx: Tx, before: SyncRow, next: Progress): Promise<boolean> =>
  (await tx.run(sql`
    update crm_syncs set stage = ${next.stage}, cursor = ${next.cursor}, processed_count = ${next.processed_count},
      full_date = case when ${next.stage} = 'idle' then ${tx.now} else full_date end
    where account_id = ${before.account_id} and provider = ${before.provider} and stage = ${before.stage}
      and cursor is not distinct from ${before.cursor}`)) > 0;

export const saveSince = (db: Queryable, { account_id, provider }: SyncKey, since: Date) =>
  db.run(sql`
    update crm_syncs set since = ${since}
    where account_id = ${account_id} and provider = ${provider} and stage = 'idle'`);

export const saveDealsSince = (db: Queryable, { account_id, provider }: SyncKey, since: Date) =>
  db.run(sql`
    update crm_syncs set deals_since = ${since} where account_id = ${account_id} and provider = ${provider}`);

interface Outcome {
  error: string | null;
  next_date: Date;
  hold_date: Date | null;
  /** When the sync was up to date; null if it was not. */
  now: Date | null;
}

export const saveOutcome = (tx: Tx, { account_id, provider }: SyncKey, { error, next_date, hold_date, now }: Outcome) =>
  tx.run(sql`
    update crm_syncs set last_error = ${error}, next_date = ${next_date},
      hold_date = coalesce(${hold_date}, hold_date),
      sync_date = coalesce(${now}, sync_date)
    where account_id = ${account_id} and provider = ${provider}`);

export const syncCounts = (db: Queryable, { account_id, provider }: SyncKey) =>
  db.one<{ linked_count: number; failed_count: number; waiting_count: number; hold_date: string | null }>(sql`
    select
      (select count(*)::int from crm_links
       where account_id = ${account_id} and provider = ${provider} and state = 'synced') as linked_count,
      (select count(*)::int from crm_links
       where account_id = ${account_id} and provider = ${provider} and state = 'failed') as failed_count,
      (select count(*)::int from (select distinct kind, key from crm_changes
       where account_id = ${account_id} and provider = ${provider} limit ${CAP}) w) as waiting_count,
      (select case when hold_date > now() then hold_date end from crm_syncs
       where account_id = ${account_id} and provider = ${provider}) as hold_date`);

// Links ---------------------------------------------------------------------------------------------------------------

export type LinkState = 'synced' | 'creating' | 'removed' | 'erased' | 'failed';

export interface Link extends SyncKey {
  id: string;
  record_id: string | null;
  number: string | null;
  state: LinkState;
  base: Record<string, Pair>;
  label: string | null;
  error: string | null;
  update_ms: number;
}

const linkColumns = raw(
  `account_id, provider, id, record_id, number, state, base, label, error,
  (extract(epoch from update_date) * 1000)::float8 as update_ms`,
);

export const listLinksByRecord = (db: Queryable, { account_id, provider }: SyncKey, ids: readonly string[]) =>
  db.rows<Link>(sql`
    select ${linkColumns} from crm_links
    where account_id = ${account_id} and provider = ${provider} and record_id = any(${ids}::text[])`);

export const listLinksByNumber = (db: Queryable, { account_id, provider }: SyncKey, numbers: readonly string[]) =>
  db.rows<Link>(sql`
    select ${linkColumns} from crm_links
    where account_id = ${account_id} and provider = ${provider} and number = any(${numbers}::text[])`);

/** Links that the records of a full sync did not contain. */
export const listUnseenLinks = (
  db: Queryable,
  { account_id, provider }: SyncKey,
  seen: Date,
  after: string,
  size: number,
) =>
  db.rows<Link>(sql`
    select ${linkColumns} from crm_links
    where account_id = ${account_id} and provider = ${provider} and id > ${after} and record_id is not null
      and state <> 'erased' and update_date < ${seen}
    order by id limit ${size}`);

export const putLink = (tx: Tx, link: Omit<Link, 'update_ms'>) =>
  tx.run(sql`
    insert into crm_links (account_id, provider, id, record_id, number, state, base, label, error, update_date)
    values (${link.account_id}, ${link.provider}, ${link.id}, ${link.record_id}, ${link.number}, ${link.state},
            ${JSON.stringify(link.base)}::jsonb, ${link.label}, ${link.error}, ${tx.now})
    on conflict (account_id, provider, id) do update set record_id = excluded.record_id, number = excluded.number,
      state = excluded.state, base = excluded.base, label = excluded.label, error = excluded.error,
      update_date = excluded.update_date`);

export const deleteLinks = (tx: Tx, { account_id, provider }: SyncKey, ids: readonly string[]) =>
  tx.run(sql`
    delete from crm_links where account_id = ${account_id} and provider = ${provider} and id = any(${ids}::uuid[])`);

/** For another audience, all people are new, except those who were erased. */
export const forgetLinks = (tx: Tx, { account_id, provider }: SyncKey) =>
  tx.run(sql`
    delete from crm_links where account_id = ${account_id} and provider = ${provider} and state <> 'erased'`);

export const listFailedLinks = (db: Queryable, { account_id, provider }: SyncKey, page: Page) =>
  db.rows<CrmSyncError>(sql`
    select id, record_id, label as name, number, coalesce(error, '') as error, update_date from crm_links
    where account_id = ${account_id} and provider = ${provider} and state = 'failed'
    order by id desc offset ${page.offset} limit ${page.size + 1}`);

export const countFailed = async (db: Queryable, { account_id, provider }: SyncKey): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from crm_links
        where account_id = ${account_id} and provider = ${provider} and state = 'failed' limit ${CAP + 1}) capped`)
  ).count;

/** Returns the number of people that are synced again. */
export const retryLinks = (tx: Tx, { account_id, provider }: SyncKey, id: string | null) =>
  tx.run(sql`
    insert into crm_changes (account_id, provider, kind, key)
    select account_id, provider, case when record_id is null then 'number' else 'record' end,
           coalesce(record_id, number)
    from crm_links
    where account_id = ${account_id} and provider = ${provider} and state = 'failed'
      and coalesce(record_id, number) is not null and (${id}::uuid is null or id = ${id}::uuid)`);

// Changes -------------------------------------------------------------------------------------------------------------

export interface ChangeRow {
  id: number;
  kind: 'record' | 'number' | 'deal';
  key: string;
}

export const nextChanges = (db: Queryable, { account_id, provider }: SyncKey, kinds: readonly string[], size: number) =>
  db.rows<ChangeRow>(sql`
    select id, kind, key from crm_changes
    where account_id = ${account_id} and provider = ${provider} and kind = any(${kinds}::text[])
    order by id limit ${size}`);

export const deleteChanges = (db: Queryable, { account_id, provider }: SyncKey, ids: readonly number[]) =>
  db.run(sql`
    delete from crm_changes
    where account_id = ${account_id} and provider = ${provider} and id = any(${ids}::bigint[])`);

export const noteNumbers = (tx: Tx, { account_id, provider }: SyncKey, numbers: readonly string[]) =>
  tx.run(sql`
    insert into crm_changes (account_id, provider, kind, key)
    select ${account_id}, ${provider}, 'number', n.number from unnest(${numbers}::text[]) as n(number)`);

/**
 * The accounts whose sync is due: their time has come, or something has changed. The second part finds the accounts
 * with changes by skipping from one to the next, so it does not read all changes.
 */
export const takeDue = (db: Queryable, now: Date, again: Date) =>
  db.rows<SyncKey>(sql`
    with recursive changed as (
      (select account_id, provider from crm_changes order by account_id, provider limit 1)
      union all
      select n.account_id, n.provider from changed c cross join lateral (
        select account_id, provider from crm_changes x
        where (x.account_id, x.provider) > (c.account_id, c.provider) order by account_id, provider limit 1) n
    ), due as (
      (select account_id, provider from crm_syncs where (is_on or has_triggers) and next_date <= ${now}
       order by next_date limit 100)
      union
      select c.account_id, c.provider from changed c
      join crm_syncs s on s.account_id = c.account_id and s.provider = c.provider
      where (s.is_on or s.has_triggers) and s.hold_date <= ${now}
    )
    update crm_syncs s set next_date = greatest(s.next_date, ${again}) from due d
    where s.account_id = d.account_id and s.provider = d.provider
    returning s.account_id, s.provider`);

/** The next contacts of an audience, by their IDs. */
export const listAudienceNumbers = (
  db: Queryable,
  account_id: string,
  audience_id: string,
  after: string,
  size: number,
) =>
  db.rows<{ id: string; number: string }>(sql`
    select id, number from contacts
    where account_id = ${account_id} and audience_id = ${audience_id} and id > ${after} order by id limit ${size}`);
