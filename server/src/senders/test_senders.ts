/**
 * The shared test sender: accounts without their own sender send test messages from one of the operators' senders.
 * A shared sender is a sender of the account (`shared_from` names the original), but it appears in no list and sends
 * only to the account's own phones, which the gate checks. A reply goes to the account that last messaged the phone.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { isNotPoolMember } from './queries.ts';

interface UsableSender {
  id: string;
  name: string;
  code: string;
  countries: string[];
}

/** The account's own usable senders, sorted by name. */
export const listUsableSenders = (db: Queryable, account_id: string, channel: ChannelName) =>
  db.rows<UsableSender>(sql`
    select s.id, s.name, s.code, s.countries from senders s
    where s.account_id = ${account_id} and s.channel = ${channel} and s.status in ('available', 'approved')
      and s.delete_date is null and s.shared_from is null and ${isNotPoolMember}
    order by s.name, s.id limit 100`);

/** The sender that the operators share: their first usable sender on the channel. */
export const findTestSender = (db: Queryable, channel: ChannelName) =>
  db.maybeOne<UsableSender>(sql`
    select s.id, s.name, s.code, s.countries
    from senders s join accounts a on a.id = s.account_id
    where a.kind = 'OPERATOR' and a.status = 'VERIFIED' and s.channel = ${channel}
      and s.status in ('available', 'approved') and s.delete_date is null and s.shared_from is null
      and ${isNotPoolMember}
    order by s.create_date, s.id limit 1`);

/**
 * Adds the shared test sender to the account, or updates it to the current test sender, and returns its id. Returns
 * null if the operators have no sender on the channel.
 */
export async function borrowTestSender(tx: Tx, account_id: string, channel: ChannelName): Promise<string | null> {
  const row = await tx.maybeOne<{ id: string }>(sql`
    with chosen as (
      select s.* from senders s join accounts a on a.id = s.account_id
      where a.kind = 'OPERATOR' and a.status = 'VERIFIED' and s.channel = ${channel}
        and s.status in ('available', 'approved') and s.delete_date is null and s.shared_from is null
        and ${isNotPoolMember}
      order by s.create_date, s.id limit 1
    )
    insert into senders (account_id, id, name, code, channel, type, status, countries, brand, business_name,
      connection_id, carrier_address, shared_from)
    select ${account_id}, ${newId()}, 'Try it now', code, channel, type, 'available', countries, brand, business_name,
           connection_id, carrier_address, id
    from chosen where account_id <> ${account_id}
    on conflict (account_id, shared_from) where shared_from is not null do update set
      code = excluded.code, status = excluded.status, countries = excluded.countries,
      connection_id = excluded.connection_id, carrier_address = excluded.carrier_address
    returning id`);
  return row?.id ?? null;
}

/** From now on, replies from these phones to the shared sender go to this account. */
export const claimReplies = (tx: Tx, account_id: string, sender_id: string, numbers: readonly string[]) =>
  tx.run(sql`
    insert into shared_sender_replies (channel, address, number, account_id, sender_id, create_date)
    select s.channel, coalesce(s.carrier_address, s.code), n.number, s.account_id, s.id, ${tx.now}
    from senders s cross join unnest(${[...new Set(numbers)]}::text[]) as n(number)
    where s.account_id = ${account_id} and s.id = ${sender_id}
    order by n.number
    on conflict (channel, address, number) do update set
      account_id = excluded.account_id, sender_id = excluded.sender_id, create_date = excluded.create_date`);
