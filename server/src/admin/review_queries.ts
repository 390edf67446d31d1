import type { AccountReview } from '@parley/contract/company.ts';
import { reviewColumns } from '../accounts/accounts.ts';
import { and, plannedAnew, type Queryable, type Sql, sql } from '../kernel/db.ts';
import { CAP, type Page } from '../kernel/list.ts';
import { foundBy, nameWords, wordQuery } from './customer_search.ts';

export interface ReviewFilter {
  search?: string | undefined;
  statuses?: readonly string[] | undefined;
}

const conditions = ({ search, statuses }: ReviewFilter): Sql =>
  and([search && foundBy(search), statuses?.length && sql`r.status = any(${statuses}::text[])`]);

/** What waits, longest first; then what was decided, newest first. */
export const reviewPage = (db: Queryable, filter: ReviewFilter, page: Page) =>
  db.rows<AccountReview>(
    plannedAnew(sql`
      select ${reviewColumns} from account_reviews r join accounts a on a.id = r.account_id where ${conditions(filter)}
      order by r.status <> 'OPEN', case when r.status = 'OPEN' then r.create_date end, r.decide_date desc, r.id
      limit ${page.size + 1} offset ${page.offset}`),
  );

export const countReviews = async (db: Queryable, filter: ReviewFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(
      plannedAnew(sql`
        select count(*) from (
          select 1 from account_reviews r join accounts a on a.id = r.account_id where ${conditions(filter)} limit ${CAP + 1}) capped`),
    )
  ).count;

export const earlierReviews = (db: Queryable, account_id: string, id: string) =>
  db.rows<AccountReview>(sql`
    select ${reviewColumns} from account_reviews r join accounts a on a.id = r.account_id
    where r.account_id = ${account_id} and r.id <> ${id} order by r.id desc limit 20`);

/** Other companies whose name has a word that begins alike: the ones worth comparing. */
export const namesLike = (db: Queryable, account_id: string, word: string) =>
  db.rows<{ company_name: string; status: string; blocked: boolean }>(
    plannedAnew(sql`
      select a.company_name, a.status, a.status = 'BLOCKED' as blocked from accounts a
      where ${nameWords} @@ ${wordQuery([word])}::tsquery and a.id <> ${account_id} and a.kind = 'CUSTOMER' and a.parent_id is null
      order by a.id desc limit 200`),
  );
