import { REQUEST_KINDS, type Request, type RequestKind } from '@parley/contract/admin/requests.ts';
import { channelsReviewedBy } from '@parley/contract/channels/index.ts';
import type { FieldReason } from '@parley/contract/registrations/registration.ts';
import { and, join, plannedAnew, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import { CAP, likePattern, type Page } from '../kernel/db/list.ts';
import { foundBy, nameWords, wordQuery } from './customer_search.ts';

export interface RequestFilter {
  /** At least one. */
  kinds: readonly RequestKind[];
  statuses?: readonly string[] | undefined;
  search?: string | undefined;
  account_id?: string | undefined;
  id?: string;
  /** Another one than this. */
  but?: string;
  /** Sent after the one and until the other. */
  since?: string;
  until?: Date;
}

/** One of the tables that requests are kept in, its row called `r`. Each names its statuses in words of its own. */
interface Branch {
  table: Sql;
  /** What of it operators decide on. */
  where: Sql;
  /** As an index has it. */
  waits: Sql;
  words: Readonly<Record<string, string>>;
  status: Sql;
  sent: Sql;
  /** Of what waits, as an index has it. */
  waits_since: Sql;
  decided: Sql;
  /** sender_name, sender_code, template_name, template_text, form, countries, reasons, note, reviewer_name, expected_date; `beside` is joined for them. */
  columns: Sql;
  beside: Sql;
}

const COMPANY: Branch = {
  table: raw('account_reviews'),
  where: raw('true'),
  waits: raw(`r.status = 'OPEN'`),
  words: { waiting: 'OPEN', asked: 'INFO_NEEDED', approved: 'APPROVED', rejected: 'REJECTED', withdrawn: '' },
  status: raw(
    `case r.status when 'OPEN' then 'waiting' when 'INFO_NEEDED' then 'asked' when 'APPROVED' then 'approved' else 'rejected' end`,
  ),
  sent: raw('r.create_date'),
  waits_since: raw('r.create_date'),
  decided: raw('r.decide_date'),
  columns: raw(
    `'', '', '', '', r.form, '{}'::text[], '[]'::jsonb, r.reason, r.reviewer_name, null::timestamptz, r.account_id, 'company'`,
  ),
  beside: raw(''),
};

const SENDER: Branch = {
  table: raw('sender_requests'),
  where: raw('true'),
  waits: raw(`r.status = 'IN_PROCESS' and not r.info_requested`),
  words: {
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
    `coalesce(r.rejected_name, s.name), coalesce(r.rejected_code, s.code), '', '', r.form, coalesce(r.rejected_countries, s.countries), r.reasons, r.note, r.reviewer_name, r.expected_date, s.id, r.kind`,
  ),
  beside: raw('join senders s on s.account_id = r.account_id and s.id = r.sender_id'),
};

// Templates that operators review. When a decided one was sent is not stored: its creation date is used.
const reviewed = channelsReviewedBy('operator').map((name) => `'${name}'`);
const TEMPLATE: Branch = {
  table: raw('templates'),
  where: raw(`r.channel in (${reviewed.join(', ')}) and r.delete_date is null`),
  waits: raw(`r.status = 'IN_PROCESS'`),
  words: { ...SENDER.words, asked: 'CANCELED', withdrawn: '' },
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
  beside: raw(''),
};

const branchesOf = ({ kinds }: RequestFilter): Branch[] => [
  ...(kinds.includes('company') ? [COMPANY] : []),
  ...(kinds.some((kind) => kind !== 'company' && kind !== 'template') ? [SENDER] : []),
  ...(kinds.includes('template') ? [TEMPLATE] : []),
];

const onlyWaiting = ({ statuses }: RequestFilter): boolean => statuses?.length === 1 && statuses[0] === 'waiting';

/** What of a branch is wanted, as far as its own row tells. */
const wanted = (branch: Branch, filter: RequestFilter): Sql => {
  const { kinds, statuses, account_id, id, but, since, until } = filter;
  return and([
    branch.where,
    branch === SENDER && sql`r.kind = any(${kinds}::text[])`,
    account_id && sql`r.account_id = ${account_id}`,
    id && sql`r.id = ${id}`,
    but && sql`r.id <> ${but}`,
    since && sql`${branch.sent} > ${since}::timestamptz`,
    until && sql`${branch.sent} <= ${until}`,
    onlyWaiting(filter)
      ? branch.waits
      : statuses?.length &&
        sql`r.status = any(${statuses.map((status) => branch.words[status]!)}::text[]) and ${branch.status} = any(${statuses}::text[])`,
  ]);
};

const LONGEST_FIRST = raw(
  `q.status <> 'waiting', case when q.status = 'waiting' then q.create_date end, coalesce(q.decide_date, q.create_date) desc, q.id`,
);
const longestFirst = ({ sent, waits_since, decided, waits }: Branch, filter: RequestFilter): Sql =>
  onlyWaiting(filter)
    ? sql`${waits_since}, r.id`
    : sql`not (${waits}), case when ${waits} then ${sent} end, coalesce(${decided}, ${sent}) desc, r.id`;

const asked = (search: string | undefined): Sql =>
  search
    ? sql`(a.company_name || ' ' || q.sender_name || ' ' || q.sender_code || ' ' || q.template_name ilike ${likePattern(search)} or ${foundBy(search)})`
    : raw('true');

/** As one table. Where nothing is searched for, each branch gives no more than could be on the page, in its order. */
function table(filter: RequestFilter, most: number | null): Sql {
  const parts = branchesOf(filter).map((branch) => {
    const rows =
      most === null || filter.search
        ? sql`${branch.table} r ${branch.beside} where ${wanted(branch, filter)}`
        : sql`(select r.* from ${branch.table} r where ${wanted(branch, filter)} order by ${longestFirst(branch, filter)} limit ${most}) r ${branch.beside}`;
    return sql`select r.id, r.account_id, ${branch.status}, ${branch.sent}, ${branch.decided}, ${branch.columns} from ${rows}`;
  });
  // Named here: any of the branches may be the first.
  return sql`(${join(parts, ' union all ')}) q (id, account_id, status, create_date, decide_date, sender_name, sender_code, template_name, template_text,
    form, countries, reasons, note, reviewer_name, expected_date, target_id, kind)`;
}

type Row = Omit<Request, 'words'> & { reasons: FieldReason[]; note: string };
const toRequest = ({ reasons, note, ...row }: Row): Request => ({
  ...row,
  words: [...reasons.map(({ text }) => text), note].filter(Boolean).join(' '),
});

/** The page is chosen before any form is opened for its words. */
const chosen = async (db: Queryable, filter: RequestFilter, size: number, offset = 0): Promise<Request[]> =>
  (
    await db.rows<Row>(
      plannedAnew(sql`
        select q.id, q.account_id, q.target_id, q.company_name, q.kind, q.status, q.reasons, q.note, q.reviewer_name, q.create_date, q.decide_date, q.expected_date,
          case q.kind when 'company' then q.form->>'company_name' when 'template' then q.template_name
            else coalesce(nullif(q.sender_code, ''), q.sender_name) end as name,
          coalesce(case q.kind when 'company' then q.form->>'use_case' when 'template' then q.template_text else
            coalesce(q.form->'sms_campaign'->>'description', q.form->'whatsapp'->>'business_description', q.form->'viber'->>'business_description') end, '') as about,
          case q.kind when 'company' then array[q.form->>'country_code'] else q.countries end as countries
        from (
          select q.*, a.company_name from ${table(filter, offset + size)} join accounts a on a.id = q.account_id where ${asked(filter.search)}
          order by ${LONGEST_FIRST} limit ${size} offset ${offset}) q
        order by ${LONGEST_FIRST}`),
    )
  ).map(toRequest);

export const requestPage = (db: Queryable, filter: RequestFilter, page: Page) =>
  chosen(db, filter, page.size + 1, page.offset);

export const requestById = async (db: Queryable, id: string, kinds: readonly RequestKind[]): Promise<Request | null> =>
  (await chosen(db, { id, kinds }, 1))[0] ?? null;

export const otherRequests = (db: Queryable, { id, account_id }: Request, kinds: readonly RequestKind[]) =>
  chosen(db, { account_id, but: id, kinds }, 20);

/** What began to wait in between and still does, longest first. */
export const waitingSince = (db: Queryable, since: string, until: Date): Promise<Request[]> =>
  chosen(db, { kinds: REQUEST_KINDS, statuses: ['waiting'], since, until }, CAP);

/** Nothing is joined that is not searched in. */
export const countRequests = async (db: Queryable, filter: RequestFilter): Promise<number> => {
  const counted = filter.search
    ? sql`select 1 from ${table(filter, null)} join accounts a on a.id = q.account_id where ${asked(filter.search)}`
    : join(
        branchesOf(filter).map((branch) => sql`select 1 from ${branch.table} r where ${wanted(branch, filter)}`),
        ' union all ',
      );
  return (
    await db.one<{ count: number }>(
      plannedAnew(sql`select count(*) from (select 1 from (${counted}) q limit ${CAP + 1}) capped`),
    )
  ).count;
};

/** What was done about it. Of a sender or company that is everything that led to it, and of a template its texts before. */
export const historyOf = (db: Queryable, account_id: string, target_id: string) =>
  db.rows<{ id: string; action: string; actor_name: string; text: string; create_date: string }>(sql`
    select id, action, actor_name, coalesce(detail->>'reason', '') as text, create_date from audit_log
    where account_id = ${account_id} and target_id = ${target_id} and target_type in ('account', 'sender', 'template') and action = any(${ABOUT}::text[])
    order by number desc limit 50`);
const ABOUT = [
  ...['form_submitted', 'approved', 'rejected', 'more_asked'].map((act) => `account.${act}`),
  ...['begun', 'submitted', 'approved', 'rejected', 'asked', 'removed'].map((act) => `sender.${act}`),
  ...['created', 'updated', 'approved', 'rejected', 'asked'].map((act) => `template.${act}`),
];

/** Other companies whose name has a word that begins alike: the ones worth comparing. */
export const namesLike = (db: Queryable, account_id: string, word: string) =>
  db.rows<{ company_name: string; blocked: boolean }>(
    plannedAnew(sql`
      select a.company_name, a.status = 'BLOCKED' as blocked from accounts a
      where ${nameWords} @@ ${wordQuery([word])}::tsquery and a.id <> ${account_id} and a.kind = 'CUSTOMER' and a.parent_id is null
      order by a.id desc limit 200`),
  );
