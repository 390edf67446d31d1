/**
 * Messages of people: stored with their conversation, their event and what a keyword in them does, in one transaction; the carrier is told "taken" only
 * after it. What it delivers again after a lost line is recognised, long messages are put together here, and nothing is dropped in silence.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Incoming } from '../channels/channel.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { metrics } from '../kernel/metrics.ts';
import { Gather } from './gather.ts';
import { joinParts, type Whole } from './inbound_parts.ts';
import { type Owned, ownersOf, storeReceived } from './inbound_store.ts';
import { keywordOf, obeyKeyword } from './keywords.ts';
import type { ConnectionRow } from './lines.ts';
import { idOfTime, toldTime } from './told_time.ts';
import { nameWriters } from './writers.ts';

export interface ArrivedIncoming {
  connection: ConnectionRow;
  incoming: Incoming;
}

const BATCH = 200;
const WAIT_MS = 5;
/** A carrier that waited this long for our answer may have asked again over the same line. */
const IMPATIENT_MS = 5_000;

const unknownAddress = metrics.counter(
  'inbound_unknown_address_total',
  'Messages of people to an address that belongs to nobody',
);

export class InboundIntake {
  private readonly kernel: Kernel;
  private readonly gather: Gather<ArrivedIncoming>;
  private readonly pending = new Map<string, { since: number; stored: Promise<void> }>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.gather = new Gather((arrived) => this.store(arrived), { wait_ms: WAIT_MS, enough: BATCH, max: BATCH });
  }

  take(connection: ConnectionRow, incoming: Incoming): Promise<void> {
    const key = `${incoming.session} ${incoming.digest.toString('base64')}`;
    const earlier = this.pending.get(key);
    if (earlier && performance.now() - earlier.since > IMPATIENT_MS) return earlier.stored;
    const stored = this.gather.add({ connection, incoming });
    this.pending.set(key, { since: performance.now(), stored });
    const forget = () => {
      if (this.pending.get(key)?.stored === stored) this.pending.delete(key);
    };
    stored.then(forget, forget);
    return stored;
  }

  idle(): Promise<void> {
    return this.gather.idle();
  }

  private async store(arrived: readonly ArrivedIncoming[]): Promise<void> {
    const strangers = await this.kernel.db.tx(async (tx) => {
      const fresh = await unseen(tx, arrived);
      return receive(tx, await joinParts(tx, fresh));
    }, 'by index');
    failpoint('before_inbound_ack');
    tell(this.kernel, strangers);
  }
}

/** Returns those to an address nobody has. */
export async function receive(tx: Tx, whole: readonly Whole[]): Promise<Whole[]> {
  const owners = await ownersOf(tx, whole);
  const owned = whole.flatMap((message, n): Owned[] => {
    const owner = owners[n];
    const written = toldTime(message.told.at, tx.now);
    return owner ? [{ ...message, ...owner, id: idOfTime(written, tx.now), written }] : [];
  });
  const stored = await storeReceived(tx, await nameWriters(tx, await firstTime(tx, owned)));
  for (const { id, account_id, sender_id, channel, number, text, told, written } of stored) {
    const keyword = keywordOf(text, Boolean(told.content?.pressed));
    const message = { account_id, message_id: id, channel: channel as ChannelName, sender_id, number, text, written };
    if (keyword) await obeyKeyword(tx, keyword, message);
  }
  return whole.filter((_, n) => !owners[n]);
}

export function tell(kernel: Kernel, strangers: readonly Whole[]): void {
  for (const { connection_id, from, to } of strangers) {
    unknownAddress.inc();
    kernel.log.warn({ connection_id, from, to }, 'a message to an address that belongs to nobody');
  }
}

/** By the carrier's own id of a message, which never repeats: kept beside those of our messages, and for as long. */
async function firstTime(tx: Tx, owned: readonly Owned[]): Promise<Owned[]> {
  const named = new Map<string, Owned>();
  for (const one of owned) if (one.told.external_id && !named.has(keyOf(one))) named.set(keyOf(one), one);
  if (named.size === 0) return [...owned];
  const of = <T>(pick: (one: Owned) => T): T[] => [...named.values()].map(pick);
  const fresh = await tx.rows<{ message_id: string }>(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
    select *, 1, 1 from unnest(
      ${of((one) => one.connection_id)}::uuid[], ${of((one) => one.told.external_id!)}::text[], ${of((one) => one.account_id)}::uuid[],
      ${of(({ id }) => id)}::uuid[]) as t
    on conflict do nothing
    returning message_id`);
  const ids = new Set(fresh.map(({ message_id }) => message_id));
  return owned.filter((one) => !one.told.external_id || ids.has(one.id));
}

const keyOf = (one: Owned): string => `${one.connection_id} ${one.told.external_id}`;

/**
 * The same octets on another line, whose own has ended, within five minutes: the carrier never saw our answer. On one line, or on two that are both
 * up, a person has said the same thing twice.
 */
async function unseen(tx: Tx, all: readonly ArrivedIncoming[]): Promise<ArrivedIncoming[]> {
  const [named, arrived] = [all.filter(isNamed), all.filter((one) => !isNamed(one))];
  return arrived.length === 0 ? named : [...named, ...(await unseenOctets(tx, arrived))];
}

const isNamed = ({ incoming }: ArrivedIncoming): boolean => Boolean(incoming.external_id);

async function unseenOctets(tx: Tx, arrived: readonly ArrivedIncoming[]): Promise<ArrivedIncoming[]> {
  const of = <T>(pick: (one: ArrivedIncoming) => T): T[] => arrived.map(pick);
  const again = await tx.rows<{ n: number }>(sql`
    with given as materialized (
      select * from unnest(${of(({ connection }) => connection.id)}::uuid[], ${of(({ incoming }) => incoming.digest)}::bytea[],
                           ${of(({ incoming }) => incoming.session)}::uuid[]) with ordinality as g(connection_id, digest, session, n)
    ), repeated as (
      select distinct on (g.n) g.n, g.session, s.connection_id, s.digest, s.create_date
      from given g join inbound_seen s on s.connection_id = g.connection_id and s.digest = g.digest
      where s.session <> g.session and s.create_date > now() - interval '5 minutes'
        and not exists (select from binds b where b.connection_id = s.connection_id and b.session = s.session and b.lease_until > now())
      order by g.n, s.create_date
    ), answered as (
      -- This time the answer goes out on the new line; what comes there later is new.
      update inbound_seen s set session = r.session from repeated r
      where s.connection_id = r.connection_id and s.digest = r.digest and s.create_date = r.create_date
    ), noted as (
      insert into inbound_seen (connection_id, digest, session, create_date)
      select connection_id, digest, session, clock_timestamp() + n * interval '1 microsecond' from given
      where n not in (select n from repeated)
    )
    select (n - 1)::int as n from repeated`);
  const seen = new Set(again.map(({ n }) => n));
  return arrived.filter((_, n) => !seen.has(n));
}
