import type { SendApproval } from '@parley/contract/keys/approvals.ts';
import type { MessageRehearsal } from '@parley/contract/messages/rehearsals.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, type Page } from '../kernel/db/list.ts';

const columns = raw(`
  a.id, a.account_id, a.key_id, a.rehearsal, null as token, a.decide_date, a.expire_date, a.create_date,
  case when a.status in ('pending', 'approved') and a.expire_date <= now() then 'expired' else a.status end as status,
  (select k.name from api_keys k where k.account_id = a.account_id and k.id = a.key_id) as key_name,
  (select nullif(trim(u.first_name || ' ' || u.last_name), '') from users u
    where u.account_id = a.account_id and u.id = a.user_id) as decided_by`);

export const listApprovals = (db: Queryable, account_id: string, page: Page) =>
  db.rows<SendApproval>(sql`
    select ${columns} from send_approvals a where a.account_id = ${account_id}
    order by a.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countApprovals = async (db: Queryable, account_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from send_approvals where account_id = ${account_id} limit ${CAP + 1}) capped`)
  ).count;

const one = (where: Sql): Sql => sql`select ${columns} from send_approvals a where ${where}`;

export const findApproval = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<SendApproval>(one(sql`a.account_id = ${account_id} and a.id = ${id}`));

interface NewApproval {
  account_id: string;
  id: string;
  key_id: string;
  content_hash: Buffer;
  rehearsal: MessageRehearsal;
  expire_date: Date;
}

/** Returns the ID of the pending request for the same message if there is one, and extends it. */
export const insertApproval = async (tx: Tx, row: NewApproval): Promise<string> =>
  (
    await tx.one<{ id: string }>(sql`
      insert into send_approvals (account_id, id, key_id, content_hash, rehearsal, expire_date)
      values (${row.account_id}, ${row.id}, ${row.key_id}, ${row.content_hash}, ${JSON.stringify(row.rehearsal)}::jsonb,
              ${row.expire_date})
      on conflict (account_id, key_id, content_hash) where status = 'pending'
      do update set rehearsal = excluded.rehearsal, expire_date = excluded.expire_date
      returning id`)
  ).id;

/** Deletes the requests before this ID, and all but the latest of the account. */
export const pruneApprovals = (tx: Tx, account_id: string, before: string, keep: number) =>
  tx.run(sql`
    delete from send_approvals where account_id = ${account_id} and (id < ${before} or id <= (
      select id from send_approvals where account_id = ${account_id} order by id desc limit 1 offset ${keep}))`);

/** Decides a pending request. Returns false if it was decided or has expired. */
export const decide = async (
  tx: Tx,
  row: {
    account_id: string;
    id: string;
    status: 'approved' | 'declined';
    user_id: string | null;
    token_hash: Buffer | null;
    expire_date: Date;
  },
): Promise<boolean> =>
  (await tx.run(sql`
    update send_approvals set status = ${row.status}, user_id = ${row.user_id}, token_hash = ${row.token_hash},
      expire_date = ${row.expire_date}, decide_date = ${tx.now}
    where account_id = ${row.account_id} and id = ${row.id} and status = 'pending' and expire_date > ${tx.now}`)) > 0;

/** Uses up the token of an approval for this content. Returns null if it is not valid. */
export const useToken = (tx: Tx, account_id: string, key_id: string, token_hash: Buffer, content_hash: Buffer) =>
  tx.maybeOne<{ id: string }>(sql`
    update send_approvals set status = 'used'
    where account_id = ${account_id} and key_id = ${key_id} and token_hash = ${token_hash} and status = 'approved'
      and content_hash = ${content_hash} and expire_date > ${tx.now}
    returning id`);

/** Adds to what the key sent today without an approval, and returns the sums. The row stays locked until the commit. */
export const addUnapproved = (tx: Tx, account_id: string, key_id: string, recipients: number, micros: number) =>
  tx.one<{ recipients: number; spent_micros: number }>(sql`
    insert into key_unapproved as u (account_id, key_id, day, recipients, spent_micros)
    values (${account_id}, ${key_id}, (${tx.now}::timestamptz at time zone 'UTC')::date, ${recipients}, ${micros})
    on conflict (account_id, key_id) do update set
      day = excluded.day,
      recipients = excluded.recipients + case u.day when excluded.day then u.recipients else 0 end,
      spent_micros = excluded.spent_micros + case u.day when excluded.day then u.spent_micros else 0 end
    returning recipients, spent_micros`);
