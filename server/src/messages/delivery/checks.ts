import type { Check } from '../../kernel/db/check.ts';
import { sql } from '../../kernel/db/db.ts';
import { hasNoFallbacks } from '../status/fallback_checks.ts';

export const deliveryChecks: readonly Check[] = [
  {
    id: 'P6',
    title: 'Every submission has an active worker or is marked as ambiguous',
    sql: sql`
      select d.account_id, d.message_id, d.worker_id, d.submit_date
      from dispatch d left join workers w on w.id = d.worker_id
      where d.stage = 'submitting'
        and case when d.worker_id is null then d.unknown_date is null
          else coalesce(w.lease_until, '-infinity') < now() - interval '1 minute' end
        -- Without any worker, nothing can mark it.
        and exists (select 1 from workers where lease_until > now())`,
  },
  {
    id: 'P7',
    title: 'No worker submits more messages at once than its binds to a connection allow',
    sql: sql`
      select d.connection_id, d.worker_id, count(*) as submitting
      from dispatch d join connections c on c.id = d.connection_id
      where d.stage = 'submitting' and d.worker_id is not null and d.submit_date > c.update_date
      group by d.connection_id, d.worker_id, c.settings
      having count(*) > (c.settings->>'window')::int * coalesce((c.settings->>'binds')::int, 1)`,
  },
  {
    id: 'P4',
    title: 'Ambiguous submissions are settled once a bind has been up for the grace period',
    sql: sql`
      select d.account_id, d.message_id, d.connection_id, d.unknown_date
      from dispatch d join connections c on c.id = d.connection_id
      where d.stage = 'submitting' and d.worker_id is null and not d.held
        and greatest(d.unknown_date, (
              select min(b.bound_date) from binds b
              where b.connection_id = c.id and b.state in ('bound', 'throttled') and b.lease_until > now()
            )) + c.unknown_grace_seconds * interval '1 second' < now() - interval '10 minutes'
        and exists (select 1 from binds b where b.connection_id = c.id and b.state in ('bound', 'throttled')
          and b.lease_until > now())`,
  },
  {
    id: 'D2',
    title: 'No report is waiting for a message that exists',
    sql: sql`
      select u.id, u.connection_id, u.external_id, u.create_date
      from unmatched_reports u join submissions s on s.connection_id = u.connection_id and s.external_id = u.external_id
      where u.create_date < now() - interval '10 minutes'`,
  },
  {
    id: 'D2',
    title: 'Reports without a message are dropped after three days',
    sql: sql`
      select id, connection_id, external_id, create_date from unmatched_reports
      where create_date < now() - interval '74 hours'`,
  },
  {
    id: 'D2',
    title: 'Every carrier ID belongs to a message',
    sql: sql`
      select s.connection_id, s.external_id, s.account_id, s.message_id
      from submissions s left join messages m on m.account_id = s.account_id and m.id = s.message_id
      where m.id is null`,
  },
  {
    id: 'D1',
    title: 'A long message is delivered only when all its parts are delivered',
    sql: sql`
      select m.account_id, m.id, sent.parts, sent.arrived
      from (
        select account_id, message_id, max(parts) as parts,
          count(*) filter (where state in ('delivered', 'read')) as arrived
        from submissions where parts > 1 group by account_id, message_id
      ) sent join messages m on m.account_id = sent.account_id and m.id = sent.message_id
      where m.status in ('delivered', 'read') and sent.arrived < sent.parts
        and ${hasNoFallbacks(sql`m.account_id`, sql`m.id`)}`,
  },
  {
    id: 'D4',
    title: 'Parts of inbound messages are joined, or released incomplete',
    sql: sql`
      select connection_id, key, part, create_date from inbound_parts
      where create_date < now() - interval '1 hour' and exists (select 1 from workers where lease_until > now())`,
  },
];
