import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import { and, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';

interface LedgerFilter {
  account_id: string;
  kinds?: readonly string[] | undefined;
  campaign_id?: string | undefined;
}

const ledgerConditions = (filter: LedgerFilter): Sql =>
  and([
    sql`account_id = ${filter.account_id}`,
    filter.kinds?.length && sql`kind = any(${filter.kinds}::text[])`,
    filter.campaign_id && sql`campaign_id = ${filter.campaign_id}`,
  ]);

export const listLedgerEntries = (db: Queryable, filter: LedgerFilter, page: Page) =>
  db.rows<LedgerEntry>(sql`
    select id, account_id, kind, debit, credit, amount_micros, message_count, campaign_id, hold_id,
           payment_id, available_after_micros, held_after_micros, note, create_date
    from ledger
    where ${ledgerConditions(filter)} and ${page.after ? sql`id < ${page.after}::uuid` : sql`true`}
    order by id desc
    limit ${page.size + 1} offset ${page.offset}`);

export const countLedger = async (db: Queryable, filter: LedgerFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from ledger where ${ledgerConditions(filter)} limit ${CAP + 1}) capped`)
  ).count;

export const findLedgerEntry = (db: Queryable, account_id: string, key: string) =>
  db.maybeOne<LedgerEntry>(sql`
    select id, account_id, kind, debit, credit, amount_micros, message_count, campaign_id, hold_id, payment_id,
           available_after_micros, held_after_micros, note, create_date
    from ledger where account_id = ${account_id} and key = ${key}`);
