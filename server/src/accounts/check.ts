import type { Check } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';

export const accountChecks: readonly Check[] = [
  {
    id: 'A1',
    title: 'Every audit log is complete: rows are numbered without gaps, and each hash covers the previous row',
    sql: sql`
      select a.account_id, a.number, a.action from audit_log a
      left join audit_log p on p.account_id = a.account_id and p.number = a.number - 1
      where (a.number > 1 and p.number is null)
        or a.hash <> sha256(coalesce(p.hash, '') || convert_to(audit_text(to_jsonb(a)), 'UTF8'))`,
  },
  {
    id: 'A2',
    title: 'Reviews are open only for accounts with the status FORM_SUBMITTED',
    sql: sql`
      select r.account_id, r.id, a.status from account_reviews r join accounts a on a.id = r.account_id
      where r.status = 'OPEN'
        and (a.close_date is not null or coalesce(a.status_before_block, a.status) <> 'FORM_SUBMITTED')`,
  },
  {
    id: 'A3',
    title: 'Closed accounts have no sessions, keys, or pending invitations',
    sql: sql`
      select a.id from accounts a
      where a.close_date is not null and (
        exists (select 1 from sessions s where s.account_id = a.id and s.revoke_date is null and s.expire_date > now())
        or exists (select 1 from api_keys k where k.account_id = a.id and k.revoke_date is null)
        or exists (select 1 from invitations i where i.account_id = a.id and i.status = 'PENDING'))`,
  },
  {
    id: 'A4',
    title: 'Removed users have no sessions, and the parent of a sub-account is never a sub-account',
    sql: sql`
      select u.account_id, u.id from users u join sessions s on s.account_id = u.account_id and s.user_id = u.id
      where u.remove_date is not null and s.revoke_date is null and s.expire_date > now()
      union all
      select a.id, a.parent_id from accounts a left join accounts p on p.id = a.parent_id
      where (a.account_type = 'SUB_ACCOUNT') <> (a.parent_id is not null) or p.parent_id is not null`,
  },
];
