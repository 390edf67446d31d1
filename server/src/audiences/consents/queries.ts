import type { Consent } from '@parley/contract/audiences/consents.ts';
import { type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';

interface NumberKey {
  account_id: string;
  number: string;
}

const columns = raw(
  `c.id, c.account_id, c.number, c.channel, c.purpose, c.change, c.method, c.text, c.source, c.address, c.sender_id,
  s.name as sender_name, c.message_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name,
  c.create_date`,
);
const withNames = raw(
  `consents c left join senders s on s.account_id = c.account_id and s.id = c.sender_id
  left join users u on u.account_id = c.account_id and u.id = c.user_id`,
);

export const listConsents = (db: Queryable, account_id: string, numbers: readonly string[], page: Page) =>
  db.rows<Consent>(sql`
    select ${columns} from ${withNames} where c.account_id = ${account_id} and c.number = any(${numbers}::text[])
    order by c.create_date desc, c.id desc offset ${page.offset} limit ${page.size + 1}`);

export const countConsents = async (db: Queryable, account_id: string, numbers: readonly string[]): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from consents where account_id = ${account_id} and number = any(${numbers}::text[])
        limit ${CAP + 1}) capped`)
  ).count;

/** The entries that decide the state at a time: the last one for each combination of channel, purpose, and sender. */
export const listDecidingConsents = (db: Queryable, { account_id, number }: NumberKey, date: Date) =>
  db.rows<Consent>(sql`
    select distinct on (c.channel, c.purpose, c.sender_id) ${columns} from ${withNames}
    where c.account_id = ${account_id} and c.number = ${number} and c.create_date <= ${date}
    order by c.channel, c.purpose, c.sender_id, c.create_date desc, c.id desc`);

export const findConsent = (db: Queryable, account_id: string, id: string) =>
  db.one<Consent>(sql`select ${columns} from ${withNames} where c.account_id = ${account_id} and c.id = ${id}`);

export const listConsentsById = (db: Queryable, account_id: string, ids: readonly string[]) =>
  db.rows<Consent>(sql`
    select ${columns} from ${withNames} where c.account_id = ${account_id} and c.id = any(${ids}::uuid[])`);

export type NewConsent = Omit<Consent, 'sender_name' | 'user_name' | 'create_date'> & {
  user_id: string | null;
  date: Date;
};

export const insertConsent = (tx: Tx, row: NewConsent) =>
  tx.run(sql`
    insert into consents (account_id, id, number, channel, purpose, change, method, text, source, address, sender_id,
      message_id, user_id, create_date)
    values (${row.account_id}, ${row.id}, ${row.number}, ${row.channel}, ${row.purpose}, ${row.change}, ${row.method},
            ${row.text}, ${row.source}, ${row.address}, ${row.sender_id}, ${row.message_id}, ${row.user_id},
            ${row.date})`);

/** Whether the last consent for marketing on the channel was given, and not withdrawn. */
export const hasConsent = async (db: Queryable, account_id: string, channel: string, number: string) =>
  (
    await db.maybeOne<{ change: string }>(sql`
      select change from consents
      where account_id = ${account_id} and number = ${number} and (channel is null or channel = ${channel})
        and (purpose is null or purpose = 'marketing')
      order by create_date desc, id desc limit 1`)
  )?.change === 'given';

/**
 * Stores the consent that each message is sent under: the last one for marketing on the channel, unless it was
 * withdrawn. It takes one index lookup for each message, and none if the account has no consents.
 */
export const storeMessageConsents = (
  tx: Tx,
  account_id: string,
  channel: string,
  messages: readonly { id: string; to: string }[],
) =>
  tx.run(sql`
    insert into message_consents (account_id, message_id, consent_id)
    select ${account_id}, m.id, c.id
    from unnest(${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ to }) => to)}::text[]) as m(id, number)
    cross join lateral (
      select id, change from consents
      where account_id = ${account_id} and number = m.number and (channel is null or channel = ${channel})
        and (purpose is null or purpose = 'marketing')
      order by create_date desc, id desc limit 1
    ) c
    where (select exists (select from consents where account_id = ${account_id})) and c.change = 'given'`);
