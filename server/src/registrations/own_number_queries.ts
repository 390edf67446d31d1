import { ACCESS_FORMS, type AccessFields } from '@parley/contract/channels/access.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import { channelRules, channelsWithOwnNumber, PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { OwnNumber } from '@parley/contract/registrations/access.ts';
import type { Registration, RequestKind } from '@parley/contract/registrations/registration.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

/**
 * Selects the account's own numbers: those with proven ownership, and its SMS numbers, which need no proof. `only`
 * limits the list to one number.
 */
export const listOwnNumbers = (db: Queryable, account_id: string, only: string | null = null) =>
  db.rows<OwnNumber>(sql`
    select n.number, n.source, n.verify_date,
           (select s.id from senders s
            where s.account_id = ${account_id} and s.channel = any(${channelsWithOwnNumber()}::text[])
              and s.code = n.number and s.delete_date is null
            order by s.status in ('available', 'pending') desc, s.id limit 1) as sender_id
    from (
      select number, 'own' as source, verify_date from own_numbers where account_id = ${account_id}
      union all
      select code, 'account', null from senders
      where account_id = ${account_id} and channel = ${PHONE_CHANNEL} and type in ('local', 'mobile', 'toll_free')
        and status in ('available', 'unregistered', 'pending', 'rejected') and delete_date is null
        and not exists (select from own_numbers o where o.account_id = ${account_id} and o.number = code)) n
    where ${only}::text is null or n.number = ${only}
    order by n.source desc, n.number limit 300`);

/** Finds the form's number for the preflight check, if it is one of the account's own numbers. */
export async function listProvenNumbers(
  db: Queryable,
  account_id: string,
  kind: RequestKind,
  registration: Registration,
): Promise<string[]> {
  if (!isAccessKind(kind)) return [];
  const { channel, code_field } = ACCESS_FORMS[kind];
  const form: AccessFields | null = registration[kind];
  const number = channelRules(channel).own_number ? form?.[code_field] : undefined;
  return number ? (await listOwnNumbers(db, account_id, number)).map((row) => row.number) : [];
}

export const saveOwnNumber = (tx: Tx, row: { account_id: string; number: string; user_id: string | null }) =>
  tx.run(sql`
    insert into own_numbers (account_id, number, user_id, verify_date)
    values (${row.account_id}, ${row.number}, ${row.user_id}, ${tx.now})
    on conflict (account_id, number) do update set user_id = excluded.user_id, verify_date = excluded.verify_date`);
