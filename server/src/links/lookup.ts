/** Finds the links of short URLs, many in one statement. */
import { type Queryable, sql } from '../kernel/db/db.ts';

export interface FoundLink {
  account_id: string;
  kind: 'link' | 'opt_out';
  link_id: string | null;
  url: string | null;
  is_open: boolean;
  max_clicks: number | null;
  /** People must enter the password first. */
  password_hash: string | null;
  message_id: string | null;
  number: string | null;
  country: string | null;
  sender_id: string | null;
  company_name: string;
}

interface Wanted {
  code: string;
  /** The host of the request. On the domain of an account, only its own links open. */
  host: string;
}

/** Codes of one campaign share a link, so each link and each host is read once. */
export async function findLinks(db: Queryable, now: Date, wanted: readonly Wanted[]): Promise<(FoundLink | null)[]> {
  const hosts = [...new Set(wanted.map(({ host }) => host))];
  const rows = await db.rows<FoundLink & { n: number }>(sql`
    with found as materialized (
      select w.n, w.host, c.account_id, c.kind, c.link_id, c.message_id, c.number, c.country, c.sender_id
      from unnest(${wanted.map(({ code }) => code)}::text[], ${wanted.map(({ host }) => host)}::text[])
           with ordinality as w(code, host, n)
      join link_codes c on c.code = w.code
    ), target as materialized (
      select l.account_id, l.id, l.url, l.max_clicks, l.password_hash,
             not l.archived and (l.expire_date is null or l.expire_date > ${now}::timestamptz) and
               (l.max_clicks is null or l.clicks < l.max_clicks) as is_open
      from (select distinct account_id, link_id from found) f
      join links l on l.account_id = f.account_id and l.id = f.link_id
    ), company as materialized (
      select a.id, a.company_name from (select distinct account_id from found) f join accounts a on a.id = f.account_id
    ), domain as materialized (
      select host, account_id from link_domains where host = any(${hosts}::text[]) and verified
    )
    select f.n::int as n, f.account_id, f.kind, f.link_id, f.message_id, f.number, f.country, f.sender_id, t.url,
           t.max_clicks, t.password_hash, a.company_name, t.is_open
    from found f
    join company a on a.id = f.account_id
    left join target t on t.account_id = f.account_id and t.id = f.link_id
    left join domain d on d.host = f.host
    where (d.account_id is null or d.account_id = f.account_id) and (f.kind = 'opt_out' or t.id is not null)`);
  const found: (FoundLink | null)[] = wanted.map(() => null);
  for (const row of rows) found[row.n - 1] = row;
  return found;
}
