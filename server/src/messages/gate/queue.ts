/** Inserts accepted messages with their queue rows, one statement per batch. */
import { channelsWith } from '@parley/contract/channels/index.ts';
import { type Content, contentMessageType } from '@parley/contract/messages/content.ts';
import type { BatchDecision } from '@parley/contract/messages/decisions.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import type { TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { trafficFrom } from '../../guard/guard.ts';
import { idAt } from '../../kernel/clock.ts';
import { empty, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { timelineTime } from '../model/status_fold.ts';
import { PRIORITY } from '../model/traffic_class.ts';
import type { KnownAddresses, Passed } from './recipients.ts';

const OTHER_ADDRESSES = channelsWith(({ other_addresses }) => other_addresses);

/**
 * Finds the people who have written to this sender from any address, and those whose ID on its channel the account has
 * stored. They can receive messages even if their address is not a phone number.
 */
export async function findKnownAddresses(
  db: Queryable,
  account_id: string,
  sender_id: string,
  addresses: readonly string[],
): Promise<KnownAddresses> {
  const rows = await db.rows<{ address: string; number: string; country: string }>(sql`
    with requested as (
      select address, coalesce(c.number, address) as number
      from unnest(${addresses}::text[]) as t(address)
      left join conversations c on c.account_id = ${account_id} and c.sender_id = ${sender_id} and c.alias = t.address
    )
    select distinct on (address) address, number, country from (
      select a.address, a.number, m.country, 1 as place, m.id
      from requested a
      join messages m on m.account_id = ${account_id} and m.number = a.number and m.sender_id = ${sender_id}
        and m.direction = 'MO'
      union all
      select a.address, p.number, p.country, 2, p.id
      from requested a
      join senders s on s.account_id = ${account_id} and s.id = ${sender_id}
      join person_numbers n on n.account_id = ${account_id} and n.number = a.address and n.channel = s.channel
      join people p on p.account_id = n.account_id and p.id = n.person_id
      where s.channel = any(${OTHER_ADDRESSES}::text[])
    ) known
    order by address, place, id desc`);
  return new Map(rows.map((row) => [row.address, row]));
}

/** When the message to one person may be sent. */
export interface SendSlot {
  readonly not_before: Date;
  /** The windows as a multirange; null if there are none. */
  readonly windows: string | null;
}

export interface AcceptedBatch {
  readonly account_id: string;
  readonly channel: string;
  readonly sender: Pick<Sender, 'id' | 'code'>;
  /** The sender's address at the carrier. */
  readonly sender_address: string;
  /** For each person, the code of the pool member that sends the message. The carrier uses the same code. */
  readonly origins: readonly string[] | null;
  /** The content without the purpose, which may differ for each person; null for plain text. */
  readonly content: Content | null;
  /** The content for each person; null if all have the same content. */
  readonly contents: readonly (Content | null)[] | null;
  readonly template_id: string | null;
  /** For each person, whether they get a text instead of the template; null if all get the same. */
  readonly in_session?: readonly boolean[] | null;
  readonly source: Message['source'];
  readonly campaign_id?: string | null;
  readonly user_id?: string | null;
  readonly key_id?: string | null;
  readonly address?: string | null;
  readonly schedule?: Date | null;
  readonly payload?: string | null | undefined;
  /** The payload of each person, if they differ. */
  readonly payloads?: readonly (string | null)[] | null;
  readonly passes_stop_list?: boolean;
  /** The slot of each person; null: all messages may be sent immediately. */
  readonly slots: readonly SendSlot[] | null;
  readonly validity_seconds: number;
  readonly status: 'scheduled' | 'enroute';
  /** A single message belongs to a conversation if its recipient has recently written to the sender. */
  readonly traffic_class: TrafficClass;
  readonly currency: Message['currency'];
  readonly hold_id: string;
  /** Why the messages were accepted. */
  readonly decision: BatchDecision;
  readonly ids: readonly string[];
  readonly people: readonly Passed[];
  /** The code that the messages carry. `content` and the texts of `people` are masked. */
  readonly code?: string | undefined;
  readonly tracks_code?: boolean;
  /** The real texts and contents, if the messages carry a code. */
  readonly sealed: { readonly texts: readonly string[]; readonly contents: readonly (string | null)[] } | null;
}

/** A message belongs to a conversation for this long after an inbound message from its recipient. */
const CONVERSATION_MS = 86_400_000;

/** Returns an expression for the priority of the queue row of `person`, which needs no separate statement. */
function selectPriority(tx: Tx, { account_id, sender, traffic_class }: AcceptedBatch): Sql {
  if (traffic_class !== 'single') return sql`${PRIORITY[traffic_class]}::smallint`;
  return sql`(case when exists (
      select from messages r
      where r.account_id = ${account_id} and r.number = person.number and r.sender_id = ${sender.id}
        and r.direction = 'MO' and r.id >= ${idAt(tx.now.getTime() - CONVERSATION_MS)}
    ) then ${PRIORITY.conversation}::smallint else ${PRIORITY.single}::smallint end)`;
}

export async function insertAccepted(tx: Tx, batch: AcceptedBatch): Promise<void> {
  const { account_id, sender, people, origins, sealed, contents, payloads, slots, tracks_code = false } = batch;
  const sendDate = batch.schedule ?? tx.now;
  const expires = new Date(sendDate.getTime() + batch.validity_seconds * 1_000);
  const timeline = [{ at: timelineTime(tx.now), status: batch.status, source: 'gate' }];
  const { content, template_id, in_session = null } = batch;
  const type = contentMessageType(content);
  // Most messages are plain text and need none of these columns.
  const isCounted = people.some(({ volume_id }) => volume_id !== undefined);
  const isPlain = content === null && template_id === null;
  const json = contents ? sql`personal_content` : sql`${content && JSON.stringify(content)}::jsonb`;
  const extra = sql`
             , ${in_session ? sql`case when in_session then 'text' else ${type} end` : type},
               ${json} || jsonb_build_object('purpose', purpose),
               ${in_session ? sql`case when not in_session then ${template_id}::uuid end` : sql`${template_id}::uuid`}`;
  await tx.run(sql`
    with person as (
      select * from unnest(
        ${batch.ids}::uuid[], ${people.map((person) => person.number)}::text[],
        ${people.map((person) => person.country)}::text[], ${people.map((person) => person.mccmnc)}::text[],
        ${people.map((person) => person.text)}::text[], ${people.map((person) => person.segments_count)}::smallint[],
        ${people.map((person) => person.encoding)}::text[], ${people.map((person) => person.price_micros)}::bigint[],
        ${people.map((person) => person.connection_id)}::uuid[]
        ${isPlain ? empty : sql`, ${people.map((person) => person.purpose)}::text[]`}
        ${origins ? sql`, ${origins}::text[]` : empty}
        ${sealed ? sql`, ${sealed.texts}::text[], ${sealed.contents}::text[]` : empty}
        ${contents ? sql`, ${contents.map((own) => JSON.stringify(own))}::jsonb[]` : empty}
        ${payloads ? sql`, ${payloads}::text[]` : empty}
        ${in_session ? sql`, ${in_session}::boolean[]` : empty}
        ${isCounted ? volumeColumns(people) : empty}
        ${slots ? slotColumns(slots) : empty}
      ) as p(id, number, country, mccmnc, text, segments_count, encoding, price_micros,
      connection_id${isPlain ? empty : sql`, purpose`}
             ${origins ? sql`, origin` : empty}${sealed ? sql`, sealed_text, sealed_content` : empty}
             ${contents ? sql`, personal_content` : empty}${payloads ? sql`, payload` : empty}
             ${in_session ? sql`, in_session` : empty}${isCounted ? sql`, volume_id, volume_start` : empty}
             ${slots ? sql`, not_before, windows` : empty})
    ), message as (
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
                            mccmnc, text, segments_count, encoding, price_micros, currency, charge, hold_id, source,
                            campaign_id, user_id, key_id, payload, schedule, expire_date, connection_id, timeline,
                            create_date, update_date${tracks_code ? sql`, verification_status` : empty}
                            ${isCounted ? sql`, volume_id, volume_start` : empty}
                            ${isPlain ? empty : sql`, type, content, template_id`})
      select ${account_id}::uuid, id, 'MT', ${batch.channel}, ${batch.status}, ${sender.id}::uuid,
             ${origins ? sql`origin` : sql`${sender.code}`}, number, number, country, mccmnc, text, segments_count,
             encoding, price_micros, ${batch.currency}, 'held', ${batch.hold_id}::uuid, ${batch.source},
             ${batch.campaign_id ?? null}::uuid, ${batch.user_id ?? null}::uuid, ${batch.key_id ?? null}::uuid,
             ${payloads ? sql`payload` : sql`${batch.payload ?? null}`},
             ${batch.schedule ?? null}::timestamptz, ${expires}::timestamptz,
             connection_id, ${JSON.stringify(timeline)}::jsonb, ${tx.now}::timestamptz, ${tx.now}::timestamptz
             ${tracks_code ? sql`, 'pending'` : empty}${isCounted ? sql`, volume_id, volume_start` : empty}
             ${isPlain ? empty : extra}
      from person
    ), decision as (
      insert into message_decisions (account_id, hold_id, decision)
      values (${account_id}::uuid, ${batch.hold_id}::uuid, ${JSON.stringify(batch.decision)}::jsonb)
    ) ${countedLater(batch)}
    insert into dispatch (account_id, message_id, connection_id, channel, priority, not_before, expire_date, number,
                          sender_address, passes_stop_list${sealed ? sql`, sealed_text, sealed_content` : empty}
                          ${slots ? sql`, windows` : empty})
    select ${account_id}::uuid, id, connection_id, ${batch.channel}, ${selectPriority(tx, batch)},
           ${slots ? sql`not_before` : sql`${sendDate}::timestamptz`}, ${expires}::timestamptz, number,
           ${origins ? sql`origin` : sql`${batch.sender_address}`}, ${batch.passes_stop_list ?? false}::boolean
           ${sealed ? sql`, sealed_text, sealed_content` : empty}${slots ? sql`, windows::tstzmultirange` : empty}
    from person`);
}

/** Leaves a row from which the guard counts the messages by destination (guard/pumping/detect.ts). */
function countedLater({ account_id, hold_id, source, ids }: AcceptedBatch): Sql {
  const traffic = trafficFrom(source);
  if (traffic === null) return empty;
  const first_id = ids.reduce((least, id) => (id < least ? id : least));
  const last_id = ids.reduce((greatest, id) => (id > greatest ? id : greatest));
  return sql`, counted as (
      insert into traffic_batches (account_id, hold_id, first_id, last_id, traffic)
      values (${account_id}::uuid, ${hold_id}::uuid, ${first_id}::uuid, ${last_id}::uuid, ${traffic})
    )`;
}

const slotColumns = (slots: readonly SendSlot[]): Sql =>
  sql`, ${slots.map(({ not_before }) => not_before)}::timestamptz[], ${slots.map(({ windows }) => windows)}::text[]`;

const volumeColumns = (people: readonly Passed[]): Sql => sql`,
  ${people.map(({ volume_id = null }) => volume_id)}::uuid[],
  ${people.map(({ volume_start = null }) => volume_start)}::bigint[]`;
