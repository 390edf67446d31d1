/** Parts of long messages from people, kept until all are there. They come in any order, over any line, to any worker. */
import type { Incoming } from '../channels/channel.ts';
import { decodeText } from '../channels/index.ts';
import { sql, type Tx } from '../kernel/db/db.ts';

/** A message of a person, read. */
export interface Whole {
  connection_id: string;
  channel: string;
  from: string;
  to: string;
  text: string;
  parts: number;
  /** What the carrier tells besides, where it does. */
  told: Pick<Incoming, 'external_id' | 'alias' | 'profile_name' | 'at' | 'content'>;
}

interface Arrived {
  connection: { id: string; adapter: string; channel: string; settings: unknown };
  incoming: Incoming;
}

/** What is whole already, and what these parts completed. */
export async function joinParts(tx: Tx, arrived: readonly Arrived[]): Promise<Whole[]> {
  const whole = arrived.flatMap(({ connection, incoming }): Whole[] => {
    const { from, to, text } = incoming;
    if (text === null) return [];
    return [{ connection_id: connection.id, channel: connection.channel, from, to, text, parts: 1, told: incoming }];
  });
  const parts = arrived.filter(({ incoming }) => incoming.part !== null);
  // One by one: two of the same message, or the same one twice, may stand in one batch.
  for (const one of parts) await keepPart(tx, one);
  const keys = [...new Set(parts.map(({ connection, incoming }) => `${connection.id} ${incoming.part!.key}`))];
  return keys.length === 0
    ? whole
    : [...whole, ...(await takeWhole(tx, sql`p.connection_id::text || ' ' || p.key = any(${keys}::text[])`))];
}

/** How long the missing part of a message is waited for. */
const PATIENCE = '10 minutes';

/** What never became whole: told as far as it came. */
export const takeIncomplete = (tx: Tx): Promise<Whole[]> =>
  takeWhole(tx, sql`p.create_date < now() - ${PATIENCE}::interval`, true);

// Another text under the same number: the person's phone has counted round, and the older message will not be completed any more.
async function keepPart(tx: Tx, { connection, incoming }: Arrived): Promise<void> {
  const { key, part, total, octets, coding } = incoming.part!;
  await tx.run(sql`
    insert into inbound_parts as p (connection_id, key, part, total, "from", "to", octets, coding)
    values (${connection.id}, ${key}, ${part}, ${total}, ${incoming.from}, ${incoming.to}, ${octets}, ${coding})
    on conflict (connection_id, key, part) do update set octets = excluded.octets, coding = excluded.coding, create_date = now()
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
  adapter: string;
  channel: string;
  settings: unknown;
}

const MISSING = '[…]';

async function takeWhole(tx: Tx, which: ReturnType<typeof sql>, incomplete = false): Promise<Whole[]> {
  const rows = await tx.rows<PartRow>(sql`
    with whole as (
      select p.connection_id, p.key from inbound_parts p where ${which}
      group by p.connection_id, p.key, p.total having ${incomplete} or count(*) = p.total
    ), taken as (
      delete from inbound_parts p using whole w where p.connection_id = w.connection_id and p.key = w.key
      returning p.*
    )
    select t.connection_id, t.key, t.part, t.total, t."from", t."to", t.octets, t.coding, c.adapter, c.channel, c.settings
    from taken t join connections c on c.id = t.connection_id
    order by t.connection_id, t.key, t.part`);
  const messages = Map.groupBy(rows, (row) => `${row.connection_id} ${row.key}`);
  return [...messages.values()].map(readParts);
}

function readParts(rows: readonly PartRow[]): Whole {
  const { connection_id, adapter, channel, settings, total, from, to, coding } = rows[0]!;
  const read = (octets: readonly Buffer[]) =>
    decodeText(adapter, { id: connection_id, settings }, Buffer.concat(octets), coding);
  // Runs of neighbours are read together, since a letter may be cut in two.
  let text = '';
  let run: Buffer[] = [];
  for (let part = 1; part <= total; part++) {
    const row = rows.find((one) => one.part === part);
    if (row) run.push(row.octets);
    else {
      text += read(run) + (text.endsWith(MISSING) && run.length === 0 ? '' : MISSING);
      run = [];
    }
  }
  return { connection_id, channel, from, to, text: text + read(run), parts: total, told: {} };
}
