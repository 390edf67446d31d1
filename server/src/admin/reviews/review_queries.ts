import type { MessageReview, ReviewState } from '@parley/contract/guard/message_reviews.ts';
import { and, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';
import type { MessageKey } from '../../messages/messages.ts';

const columns: Sql = raw(`
  r.message_id as id, r.account_id, a.company_name, r.rule_id, r.rule_name, r.kind, r.state, r.message_count, m.channel,
  m."from", m."to", m.country, m.source, m.text, r.matches, r.campaign_id, c.name as campaign_name,
  m.possible_duplicate, r.reason, nullif(trim(u.first_name || ' ' || u.last_name), '') as reviewer_name, r.create_date,
  m.expire_date, r.decide_date`);

const joined: Sql = raw(`
  join accounts a on a.id = r.account_id
  join messages m on m.account_id = r.account_id and m.id = r.message_id
  left join campaigns c on c.account_id = r.account_id and c.id = r.campaign_id
  left join users u on u.id = r.reviewer_id`);

export interface ReviewFilter {
  readonly state: ReviewState;
  readonly account_id?: string | undefined;
  readonly rule_id?: string | undefined;
}

/** Each combination starts with an index: by state, by account, or by rule. */
const matches = ({ state, account_id, rule_id }: ReviewFilter): Sql =>
  and([
    sql`r.state = ${state}`,
    account_id && sql`r.account_id = ${account_id}`,
    rule_id && sql`r.rule_id = ${rule_id}`,
  ]);

export const listReviewRows = (db: Queryable, filter: ReviewFilter, page: Page): Promise<MessageReview[]> =>
  db.rows<MessageReview>(sql`
    with page as (
      select * from message_reviews r where ${matches(filter)}
      order by message_id ${raw(filter.state === 'waiting' ? 'asc' : 'desc')}
      limit ${page.size + 1} offset ${page.offset}
    )
    select ${columns} from page r ${joined}
    order by r.message_id ${raw(filter.state === 'waiting' ? 'asc' : 'desc')}`);

export async function countReviews(db: Queryable, filter: ReviewFilter): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from message_reviews r where ${matches(filter)} limit ${CAP + 1}) capped`);
  return count;
}

/** The states make the index on the state and the ID usable. */
const ofAnyState = sql`r.state in ('waiting', 'released', 'rejected', 'ended', 'noted')`;

export const findReview = (db: Queryable, id: string): Promise<MessageReview | null> =>
  db.maybeOne<MessageReview>(sql`
    select ${columns} from message_reviews r ${joined} where ${ofAnyState} and r.message_id = ${id}`);

export interface ReviewKey extends MessageKey {
  readonly state: ReviewState;
  readonly rule_id: string;
  readonly campaign_id: string | null;
}

export const findReviews = (db: Queryable, ids: readonly string[]): Promise<ReviewKey[]> =>
  db.rows<ReviewKey>(sql`
    select r.account_id, r.message_id, r.state, r.rule_id, r.campaign_id from message_reviews r
    where ${ofAnyState} and r.message_id = any(${ids}::uuid[])`);

export interface ReviewGroup {
  readonly account_id: string;
  readonly rule_id: string;
  readonly campaign_id: string | null;
}

/** The next messages of a group that began to wait before a time. */
export const listWaitingInGroup = (
  db: Queryable,
  { account_id, rule_id, campaign_id }: ReviewGroup,
  until: Date,
  limit: number,
): Promise<MessageKey[]> =>
  db.rows<MessageKey>(sql`
    select account_id, message_id from message_reviews
    where account_id = ${account_id} and rule_id = ${rule_id} and state = 'waiting'
      and campaign_id is not distinct from ${campaign_id}::uuid and create_date <= ${until}
    order by message_id limit ${limit}`);

export const storeDecision = (
  tx: Tx,
  messages: readonly MessageKey[],
  { state, reason, reviewer_id }: { state: 'released' | 'rejected'; reason: string; reviewer_id: string | null },
) =>
  tx.run(sql`
    update message_reviews r set state = ${state}, reason = ${reason}, reviewer_id = ${reviewer_id}::uuid,
      decide_date = ${tx.now}
    from unnest(${messages.map(({ account_id }) => account_id)}::uuid[],
      ${messages.map(({ message_id }) => message_id)}::uuid[]) as t(account_id, message_id)
    where r.account_id = t.account_id and r.message_id = t.message_id`);
