/**
 * Stores inbound messages with their conversation, event, and keyword effects in one transaction, and acknowledges them
 * only after the commit. Messages repeated after a lost bind are recognized, long messages are joined here, and no
 * message is lost silently.
 */
import type { Incoming } from '../../channels/channel.ts';
import type { WirePayload } from '../../channels/wire_payload.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { metrics } from '../../kernel/metrics.ts';
import { Batcher } from '../model/batcher.ts';
import type { ConnectionRow } from '../model/connection_row.ts';
import { idForTime, reportedTime } from '../model/reported_time.ts';
import type { CarrierRecorder } from '../payloads/recorder.ts';
import { resolveNumbers } from '../thread/aliases.ts';
import { applyChanges } from './amendments.ts';
import { applyKeywords } from './keywords.ts';
import { type InboundMessage, joinParts, takeIncomplete } from './parts.ts';
import { findOwners, type OwnedMessage, storeReceived } from './store.ts';

interface ArrivedMessage {
  connection: ConnectionRow;
  incoming: Incoming;
  payload: WirePayload | undefined;
}

const BATCH = 200;
const WAIT_MS = 5;
/** If a carrier has waited this long for our response, it may have repeated the message on the same bind. */
const CARRIER_RETRY_MS = 5_000;

const unknownAddress = metrics.counter('inbound_unknown_address_total', 'Inbound messages to an unknown address');

export class InboundIntake {
  private readonly kernel: Kernel;
  private readonly recorder: CarrierRecorder | undefined;
  private readonly batcher: Batcher<ArrivedMessage>;
  private readonly pending = new Map<string, { since: number; stored: Promise<void> }>();

  constructor(kernel: Kernel, recorder?: CarrierRecorder) {
    this.kernel = kernel;
    this.recorder = recorder;
    this.batcher = new Batcher((arrived) => this.store(arrived), { wait_ms: WAIT_MS, flush_at: BATCH, max: BATCH });
  }

  /** `show` builds the readable form of what arrived. */
  add(connection: ConnectionRow, incoming: Incoming, show?: () => WirePayload): Promise<void> {
    const key = `${incoming.session} ${incoming.digest.toString('base64')}`;
    const earlier = this.pending.get(key);
    if (earlier && performance.now() - earlier.since > CARRIER_RETRY_MS) return earlier.stored;
    const stored = this.batcher.add({ connection, incoming, payload: this.recorder?.showIncoming(incoming, show) });
    this.pending.set(key, { since: performance.now(), stored });
    const forget = () => {
      if (this.pending.get(key)?.stored === stored) this.pending.delete(key);
    };
    stored.then(forget, forget);
    return stored;
  }

  idle(): Promise<void> {
    return this.batcher.idle();
  }

  /** Stores the messages whose missing parts did not arrive in time. */
  storeIncomplete(): Promise<void> {
    return this.receive(takeIncomplete);
  }

  private async store(arrived: readonly ArrivedMessage[]): Promise<void> {
    await this.receive(async (tx) => joinParts(tx, await dropRepeated(tx, arrived)));
    failpoint('before_inbound_ack');
  }

  private async receive(read: (tx: Tx) => Promise<InboundMessage[]>): Promise<void> {
    let stored: readonly OwnedMessage[] = [];
    const unowned = await this.kernel.db.tx(
      async (tx) =>
        receiveMessages(tx, await read(tx), (messages) => {
          stored = messages;
        }),
      'by index',
    );
    this.recorder?.keepIncoming(stored);
    logUnknownAddresses(this.kernel, unowned);
  }
}

/** Returns the messages to addresses that belong to no sender. `onStored` gets the others as they are stored. */
export async function receiveMessages(
  tx: Tx,
  messages: readonly InboundMessage[],
  onStored?: (messages: readonly OwnedMessage[]) => void,
): Promise<InboundMessage[]> {
  const owners = await findOwners(tx, messages);
  const owned = messages.flatMap((message, n): OwnedMessage[] => {
    const owner = owners[n];
    const written_at = reportedTime(message.details.at, tx.now);
    return owner ? [{ ...message, ...owner, id: idForTime(written_at, tx.now), written_at }] : [];
  });
  const isMessage = ({ details }: OwnedMessage) => details.amends === undefined;
  const stored = await storeOwned(tx, owned.filter(isMessage));
  // Changes are applied after new messages, because a message and its change may arrive together.
  const changes = await resolveNumbers(
    tx,
    owned.filter((message) => !isMessage(message)),
  );
  stored.push(...(await storeOwned(tx, await applyChanges(tx, changes))));
  await applyKeywords(
    tx,
    stored.map(({ details, ...message }) => ({ ...message, pressed: Boolean(details.content?.pressed) })),
  );
  onStored?.(stored);
  return messages.filter((_, n) => !owners[n]);
}

const storeOwned = async (tx: Tx, owned: readonly OwnedMessage[]) =>
  storeReceived(tx, await resolveNumbers(tx, await dropKnownIds(tx, owned)));

function logUnknownAddresses(kernel: Kernel, unowned: readonly InboundMessage[]): void {
  for (const { connection_id, from, to } of unowned) {
    unknownAddress.inc();
    kernel.log.warn({ connection_id, from, to }, 'received a message to an unknown address');
  }
}

/**
 * Drops messages whose carrier id is already stored. Carrier ids never repeat; they are stored with the carrier ids of
 * our own messages and kept for as long.
 */
async function dropKnownIds(tx: Tx, owned: readonly OwnedMessage[]): Promise<OwnedMessage[]> {
  const byCarrierId = new Map<string, OwnedMessage>();
  for (const message of owned) {
    const key = carrierKey(message);
    if (message.details.external_id && !byCarrierId.has(key)) byCarrierId.set(key, message);
  }
  if (byCarrierId.size === 0) return [...owned];
  const column = <T>(pick: (message: OwnedMessage) => T): T[] => [...byCarrierId.values()].map(pick);
  const fresh = await tx.rows<{ message_id: string }>(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
    select *, 1, 1 from unnest(
      ${column((message) => message.connection_id)}::uuid[],
      ${column((message) => message.details.external_id!)}::text[], ${column((message) => message.account_id)}::uuid[],
      ${column(({ id }) => id)}::uuid[]) as t
    on conflict do nothing
    returning message_id`);
  const ids = new Set(fresh.map(({ message_id }) => message_id));
  return owned.filter((message) => !message.details.external_id || ids.has(message.id));
}

const carrierKey = (message: OwnedMessage): string => `${message.connection_id} ${message.details.external_id}`;

/**
 * Drops a message if another bind, which has since ended, delivered the same octets within the last five minutes: the
 * carrier never got our response. If both copies arrived on one bind, or on two binds that are up, the person wrote the
 * same text twice.
 */
async function dropRepeated(tx: Tx, all: readonly ArrivedMessage[]): Promise<ArrivedMessage[]> {
  const identified = all.filter(hasCarrierId);
  const others = all.filter((message) => !hasCarrierId(message));
  return others.length === 0 ? identified : [...identified, ...(await dropRepeatedOctets(tx, others))];
}

const hasCarrierId = ({ incoming }: ArrivedMessage): boolean => Boolean(incoming.external_id);

async function dropRepeatedOctets(tx: Tx, arrived: readonly ArrivedMessage[]): Promise<ArrivedMessage[]> {
  const column = <T>(pick: (message: ArrivedMessage) => T): T[] => arrived.map(pick);
  const repeated = await tx.rows<{ n: number }>(sql`
    with arrived as materialized (
      select * from unnest(${column(({ connection }) => connection.id)}::uuid[],
                           ${column(({ incoming }) => incoming.digest)}::bytea[],
                           ${column(({ incoming }) => incoming.session)}::uuid[]) with ordinality
                             as g(connection_id, digest, session, n)
    ), repeated as (
      select distinct on (g.n) g.n, g.session, s.connection_id, s.digest, s.create_date
      from arrived g join inbound_digests s on s.connection_id = g.connection_id and s.digest = g.digest
      where s.session <> g.session and s.create_date > now() - interval '5 minutes'
        and not exists (select from binds b where b.connection_id = s.connection_id and b.session = s.session
          and b.lease_until > now())
      order by g.n, s.create_date
    ), moved as (
      -- The response goes out on the new bind this time; later messages there are new.
      update inbound_digests s set session = r.session from repeated r
      where s.connection_id = r.connection_id and s.digest = r.digest and s.create_date = r.create_date
    ), inserted as (
      insert into inbound_digests (connection_id, digest, session, create_date)
      select connection_id, digest, session, clock_timestamp() + n * interval '1 microsecond' from arrived
      where n not in (select n from repeated)
    )
    select (n - 1)::int as n from repeated`);
  const indexes = new Set(repeated.map(({ n }) => n));
  return arrived.filter((_, n) => !indexes.has(n));
}
