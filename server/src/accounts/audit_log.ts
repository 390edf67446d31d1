/** Reads the audit log. Only kernel/security/audit.ts writes it. Entries are never changed or deleted. */
import {
  AUDIT_PHRASES,
  type AuditEntry,
  type listAudit as listAuditEndpoint,
} from '@parley/contract/accounts/audit_log.ts';
import { and, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import { likePattern, orderBy, type Page, type Paged, paged, readPage, type Sorts } from '../kernel/db/list.ts';

interface AuditFilter {
  search?: string | undefined;
  actions?: readonly string[] | undefined;
  user_id?: string | undefined;
  from_date?: string | undefined;
  to_date?: string | undefined;
}

interface AuditQuery {
  page?: number | undefined;
  page_size?: number | undefined;
  page_token?: string | undefined;
  sort?: string | undefined;
  filter?: AuditFilter | undefined;
}

const columns = raw(`
  id, action, user_id, real_user_id, key_id, actor_name, target_type, target_id, target_name, detail, address, agent,
  request_id, create_date`);

const conditions = (account_id: string, filter: AuditFilter): Sql =>
  and([
    sql`account_id = ${account_id}`,
    // The search also matches the label shown for an action.
    filter.search &&
      sql`(actor_name ilike ${likePattern(filter.search)} or target_name ilike ${likePattern(filter.search)}
        or address like ${likePattern(filter.search)} or action = any(${matchingActions(filter.search)}::text[]))`,
    filter.actions?.length && sql`action = any(${filter.actions}::text[])`,
    filter.user_id && sql`(user_id = ${filter.user_id} or real_user_id = ${filter.user_id})`,
    filter.from_date && sql`create_date >= ${filter.from_date}::timestamptz`,
    filter.to_date && sql`create_date < ${filter.to_date}::timestamptz + interval '1 second'`,
  ]);

const matchingActions = (text: string): string[] =>
  Object.entries(AUDIT_PHRASES)
    .filter(([action, label]) => `${action} ${label}`.toLowerCase().includes(text.toLowerCase()))
    .map(([action]) => action);

const SORTS: Sorts<typeof listAuditEndpoint> = { create_date: 'number' };

/** Selects rows after the last row of the previous page. */
const afterPage = (account_id: string, { after, sort }: Pick<Page, 'after'> & Partial<Page>): Sql =>
  after
    ? sql`number ${raw(sort === 'create_date' ? '>' : '<')} (
        select number from audit_log where account_id = ${account_id} and id = ${after})`
    : sql`true`;

/** Returns the newest entries first by default. The caller chooses the account; operators may read a customer's log. */
export async function listAudit(db: Queryable, account_id: string, query: AuditQuery): Promise<Paged<AuditEntry>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const rows = await db.rows<AuditEntry>(sql`
    select ${columns} from audit_log
    where ${conditions(account_id, filter)} and ${afterPage(account_id, page)}
    order by ${orderBy(page, SORTS, 'number', 'number desc')} limit ${page.size + 1} offset ${page.offset}`);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from (select 1 from audit_log where ${conditions(account_id, filter)} limit ${page.count_limit}
    ) capped`);
  return paged(page, rows, count, (row) => row.id);
}
