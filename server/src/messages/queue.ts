/** What the gate asks of the database and writes into it: messages and their rows in the queue, in one statement for a whole batch. */
import { type Content, typeOf } from '@parley/contract/messages/content.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { empty, type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { timelineTime } from './fold.ts';
import type { Passed, Writers } from './recipients.ts';

/** Whoever wrote to this sender can be answered, whatever the numbering plans say, by any address the channel gave them. */
export async function writersTo(
  db: Queryable,
  account_id: string,
  sender_id: string,
  addresses: readonly string[],
): Promise<Writers> {
  const rows = await db.rows<{ address: string; number: string; country: string }>(sql`
    with asked as (
      select address, coalesce(c.number, address) as number
      from unnest(${addresses}::text[]) as t(address)
      left join conversations c on c.account_id = ${account_id} and c.sender_id = ${sender_id} and c.alias = t.address
    )
    select distinct on (a.address) a.address, a.number, m.country
    from asked a
    join messages m on m.account_id = ${account_id} and m.number = a.number and m.sender_id = ${sender_id} and m.direction = 'MO'
    order by a.address, m.id desc`);
  return new Map(rows.map((row) => [row.address, row]));
}

export interface Drafted {
  readonly account_id: string;
  readonly channel: string;
  readonly sender: Pick<Sender, 'id' | 'code'>;
  /** As the carrier knows the sender. */
  readonly sender_address: string;
  /** Code by person, where several numbers stand behind the sender; it is the carrier's name for them as well. */
  readonly origins: readonly string[] | null;
  /** All of it but the purpose, which each has for itself; null for a text and nothing else. */
  readonly content: Content | null;
  readonly template_id: string | null;
  readonly source: Message['source'];
  readonly campaign_id?: string | null;
  readonly user_id?: string | null;
  readonly key_id?: string | null;
  readonly schedule?: Date | null;
  readonly payload?: string | null | undefined;
  readonly passes_stop_list?: boolean;
  readonly validity_seconds: number;
  readonly status: 'scheduled' | 'enroute';
  readonly priority: number;
  readonly currency: Message['currency'];
  readonly hold_id: string;
  readonly ids: readonly string[];
  readonly people: readonly Passed[];
}

export async function insertAccepted(tx: Tx, drafted: Drafted): Promise<void> {
  const { account_id, sender, people, origins } = drafted;
  const leaves = drafted.schedule ?? tx.now;
  const expires = new Date(leaves.getTime() + drafted.validity_seconds * 1_000);
  const timeline = [{ at: timelineTime(tx.now), status: drafted.status, source: 'gate' }];
  const { content, template_id } = drafted;
  // Most messages carry nothing, and then nothing is said of it.
  const plain = content === null && template_id === null;
  const carried = sql`, ${typeOf(content)}, ${content && JSON.stringify(content)}::jsonb || jsonb_build_object('purpose', purpose), ${template_id}::uuid`;
  await tx.run(sql`
    with person as (
      select * from unnest(
        ${drafted.ids}::uuid[], ${people.map((person) => person.number)}::text[], ${people.map((person) => person.country)}::text[],
        ${people.map((person) => person.mccmnc)}::text[], ${people.map((person) => person.text)}::text[],
        ${people.map((person) => person.segments_count)}::smallint[], ${people.map((person) => person.encoding)}::text[],
        ${people.map((person) => person.price_micros)}::bigint[], ${people.map((person) => person.connection_id)}::uuid[]
        ${plain ? empty : sql`, ${people.map((person) => person.purpose)}::text[]`}
        ${origins ? sql`, ${origins}::text[]` : empty}
      ) as p(id, number, country, mccmnc, text, segments_count, encoding, price_micros, connection_id${plain ? empty : sql`, purpose`}
             ${origins ? sql`, origin` : empty})
    ), message as (
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, mccmnc, text,
                            segments_count, encoding, price_micros, currency, charge, hold_id, source, campaign_id, user_id, key_id,
                            payload, schedule, expire_date, connection_id, timeline, create_date, update_date
                            ${plain ? empty : sql`, type, content, template_id`})
      select ${account_id}::uuid, id, 'MT', ${drafted.channel}, ${drafted.status}, ${sender.id}::uuid, ${origins ? sql`origin` : sql`${sender.code}`}, number, number,
             country, mccmnc, text, segments_count, encoding, price_micros, ${drafted.currency}, 'held', ${drafted.hold_id}::uuid,
             ${drafted.source}, ${drafted.campaign_id ?? null}::uuid, ${drafted.user_id ?? null}::uuid, ${drafted.key_id ?? null}::uuid,
             ${drafted.payload ?? null}, ${drafted.schedule ?? null}::timestamptz, ${expires}::timestamptz, connection_id,
             ${JSON.stringify(timeline)}::jsonb, ${tx.now}::timestamptz, ${tx.now}::timestamptz
             ${plain ? empty : carried}
      from person
    )
    insert into dispatch (account_id, message_id, connection_id, channel, priority, not_before, expire_date, number, sender_address,
                          passes_stop_list)
    select ${account_id}::uuid, id, connection_id, ${drafted.channel}, ${drafted.priority}::smallint, ${leaves}::timestamptz,
           ${expires}::timestamptz, number, ${origins ? sql`origin` : sql`${drafted.sender_address}`}, ${drafted.passes_stop_list ?? false}::boolean
    from person`);
}
