import type { CrmName } from '@parley/contract/crm/crm.ts';
import type { CrmTrigger, CrmTriggerRun } from '@parley/contract/crm/triggers.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';

export interface TriggerKey {
  account_id: string;
  provider: CrmName;
}

const columns =
  raw(`t.id, t.provider, t.stage_id, t.stage_name, t.sender_id, t.template_id, t.purpose, t.reentry, t.is_on,
  coalesce(s.name, '') as sender_name, coalesce(m.name, '') as template_name,
  (select count(*)::int from crm_trigger_runs r where r.account_id = t.account_id and r.provider = t.provider
   and r.trigger_id = t.id and r.status = 'sent') as sent_count,
  (select count(*)::int from crm_trigger_runs r where r.account_id = t.account_id and r.provider = t.provider
   and r.trigger_id = t.id and r.status = 'refused') as refused_count, t.create_date`);

export const listTriggers = (db: Queryable, { account_id, provider }: TriggerKey) =>
  db.rows<CrmTrigger>(sql`
    select ${columns} from crm_triggers t
    left join senders s on s.account_id = t.account_id and s.id = t.sender_id
    left join templates m on m.account_id = t.account_id and m.id = t.template_id
    where t.account_id = ${account_id} and t.provider = ${provider} order by t.create_date, t.id`);

export interface ActiveTrigger extends TriggerKey {
  id: string;
  stage_id: string;
  sender_id: string;
  template_id: string;
  purpose: CrmTrigger['purpose'];
  reentry: CrmTrigger['reentry'];
  start_ms: number;
}

export const listActiveTriggers = (db: Queryable, { account_id, provider }: TriggerKey) =>
  db.rows<ActiveTrigger>(sql`
    select account_id, provider, id, stage_id, sender_id, template_id, purpose, reentry,
      (extract(epoch from start_date) * 1000)::float8 as start_ms
    from crm_triggers where account_id = ${account_id} and provider = ${provider} and is_on order by id`);

type StoredTrigger = TriggerKey &
  Pick<CrmTrigger, 'id' | 'stage_id' | 'stage_name' | 'sender_id' | 'template_id' | 'purpose' | 'reentry' | 'is_on'>;

/** Deals that are in the stage when it is turned on get no message. */
export const putTrigger = (tx: Tx, row: StoredTrigger) =>
  tx.run(sql`
    insert into crm_triggers as t (account_id, provider, id, stage_id, stage_name, sender_id, template_id, purpose,
      reentry, is_on, start_date, create_date)
    values (${row.account_id}, ${row.provider}, ${row.id}, ${row.stage_id}, ${row.stage_name}, ${row.sender_id},
            ${row.template_id}, ${row.purpose}, ${row.reentry}, ${row.is_on}, ${tx.now}, ${tx.now})
    on conflict (account_id, provider, id) do update set stage_id = excluded.stage_id,
      stage_name = excluded.stage_name, sender_id = excluded.sender_id, template_id = excluded.template_id,
      purpose = excluded.purpose, reentry = excluded.reentry, is_on = excluded.is_on,
      start_date = case when t.stage_id = excluded.stage_id and t.is_on then t.start_date else ${tx.now} end`);

export const deleteTrigger = (tx: Tx, { account_id, provider }: TriggerKey, id: string) =>
  tx.run(sql`delete from crm_triggers where account_id = ${account_id} and provider = ${provider} and id = ${id}`);

/** The sync also asks for deals if there are triggers. */
export const noteTriggers = (tx: Tx, { account_id, provider }: TriggerKey) =>
  tx.run(sql`
    update crm_syncs s set next_date = ${tx.now},
      deals_since = case when s.has_triggers then s.deals_since else ${tx.now} end,
      has_triggers = exists (
        select from crm_triggers where account_id = ${account_id} and provider = ${provider} and is_on)
    where s.account_id = ${account_id} and s.provider = ${provider}`);

type RunKey = TriggerKey & { trigger_id: string; deal_id: string; entry: string };

export const hasRun = async (db: Queryable, { account_id, provider, trigger_id, deal_id, entry }: RunKey) =>
  (await db.maybeOne(sql`
    select 1 from crm_trigger_runs
    where account_id = ${account_id} and provider = ${provider} and trigger_id = ${trigger_id}
      and deal_id = ${deal_id} and entry = ${entry}`)) !== null;

/** Returns false if the entry has already been handled. */
export const insertRun = async (
  tx: Tx,
  row: RunKey & Pick<CrmTriggerRun, 'id' | 'status' | 'number' | 'error'>,
): Promise<boolean> =>
  (await tx.run(sql`
    insert into crm_trigger_runs (account_id, provider, trigger_id, deal_id, entry, id, status, number, error,
      create_date)
    values (${row.account_id}, ${row.provider}, ${row.trigger_id}, ${row.deal_id}, ${row.entry}, ${row.id},
            ${row.status}, ${row.number}, ${row.error}, ${tx.now})
    on conflict do nothing`)) > 0;

export const setMessage = (tx: Tx, row: RunKey, message_id: string) =>
  tx.run(sql`
    update crm_trigger_runs set message_id = ${message_id}
    where account_id = ${row.account_id} and provider = ${row.provider} and trigger_id = ${row.trigger_id}
      and deal_id = ${row.deal_id} and entry = ${row.entry}`);

export const listRuns = (db: Queryable, { account_id, provider }: TriggerKey, id: string, page: Page) =>
  db.rows<CrmTriggerRun>(sql`
    select id, deal_id, status, number, message_id, error, create_date from crm_trigger_runs
    where account_id = ${account_id} and provider = ${provider} and trigger_id = ${id}
    order by id desc offset ${page.offset} limit ${page.size + 1}`);

export const countRuns = async (db: Queryable, { account_id, provider }: TriggerKey, id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from crm_trigger_runs
        where account_id = ${account_id} and provider = ${provider} and trigger_id = ${id} limit ${CAP + 1}) capped`)
  ).count;
