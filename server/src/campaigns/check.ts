/** Invariants for campaigns. Each query returns the rows that violate its invariant. */
import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const campaignChecks: readonly Check[] = [
  {
    id: 'P9',
    title: 'No recipient has two messages of one campaign',
    sql: sql`
      select account_id, campaign_id, number, count(*) as messages from messages
      where campaign_id is not null group by 1, 2, 3 having count(*) > 1`,
  },
  {
    id: 'P9',
    title: 'The message count of each campaign matches its messages',
    sql: sql`
      select c.account_id, c.id, c.fanned_out, made.messages
      from campaigns c cross join lateral (
        select count(*) as messages from messages m where m.account_id = c.account_id and m.campaign_id = c.id
      ) made
      where c.fanned_out <> made.messages`,
  },
  {
    id: 'P9',
    title: 'Once a campaign ends, every contact of its frozen audience has a message or a skip reason',
    sql: sql`
      select c.account_id, c.id, c.status, c.total, c.fanned_out, c.skipped
      from campaigns c cross join lateral (
        select coalesce(sum(value::int), 0) as people from jsonb_each_text(c.skipped)
      ) skipped
      where c.start_date is not null
        and (c.fanned_out + skipped.people > c.total
             or c.status in ('completed', 'failed', 'canceled') and c.fanned_out + skipped.people <> c.total)`,
  },
  {
    id: 'P9',
    title: 'The contacts who wait for their time match the counts of their campaign',
    sql: sql`
      select c.account_id, c.id, c.status, c.waits, stored.waits as stored
      from campaigns c cross join lateral (
        select coalesce(sum(contacts), 0) as contacts, count(*) as times,
          coalesce(jsonb_object_agg(to_char(not_before at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), contacts),
            '{}') as waits
        from (
          select not_before, count(*) as contacts from campaign_waits w
          where w.account_id = c.account_id and w.campaign_id = c.id group by not_before
        ) by_time
      ) stored
      where c.status <> 'canceled' and c.waits <> stored.waits`,
  },
  {
    id: 'P9',
    title: 'The skipped contacts of each campaign match its counts',
    sql: sql`
      select c.account_id, c.id, c.skipped, listed.skipped as listed
      from campaigns c cross join lateral (
        select coalesce(jsonb_object_agg(reason, contacts), '{}') as skipped from (
          select reason, count(*) as contacts from campaign_skips s
          where s.account_id = c.account_id and s.campaign_id = c.id group by reason
        ) by_reason
      ) listed
      where c.lists_skips and c.skipped - 'removed' - case when c.lists_canceled then '' else 'canceled' end
        <> listed.skipped - case when c.lists_canceled then '' else 'canceled' end`,
  },
  {
    id: 'P9',
    title: 'The messages of an A/B test match the counts of its variants',
    sql: sql`
      select c.account_id, c.id, c.test_counts, c.test_size, made.messages
      from campaigns c cross join lateral (
        select count(*) as messages from campaign_test_messages t
        where t.account_id = c.account_id and t.campaign_id = c.id
      ) made
      where c.test is not null
        and (made.messages <> coalesce((select sum(n) from unnest(c.test_counts) n), 0)
          or made.messages > c.test_size)`,
  },
  {
    id: 'P9',
    title: 'A campaign awaiting approval has not started, and its request is undecided',
    sql: sql`
      select c.account_id, c.id, c.status, c.approval_status, v.status as stored
      from campaigns c left join campaign_approvals v on v.account_id = c.account_id and v.id = c.approval_id
      where c.approval_id is not null and c.series_id is null and c.approval_status is distinct from v.status
         or c.approval_status = 'requested' and c.status not in ('in_complete', 'paused')`,
  },
  {
    id: 'P9',
    title: 'A finished campaign has no queued messages',
    sql: sql`
      select c.account_id, c.id, c.status, m.id as message_id, m.status as message_status
      from campaigns c join messages m on m.account_id = c.account_id and m.campaign_id = c.id
      where c.status in ('completed', 'failed') and m.status in ('scheduled', 'enroute')`,
  },
  {
    id: 'P9',
    title: 'A campaign’s cursor does not pass the end of its frozen audience',
    sql: sql`select account_id, id, cursor_contact_id, last_contact_id from campaigns
      where cursor_contact_id > last_contact_id`,
  },
  {
    id: 'P9',
    title: 'The counts and the cost of a finished campaign match its messages',
    // Counts may lag by a second, so campaigns whose messages changed in the last minute are ignored.
    sql: sql`
      select c.account_id, c.id, c.counts, c.cost_micros, actual.counts as actual_counts, actual.cost as actual_cost
      from campaigns c cross join lateral (
        select coalesce(jsonb_object_agg(status, messages), '{}') as counts, coalesce(sum(cost), 0) as cost,
          max(moved) as moved
        from (
          select status, count(*) as messages, max(update_date) as moved,
                 sum(price_micros) filter (where charge in ('held', 'settled')) as cost
          from messages m where m.account_id = c.account_id and m.campaign_id = c.id group by status
        ) by_status
      ) actual
      where c.status in ('completed', 'failed') and actual.moved < now() - interval '1 minute'
        and (c.counts <> actual.counts or c.cost_micros <> actual.cost)`,
  },
  {
    id: 'P5',
    title: 'No message from a paused or canceled campaign can be claimed',
    sql: sql`
      select c.account_id, c.id, c.status, d.message_id, d.not_before
      from campaigns c
      join messages m on m.account_id = c.account_id and m.campaign_id = c.id and m.status in ('scheduled', 'enroute')
      join dispatch d on d.account_id = m.account_id and d.message_id = m.id
      where c.status in ('paused', 'canceled', 'error') and d.stage = 'queued' and d.not_before < 'infinity'`,
  },
];
