/**
 * Claims queued messages for submission. One statement moves rows from `queued` to `submitting`, never more than a bind
 * can accept, and checks again whether each message may be sent. No messages are buffered between claims, so a pause,
 * an opt-out, or a more urgent message takes effect at the next claim. The backlog decides how many messages of each
 * account and class are claimed.
 */
import type { Content } from '@parley/contract/messages/content.ts';
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Share } from './fair_queue.ts';

/** The worker's bind that claims the messages. */
export interface Claimer {
  connection_id: string;
  worker_id: string;
  bind_id: string;
}

export interface Claimed {
  account_id: string;
  message_id: string;
  hold_id: string | null;
  attempt: number;
  reference: number;
  refusals: number;
  sent_parts: number[];
  priority: number;
  number: string;
  sender_address: string;
  text: string;
  /** The real text, if `text` is masked. */
  sealed_text: string | null;
  /** The real content, if `content` is masked. */
  sealed_content: string | null;
  content: Content | null;
  /** The number of segments that were priced. */
  segments_count: number;
  valid_seconds: number;
  /** The reason why the message must not be sent. */
  verdict: 'expired' | 'blocked' | 'unsubscribed' | 'outside_windows' | null;
}

/**
 * The caller must commit before sending. A worker whose lease has expired claims no rows, because other workers may
 * have taken over. All parts of a message carry the same reference, so the message keeps it while a carrier has some of
 * the parts.
 */
export const claim = (tx: Tx, taker: Claimer, shares: readonly Share[]): Promise<Claimed[]> =>
  tx.rows<Claimed>(claimStatement(taker, shares));

export function claimStatement({ connection_id, worker_id, bind_id }: Claimer, shares: readonly Share[]): Sql {
  return sql`
    with picked as materialized (
      select due.account_id, due.message_id
      from unnest(${shares.map((share) => share.priority)}::smallint[],
                  ${shares.map((share) => share.account_id)}::uuid[], ${shares.map((share) => share.share)}::int[])
                    as s(priority, account_id, share)
      cross join lateral (
        select d.account_id, d.message_id from dispatch d
        where d.connection_id = ${connection_id} and d.stage = 'queued' and d.priority = s.priority
          and d.account_id = s.account_id and d.not_before <= now()
        order by d.not_before, d.message_id
        limit s.share for update skip locked
      ) due
      where exists (select from workers where id = ${worker_id} and lease_until > now())
    )
    update dispatch d set
      stage = 'submitting', worker_id = ${worker_id}, bind_id = ${bind_id}, submit_date = now(),
      attempt = d.attempt + 1, reference = case when d.sent_parts = '{}' then 1 + floor(random() * 65535)::int
        else d.reference end
    from picked p
    join messages m on m.account_id = p.account_id and m.id = p.message_id
    join accounts a on a.id = p.account_id
    where d.account_id = p.account_id and d.message_id = p.message_id
    returning d.account_id, d.message_id, m.hold_id, d.attempt, d.reference, d.refusals, d.sent_parts, d.priority,
      m.segments_count, d.number, d.sender_address, m.text, d.sealed_text, d.sealed_content, m.content,
      greatest(1, extract(epoch from d.expire_date - now()))::int as valid_seconds,
      case
        when d.expire_date <= now() then 'expired'
        when a.status = 'BLOCKED' then 'blocked'
        when not d.passes_stop_list and exists (
          select from stop_list l
          where l.account_id = d.account_id and l.number = d.number
            and (l.sender_id is null or l.sender_id = m.sender_id)
        ) then 'unsubscribed'
        when not d.windows @> now() then 'outside_windows'
      end as verdict`;
}

interface MessageKey {
  readonly account_id: string;
  readonly message_id: string;
}

/**
 * Returns claimed messages to the queue until their next window opens, and extends their validity by that time. The
 * result contains the messages without another window.
 */
export async function awaitWindows<T extends MessageKey>(tx: Tx, messages: readonly T[]): Promise<T[]> {
  if (messages.length === 0) return [];
  const waiting = await tx.rows<MessageKey>(sql`
    with late as (
      select d.account_id, d.message_id, (
          select min(lower(w)) from unnest(d.windows) as w where lower(w) > now()
        ) as opens
      from unnest(${messages.map(({ account_id }) => account_id)}::uuid[],
                  ${messages.map(({ message_id }) => message_id)}::uuid[]) as t(account_id, message_id)
      join dispatch d on d.account_id = t.account_id and d.message_id = t.message_id
    ), queued as (
      update dispatch d set
        stage = 'queued', worker_id = null, bind_id = null, submit_date = null, not_before = l.opens,
        expire_date = d.expire_date + (l.opens - now())
      from late l
      where d.account_id = l.account_id and d.message_id = l.message_id and l.opens is not null
      returning d.account_id, d.message_id, d.expire_date
    )
    update messages m set expire_date = q.expire_date from queued q
    where m.account_id = q.account_id and m.id = q.message_id
    returning m.account_id, m.id as message_id`);
  const ids = new Set(waiting.map(({ message_id }) => message_id));
  return messages.filter(({ message_id }) => !ids.has(message_id));
}
