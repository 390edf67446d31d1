import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { and, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import type { Page } from '../../kernel/db/list.ts';

interface LedgerFilter {
  account_id: string;
  kinds?: readonly string[] | undefined;
  campaign_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const isFrequent = (kind: string): boolean => ['hold', 'settle', 'release'].includes(kind);

const ledgerConditions = (filter: LedgerFilter): Sql =>
  and([
    sql`account_id = ${filter.account_id}`,
    filter.kinds?.length && sql`kind = any(${filter.kinds}::text[])`,
    // Repeats the condition of an index on the entries that are not about messages.
    filter.kinds?.length && !filter.kinds.some(isFrequent) && sql`kind not in ('hold', 'settle', 'release')`,
    filter.campaign_id && sql`campaign_id = ${filter.campaign_id}`,
    // The ids follow the dates, so only the entries of these days are read.
    filter.from &&
      sql`id >= ${idAt(parseTimestamp(filter.from).getTime() - ID_MARGIN_MS)}::uuid
        and create_date >= ${filter.from}::timestamptz`,
    filter.to &&
      sql`id < ${idAt(parseTimestamp(filter.to).getTime() + ID_MARGIN_MS)}::uuid
        and date_trunc('second', create_date) <= ${filter.to}::timestamptz`,
  ]);

export const listLedgerEntries = (db: Queryable, filter: LedgerFilter, page: Page) =>
  db.rows<LedgerEntry>(sql`
    select id, account_id, kind, debit, credit, amount_micros, message_count, campaign_id, hold_id,
           payment_id, available_after_micros, held_after_micros, note, create_date
    from ledger
    where ${ledgerConditions(filter)} and ${page.after ? sql`id < ${page.after}::uuid` : sql`true`}
    order by id desc
    limit ${page.size + 1} offset ${page.offset}`);

export const countLedger = async (db: Queryable, filter: LedgerFilter, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from ledger where ${ledgerConditions(filter)} limit ${page.count_limit}) capped`)
  ).count;

export const findLedgerEntry = (db: Queryable, account_id: string, key: string) =>
  db.maybeOne<LedgerEntry>(sql`
    select id, account_id, kind, debit, credit, amount_micros, message_count, campaign_id, hold_id, payment_id,
           available_after_micros, held_after_micros, note, create_date
    from ledger where account_id = ${account_id} and key = ${key}`);
