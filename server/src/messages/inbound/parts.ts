/**
 * Stores parts of long inbound messages until all have arrived. The parts may arrive in any order, over any bind, and
 * at any worker.
 */
import type { Incoming } from '../../channels/channel.ts';
import { decodeText } from '../../channels/index.ts';
import { type ArrivedPayload, payloadJson, type WirePayload } from '../../channels/wire_payload.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';

/** A decoded message from a person. */
export interface InboundMessage {
  connection_id: string;
  channel: string;
  from: string;
  to: string;
  text: string;
  parts: number;
  /** Additional fields, if the carrier reports them. */
  details: Pick<
    Incoming,
    'external_id' | 'alias' | 'profile_name' | 'at' | 'content' | 'amends' | 'referral' | 'unknown'
  >;
  /** What arrived, in order, if an account records carrier payloads. */
  payloads?: readonly ArrivedPayload[];
}

interface ArrivedPart {
  connection: { id: string; adapter: string; channel: string; settings: unknown };
  incoming: Incoming;
  payload?: WirePayload | undefined;
}

/** Returns the messages that arrived whole and those that these parts completed. */
export async function joinParts(tx: Tx, arrived: readonly ArrivedPart[]): Promise<InboundMessage[]> {
  const whole = arrived.flatMap(({ connection, incoming, payload }): InboundMessage[] => {
    const { from, to, text } = incoming;
    if (text === null) return [];
    const { id: connection_id, channel } = connection;
    const payloads = payload ? { payloads: [{ at: tx.now, payload }] } : {};
    return [{ connection_id, channel, from, to, text, parts: 1, details: incoming, ...payloads }];
  });
  const parts = arrived.filter(({ incoming }) => incoming.part !== null);
  // Stores the parts one by one, because a batch may contain two parts of one message, or the same part twice.
  for (const arrivedPart of parts) await keepPart(tx, arrivedPart);
  const keys = [...new Set(parts.map(({ connection, incoming }) => `${connection.id} ${incoming.part!.key}`))];
  return keys.length === 0
    ? whole
    : [...whole, ...(await takeComplete(tx, sql`p.connection_id::text || ' ' || p.key = any(${keys}::text[])`))];
}

/** The time to wait for a missing part. */
const PART_TIMEOUT = '10 minutes';

/** Removes and returns the messages that were not completed in time, with the parts that did arrive. */
export const takeIncomplete = (tx: Tx): Promise<InboundMessage[]> =>
  takeComplete(tx, sql`p.create_date < now() - ${PART_TIMEOUT}::interval`, true);

/**
 * If the same part number arrives with a different text, the phone's reference counter has wrapped around, so the older
 * message can no longer be completed.
 */
async function keepPart(tx: Tx, { connection, incoming, payload }: ArrivedPart): Promise<void> {
  const { key, part, total, octets, coding } = incoming.part!;
  await tx.run(sql`
    insert into inbound_parts as p (connection_id, key, part, total, "from", "to", octets, coding, payload)
    values (${connection.id}, ${key}, ${part}, ${total}, ${incoming.from}, ${incoming.to}, ${octets}, ${coding},
            ${payload ? payloadJson(payload) : null}::jsonb)
    on conflict (connection_id, key, part) do update set octets = excluded.octets, coding = excluded.coding,
      payload = excluded.payload, create_date = now()
      where p.octets <> excluded.octets`);
}

interface PartRow {
  connection_id: string;
  key: string;
  part: number;
  total: number;
  from: string;
  to: string;
  octets: Buffer;
  coding: number;
  payload: WirePayload | null;
  /** When it arrived, in milliseconds. */
  arrived: number;
  adapter: string;
  channel: string;
  settings: unknown;
}

const MISSING = '[…]';

async function takeComplete(tx: Tx, condition: ReturnType<typeof sql>, incomplete = false): Promise<InboundMessage[]> {
  const rows = await tx.rows<PartRow>(sql`
    with whole as (
      select p.connection_id, p.key from inbound_parts p where ${condition}
      group by p.connection_id, p.key, p.total having ${incomplete} or count(*) = p.total
    ), taken as (
      delete from inbound_parts p using whole w where p.connection_id = w.connection_id and p.key = w.key
      returning p.*
    )
    select t.connection_id, t.key, t.part, t.total, t."from", t."to", t.octets, t.coding, t.payload,
      (extract(epoch from t.create_date) * 1000)::float8 as arrived, c.adapter, c.channel, c.settings
    from taken t join connections c on c.id = t.connection_id
    order by t.connection_id, t.key, t.part`);
  const messages = Map.groupBy(rows, (row) => `${row.connection_id} ${row.key}`);
  return [...messages.values()].map(readParts);
}

function readParts(rows: readonly PartRow[]): InboundMessage {
  const { connection_id, adapter, channel, settings, total, from, to, coding } = rows[0]!;
  const read = (octets: readonly Buffer[]) =>
    decodeText(adapter, { id: connection_id, settings }, Buffer.concat(octets), coding);
  // Adjacent parts are decoded together, because a character may be split between two parts.
  let text = '';
  let run: Buffer[] = [];
  for (let part = 1; part <= total; part++) {
    const row = rows.find((arrivedPart) => arrivedPart.part === part);
    if (row) run.push(row.octets);
    else {
      text += read(run) + (text.endsWith(MISSING) && run.length === 0 ? '' : MISSING);
      run = [];
    }
  }
  const payloads = rows.flatMap(({ arrived, payload }) => (payload ? [{ at: new Date(arrived), payload }] : []));
  const recorded = payloads.length > 0 ? { payloads } : {};
  return { connection_id, channel, from, to, text: text + read(run), parts: total, details: {}, ...recorded };
}
