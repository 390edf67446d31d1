/** Messages of people in the database: whose they are, the row, the conversation and the event. */
import { segment } from '@parley/contract/channels/sms.ts';
import { messageCreated } from '@parley/contract/messages.ts';
import { parseNumber } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db.ts';
import { emitSelected } from '../kernel/events.ts';
import { conversationOf, messageColumns } from './columns.ts';
import { touchConversation } from './conversations.ts';
import { timelineTime } from './fold.ts';
import type { Whole } from './inbound_parts.ts';

export interface Owner {
  account_id: string;
  sender_id: string;
  code: string;
  currency: string;
  country: string;
}

export type Received = Whole & Owner;

export interface Stored extends Received {
  id: string;
  number: string;
}

/** By channel and address. */
export async function ownersOf(tx: Tx, whole: readonly Whole[]): Promise<Map<string, Owner>> {
  if (whole.length === 0) return new Map();
  const rows = await tx.rows<Owner & { channel: string; address: string }>(sql`
    select i.channel, i.address, i.account_id, i.sender_id, s.code, a.currency, a.country_code as country
    from unnest(${whole.map(({ channel }) => channel)}::text[], ${whole.map(({ to }) => to)}::text[]) as t(channel, address)
    join inbound_addresses i on i.channel = t.channel and i.address = t.address
    join senders s on s.account_id = i.account_id and s.id = i.sender_id
    join accounts a on a.id = i.account_id`);
  return new Map(rows.map((row) => [`${row.channel} ${row.address}`, row]));
}

export async function storeReceived(tx: Tx, received: readonly Received[]): Promise<Stored[]> {
  if (received.length === 0) return [];
  const stored = received.map((one) => ({ ...one, id: newId(), number: one.from }));
  await insert(tx, stored);
  await touchConversation(
    tx,
    stored.map((one) => ({ ...one, direction: 'MO', status: 'received', source: 'phone', create_date: tx.now })),
  );
  await emitSelected(
    tx,
    messageCreated,
    sql`
      select m.account_id, t.event_id as id, (select row_to_json(told) from (select ${messageColumns}, ${conversationOf}) told) as payload,
             true as live
      from unnest(${stored.map((one) => one.account_id)}::uuid[], ${stored.map(({ id }) => id)}::uuid[],
                  ${stored.map(() => newId())}::uuid[]) as t(account_id, id, event_id)
      join messages m on m.account_id = t.account_id and m.id = t.id`,
  );
  return stored;
}

const insert = (tx: Tx, stored: readonly Stored[]) => {
  const of = <T>(pick: (one: Stored) => T): T[] => stored.map(pick);
  const entry = [{ at: timelineTime(tx.now), status: 'received', source: 'carrier' }];
  const sizes = stored.map(({ text }) => segment(text));
  return tx.run(sql`
    insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text, segments_count,
                          encoding, currency, charge, source, connection_id, timeline, create_date, update_date)
    select account_id, id, 'MO', channel, 'received', sender_id, number, code, number, country, text, parts, encoding, currency, 'none',
           'phone', connection_id, ${JSON.stringify(entry)}::jsonb, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(
      ${of((one) => one.account_id)}::uuid[], ${of(({ id }) => id)}::uuid[], ${of(({ channel }) => channel)}::text[],
      ${of((one) => one.sender_id)}::uuid[], ${of(({ number }) => number)}::text[], ${of(({ code }) => code)}::text[],
      ${of(countryOf)}::text[], ${of(({ text }) => text)}::text[], ${stored.map(({ parts }, n) => Math.max(parts, sizes[n]!.segments.length))}::smallint[],
      ${sizes.map(({ encoding }) => encoding)}::text[], ${of(({ currency }) => currency)}::text[], ${of((one) => one.connection_id)}::uuid[]
    ) as t(account_id, id, channel, sender_id, number, code, country, text, parts, encoding, currency, connection_id)`);
};

// Short codes and names are of no country of their own: they can be reached only where the carrier is.
const countryOf = ({ number, country }: Stored): string => parseNumber(`+${number}`)?.country ?? country;
