import { type listRequests, REQUEST_KINDS, type Request, type RequestKind } from '@parley/contract/admin/requests.ts';
import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import type { FieldReason } from '@parley/contract/registrations/registration.ts';
import { and, customPlan, join, type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import { matchesSearch, nameWords, wordQuery } from '../customers/customer_search.ts';

interface RequestFilter {
  /** Must contain at least one kind. */
  kinds: readonly RequestKind[];
  statuses?: readonly string[] | undefined;
  search?: string | undefined;
  account_id?: string | undefined;
  id?: string;
  /** Excludes the request with this id. */
  except_id?: string;
  /** Selects requests sent after `since` and no later than `until`. */
  since?: string;
  until?: Date;
}

/** A table that contains requests. Its rows have the alias `r`, and each table has its own statuses. */
interface Branch {
  table: Sql;
  /** Excludes rows that operators do not decide on. */
  where: Sql;
  /** Condition for waiting requests. Must match the predicate of an index. */
  waits: Sql;
  statuses: Readonly<Record<string, string>>;
  status: Sql;
  sent: Sql;
  /** The time when the wait began. Must match the expression of an index. */
  waits_since: Sql;
  decided: Sql;
  /**
   * Selects sender_name, sender_code, template_name, template_text, form, countries, reasons, note, reviewer_name, and
   * expected_date. `joins` adds their tables.
   */
  columns: Sql;
  joins: Sql;
}

const COMPANY: Branch = {
  table: raw('account_reviews'),
  where: raw('true'),
  waits: raw(`r.status = 'OPEN'`),
  statuses: { waiting: 'OPEN', asked: 'INFO_NEEDED', approved: 'APPROVED', rejected: 'REJECTED', withdrawn: '' },
  status: raw(
    `case r.status when 'OPEN' then 'waiting' when 'INFO_NEEDED' then 'asked' when 'APPROVED' then 'approved'
      else 'rejected' end`,
  ),
  sent: raw('r.create_date'),
  waits_since: raw('r.create_date'),
  decided: raw('r.decide_date'),
  columns: raw(
    `'', '', '', '', r.form, '{}'::text[], '[]'::jsonb, r.reason, r.reviewer_name, null::timestamptz,
      r.account_id, 'company'`,
  ),
  joins: raw(''),
};

const SENDER: Branch = {
  table: raw('sender_requests'),
  where: raw('true'),
  waits: raw(`r.status = 'IN_PROCESS' and not r.info_requested`),
  statuses: {
    waiting: 'IN_PROCESS',
    asked: 'IN_PROCESS',
    approved: 'COMPLETED',
    rejected: 'CANCELED',
    withdrawn: 'DELETED',
  },
  status: raw(
    `case r.status when 'COMPLETED' then 'approved' when 'CANCELED' then 'rejected' when 'DELETED' then 'withdrawn'
      else case when r.info_requested then 'asked' else 'waiting' end end`,
  ),
  sent: raw('r.create_date'),
  waits_since: raw('r.create_date'),
  decided: raw('r.decide_date'),
  columns: raw(
    `coalesce(r.rejected_name, s.name), coalesce(r.rejected_code, s.code), '', '', r.form,
      coalesce(r.rejected_countries, s.countries), r.reasons, r.note, r.reviewer_name, r.expected_date, s.id, r.kind`,
  ),
  joins: raw('join senders s on s.account_id = r.account_id and s.id = r.sender_id'),
};

// Selects the templates that operators review. The submission date of a decided template is not stored, so its creation
// date is used instead.
const reviewed = channelsReviewedBy('operator').map((name) => `'${name}'`);
const TEMPLATE: Branch = {
  table: raw('templates'),
  where: raw(`r.channel in (${reviewed.join(', ')}) and r.delete_date is null`),
  waits: raw(`r.status = 'IN_PROCESS'`),
  statuses: { ...SENDER.statuses, asked: 'CANCELED', withdrawn: '' },
  status: raw(
    `case r.status when 'COMPLETED' then 'approved' when 'IN_PROCESS' then 'waiting'
      else case when r.reason->>'code' = 'ASKED' then 'asked' else 'rejected' end end`,
  ),
  sent: raw(`case when r.status = 'IN_PROCESS' then r.update_date else r.create_date end`),
  waits_since: raw('r.update_date'),
  decided: raw(`case when r.status = 'IN_PROCESS' then null else coalesce(r.decide_date, r.update_date) end`),
  columns: raw(
    `'', '', r.name, r.text, null::jsonb, '{}'::text[], '[]'::jsonb, coalesce(r.reason->>'text', ''),
      case when r.status = 'IN_PROCESS' then '' else r.reviewer_name end, null::timestamptz, r.id, 'template'`,
  ),
  joins: raw(''),
};

const selectBranches = ({ kinds }: RequestFilter): Branch[] => [
  ...(kinds.includes('company') ? [COMPANY] : []),
  ...(kinds.some((kind) => kind !== 'company' && kind !== 'template') ? [SENDER] : []),
  ...(kinds.includes('template') ? [TEMPLATE] : []),
];

const onlyWaiting = ({ statuses }: RequestFilter): boolean => statuses?.length === 1 && statuses[0] === 'waiting';

/** Returns the filter conditions that apply to the columns of one table. */
const rowConditions = (branch: Branch, filter: RequestFilter): Sql => {
  const { kinds, statuses, account_id, id, except_id, since, until } = filter;
  return and([
    branch.where,
    branch === SENDER && sql`r.kind = any(${kinds}::text[])`,
    account_id && sql`r.account_id = ${account_id}`,
    id && sql`r.id = ${id}`,
    except_id && sql`r.id <> ${except_id}`,
    since && sql`${branch.sent} > ${since}::timestamptz`,
    until && sql`${branch.sent} <= ${until}`,
    onlyWaiting(filter)
      ? branch.waits
      : statuses?.length &&
        sql`r.status = any(${statuses.map((status) => branch.statuses[status]!)}::text[])
          and ${branch.status} = any(${statuses}::text[])`,
  ]);
};

const LONGEST_FIRST = raw(
  `q.status <> 'waiting', case when q.status = 'waiting' then q.create_date end,
    coalesce(q.decide_date, q.create_date) desc, q.id`,
);
const longestFirst = ({ sent, waits_since, decided, waits }: Branch, filter: RequestFilter): Sql =>
  onlyWaiting(filter)
    ? sql`${waits_since}, r.id`
    : sql`not (${waits}), case when ${waits} then ${sent} end, coalesce(${decided}, ${sent}) desc, r.id`;

const SORTS: Sorts<typeof listRequests> = { create_date: 'q.create_date' };

/** The order of the page, for the rows of one table and for the combined table. */
interface Order {
  of: (branch: Branch) => Sql;
  all: Sql;
}
function pageOrder(filter: RequestFilter, page?: Page): Order {
  if (page?.sort === undefined) return { of: (branch) => longestFirst(branch, filter), all: LONGEST_FIRST };
  const direction = raw(page.sort.startsWith('-') ? 'desc' : 'asc');
  return {
    of: ({ sent }) => sql`${sent} ${direction}, r.id ${direction}`,
    all: orderBy(page, SORTS, 'q.id', ''),
  };
}

const searchConditions = (search: string | undefined): Sql =>
  search
    ? sql`(a.company_name || ' ' || q.sender_name || ' ' || q.sender_code || ' '
      || q.template_name ilike ${likePattern(search)} or ${matchesSearch(search)})`
    : raw('true');

/**
 * Combines all tables into one. Without a search, each table returns only the rows that could be on the page, in page
 * order.
 */
function requestTable(filter: RequestFilter, order: Order, limit: number | null): Sql {
  const parts = selectBranches(filter).map((branch) => {
    const rows =
      limit === null || filter.search
        ? sql`${branch.table} r ${branch.joins} where ${rowConditions(branch, filter)}`
        : sql`(select r.* from ${branch.table} r where ${rowConditions(branch, filter)}
          order by ${order.of(branch)} limit ${limit}) r ${branch.joins}`;
    return sql`select r.id, r.account_id, ${branch.status}, ${branch.sent}, ${branch.decided}, ${branch.columns}
      from ${rows}`;
  });
  // The columns are named here, because any of the tables may come first in the union.
  return sql`(${join(parts, ' union all ')}) q (id, account_id, status, create_date, decide_date, sender_name,
    sender_code, template_name, template_text, form, countries, reasons, note, reviewer_name, expected_date, target_id,
    kind)`;
}

type Row = Omit<Request, 'words'> & { reasons: FieldReason[]; note: string };
const toRequest = ({ reasons, note, ...row }: Row): Request => ({
  ...row,
  words: [...reasons.map(({ text }) => text), note].filter(Boolean).join(' '),
});

/** The page is selected before the forms in its rows are read. */
const selectRequests = async (
  db: Queryable,
  filter: RequestFilter,
  size: number,
  { offset, order }: { offset: number; order: Order } = { offset: 0, order: pageOrder(filter) },
): Promise<Request[]> =>
  (
    await db.rows<Row>(
      customPlan(sql`
        select q.id, q.account_id, q.target_id, q.company_name, q.kind, q.status, q.reasons, q.note, q.reviewer_name,
          q.create_date, q.decide_date, q.expected_date,
          case q.kind when 'company' then q.form->>'company_name' when 'template' then q.template_name
            else coalesce(nullif(q.sender_code, ''), q.sender_name) end as name,
          coalesce(case q.kind when 'company' then q.form->>'use_case' when 'template' then q.template_text else
            coalesce(q.form->'sms_campaign'->>'description', q.form->q.kind->>'business_description') end, '') as about,
          case q.kind when 'company' then array[q.form->>'country_code'] else q.countries end as countries
        from (
          select q.*, a.company_name
          from ${requestTable(filter, order, offset + size)} join accounts a on a.id = q.account_id
          where ${searchConditions(filter.search)}
          order by ${order.all} limit ${size} offset ${offset}) q
        order by ${order.all}`),
    )
  ).map(toRequest);

export const listRequestRows = (db: Queryable, filter: RequestFilter, page: Page) =>
  selectRequests(db, filter, page.size + 1, { offset: page.offset, order: pageOrder(filter, page) });

export const findRequest = async (db: Queryable, id: string, kinds: readonly RequestKind[]): Promise<Request | null> =>
  (await selectRequests(db, { id, kinds }, 1))[0] ?? null;

export const listOtherRequests = (db: Queryable, { id, account_id }: Request, kinds: readonly RequestKind[]) =>
  selectRequests(db, { account_id, except_id: id, kinds }, 20);

/** Returns requests that were sent in this period and are still waiting, oldest first. */
export const listWaitingSince = (db: Queryable, since: string, until: Date): Promise<Request[]> =>
  selectRequests(db, { kinds: REQUEST_KINDS, statuses: ['waiting'], since, until }, CAP);

/** Joins other tables only for a search. */
export const countRequests = async (db: Queryable, filter: RequestFilter): Promise<number> => {
  const rows = filter.search
    ? sql`
        select 1 from ${requestTable(filter, pageOrder(filter), null)} join accounts a on a.id = q.account_id
        where ${searchConditions(filter.search)}`
    : join(
        selectBranches(filter).map(
          (branch) => sql`select 1 from ${branch.table} r where ${rowConditions(branch, filter)}`,
        ),
        ' union all ',
      );
  return (
    await db.one<{ count: number }>(
      customPlan(sql`select count(*) from (select 1 from (${rows}) q limit ${CAP + 1}) capped`),
    )
  ).count;
};

/** Returns the history of a request: all decisions on a sender or company, or a template's earlier texts. */
export const listRequestHistory = (db: Queryable, account_id: string, target_id: string) =>
  db.rows<{ id: string; action: string; actor_name: string; text: string; create_date: string }>(sql`
    select id, action, actor_name, coalesce(detail->>'reason', '') as text, create_date from audit_log
    where account_id = ${account_id} and target_id = ${target_id} and target_type in ('account', 'sender', 'template')
      and action = any(${REQUEST_ACTIONS}::text[])
    order by number desc limit 50`);
const REQUEST_ACTIONS = [
  ...['form_submitted', 'approved', 'rejected', 'more_asked'].map((name) => `account.${name}`),
  ...['begun', 'submitted', 'approved', 'rejected', 'asked', 'removed'].map((name) => `sender.${name}`),
  ...['created', 'updated', 'approved', 'rejected', 'asked'].map((name) => `template.${name}`),
];

/** Returns other companies whose name has a word that begins the same way. Only these names are compared. */
export const listSimilarNames = (db: Queryable, account_id: string, word: string) =>
  db.rows<{ company_name: string; blocked: boolean }>(
    customPlan(sql`
      select a.company_name, a.status = 'BLOCKED' as blocked from accounts a
      where ${nameWords} @@ ${wordQuery([word])}::tsquery and a.id <> ${account_id} and a.kind = 'CUSTOMER'
        and a.parent_id is null
      order by a.id desc limit 200`),
  );
