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

/** The columns of `ledger l`. Charges for numbers have keys such as `number:<sender>:<month>`. */
const entryColumns: Sql = sql`
  l.id, l.account_id, l.kind, l.debit, l.credit, l.amount_micros, l.message_count, l.campaign_id,
  (select c.channel from campaigns c where c.account_id = l.account_id and c.id = l.campaign_id) as campaign_channel,
  l.hold_id, l.message_id, l.payment_id, substring(l.key from '^number:([0-9a-f-]{36}):') as sender_id,
  coalesce((select h.purpose = 'lookups' from holds h where h.account_id = l.account_id and h.id = l.hold_id), false)
    as is_lookup,
  (select json_build_object('month', to_char(v.month, 'YYYY-MM'), 'channel', v.channel,
                            'first_unit', m.volume_start + 1, 'last_unit', m.volume_start + m.segments_count,
                            'above_units', (
                              select max(s.above_units) from price_volume_steps s
                              where s.account_id = v.account_id and s.volume_id = v.id
                                and s.above_units < m.volume_start + m.segments_count))
   from messages m join price_volumes v on v.account_id = m.account_id and v.id = m.volume_id
   where m.account_id = l.account_id and m.id = l.message_id) as volume,
  l.available_after_micros, l.held_after_micros, l.note, l.create_date`;

/** The entries of the page are chosen first, so that only theirs are looked up. */
export const listLedgerEntries = (db: Queryable, filter: LedgerFilter, page: Page) =>
  db.rows<LedgerEntry>(sql`
    select ${entryColumns} from (
      select * from ledger
      where ${ledgerConditions(filter)} and ${page.after ? sql`id < ${page.after}::uuid` : sql`true`}
      order by id desc
      limit ${page.size + 1} offset ${page.offset}
    ) l
    order by l.id desc`);

export const countLedger = async (db: Queryable, filter: LedgerFilter, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from ledger where ${ledgerConditions(filter)} limit ${page.count_limit}) capped`)
  ).count;

export const findLedgerEntry = (db: Queryable, account_id: string, key: string) =>
  db.maybeOne<LedgerEntry>(sql`
    select ${entryColumns} from ledger l where l.account_id = ${account_id} and l.key = ${key}`);
