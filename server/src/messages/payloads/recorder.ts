/**
 * Records requests to carriers and their responses, for accounts that have turned it on. Sending never waits for it:
 * the payloads are collected in memory and stored once a second, and payloads beyond the limit are dropped. Without a
 * recording, a message costs one lookup in an empty map.
 */
import { MAX_RECORDED_MESSAGES } from '@parley/contract/messages/carrier_payloads.ts';
import type { Incoming, Outgoing, Report } from '../../channels/channel.ts';
import { type ArrivedPayload, payloadJson, type WirePayload } from '../../channels/wire_payload.ts';
import { newId } from '../../kernel/clock.ts';
import { type Db, sql } from '../../kernel/db/db.ts';
import { maskArrived, maskMessage, maskPayload } from './masking.ts';

const KEEP_MS = 1_000;
const MAX_PENDING = 4_000;
/** A receipt can arrive before the response of its message is stored. */
const TRIES = 10;
/** A carrier can repeat receipts. */
const MAX_PAYLOADS = 60;

interface Pending {
  account_id: string;
  message_id: string;
  connection_id: string;
  at: Date;
  payload: WirePayload;
}

interface PendingReceipt {
  connection_id: string;
  external_id: string;
  at: Date;
  payload: WirePayload;
  tries: number;
}

interface Recorded {
  account_id: string;
  message_id: string;
  sealed_text: string | null;
  text: string;
}

interface StoredMessage {
  account_id: string;
  id: string;
  connection_id: string;
  payloads?: readonly ArrivedPayload[];
}

export class CarrierRecorder {
  private readonly db: Db;
  /** The accounts that record, with the number of messages until their recordings end. */
  private open = new Map<string, number>();
  /** True while receipts of recorded messages can arrive. */
  private isWatching = false;
  private pending: Pending[] = [];
  private receipts: PendingReceipt[] = [];
  private counts = new Map<string, number>();
  private kept_at = Number.NEGATIVE_INFINITY;
  private keeping: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.db = db;
  }

  /** Reads which accounts record, and stores what was collected. Fails if the database does. */
  keep(): Promise<void> {
    this.keeping ??= this.run().finally(() => {
      this.keeping = null;
    });
    return this.keeping;
  }

  /** For processes that see carriers only now and then. Errors do not concern the caller. */
  async keepFresh(): Promise<void> {
    if (performance.now() - this.kept_at < KEEP_MS) return;
    await this.keep().catch(() => undefined);
  }

  /** Returns the recorder of a message that is being sent, if its account records. */
  watch(connection_id: string, row: Recorded, content: Outgoing['content']): Pick<Outgoing, 'recorder'> {
    const { account_id, message_id } = row;
    if (!this.takeMessage(account_id)) return {};
    const { codes, ...masked } = maskMessage(row.text, content, row.sealed_text !== null);
    const record = (payload: WirePayload) => {
      if (this.pending.length >= MAX_PENDING) return;
      const place = { account_id, message_id, connection_id };
      this.pending.push({ ...place, at: new Date(), payload: maskPayload(payload, codes) });
    };
    return { recorder: { masked, record } };
  }

  /** Keeps the readable form of a receipt, if its message may be recorded. */
  watchReceipt(connection_id: string, { external_id }: Report, show: (() => WirePayload) | undefined): void {
    if (!this.isWatching || !show || external_id === '' || this.receipts.length >= MAX_PENDING) return;
    const payload = maskPayload(show(), []);
    this.receipts.push({ connection_id, external_id, at: new Date(), payload, tries: TRIES });
    this.keepSoon();
  }

  /** The readable form of what arrived, if an account records. The account of the message is not known yet. */
  showIncoming({ text }: Incoming, show: (() => WirePayload) | undefined): WirePayload | undefined {
    return this.open.size > 0 && show ? maskArrived(show(), text) : undefined;
  }

  /** Keeps the payloads of stored inbound messages, if their accounts record. */
  keepIncoming(messages: readonly StoredMessage[]): void {
    for (const { account_id, id: message_id, connection_id, payloads = [] } of messages) {
      if (payloads.length === 0 || !this.takeMessage(account_id)) continue;
      const place = { account_id, message_id, connection_id };
      for (const arrived of payloads.slice(0, MAX_PENDING - this.pending.length))
        this.pending.push({ ...place, ...arrived });
      this.keepSoon();
    }
  }

  /** Counts a message of the account. Returns false if the account records no more messages. */
  private takeMessage(account_id: string): boolean {
    const left = this.open.get(account_id) ?? 0;
    if (left <= 0) return false;
    this.open.set(account_id, left - 1);
    this.counts.set(account_id, (this.counts.get(account_id) ?? 0) + 1);
    return true;
  }

  private keepSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.keep().catch(() => undefined);
    }, KEEP_MS).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.keep().catch(() => undefined);
  }

  private async run(): Promise<void> {
    await this.store();
    await this.storeReceipts();
    const rows = await this.db.rows<{ account_id: string; is_open: boolean; left: number }>(sql`
      select account_id, end_date > now() as is_open, ${MAX_RECORDED_MESSAGES} - messages_count as left
      from carrier_recordings where watch_until > now()`);
    // Messages that were counted in the meantime are not in the database yet.
    const countLeft = ({ account_id, left }: (typeof rows)[number]) => left - (this.counts.get(account_id) ?? 0);
    this.open = new Map(rows.flatMap((row) => (row.is_open ? [[row.account_id, countLeft(row)] as const] : [])));
    this.isWatching = rows.length > 0;
    this.kept_at = performance.now();
    if (this.receipts.length > 0) this.keepSoon();
  }

  private async store(): Promise<void> {
    if (this.pending.length === 0) return;
    const rows = this.pending;
    const counts = [...this.counts];
    this.pending = [];
    this.counts = new Map();
    await this.db.tx(async (tx) => {
      await tx.run(sql`
        insert into carrier_payloads (account_id, id, message_id, connection_id, direction, title, fields, body, is_cut,
          create_date)
        select t.account_id, t.id, t.message_id, t.connection_id, p.direction, p.title, p.fields, p.body, p.is_cut, t.at
        from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map(({ at }) => newId(at.getTime()))}::uuid[],
                    ${rows.map((row) => row.message_id)}::uuid[], ${rows.map((row) => row.connection_id)}::uuid[],
                    ${rows.map((row) => row.at)}::timestamptz[],
                    ${rows.map(({ payload }) => payloadJson(payload))}::jsonb[])
               as t(account_id, id, message_id, connection_id, at, payload),
             jsonb_to_record(t.payload) as p(direction text, title text, fields jsonb, body text, is_cut boolean)`);
      await tx.run(sql`
        update carrier_recordings r set messages_count = r.messages_count + t.count
        from unnest(${counts.map(([id]) => id)}::uuid[], ${counts.map(([, count]) => count)}::int[])
               as t(account_id, count)
        where r.account_id = t.account_id`);
    });
  }

  /** Stores the receipts of recorded messages. A receipt without a submission is retried. */
  private async storeReceipts(): Promise<void> {
    if (this.receipts.length === 0) return;
    const rows = this.receipts;
    this.receipts = [];
    const known = await this.db.rows<{ n: number }>(sql`
      with arrived as (
        select r.n, r.id, r.connection_id, r.at, r.payload, s.account_id, s.message_id
        from unnest(${rows.map((_, n) => n)}::int[], ${rows.map(({ at }) => newId(at.getTime()))}::uuid[],
                    ${rows.map((row) => row.connection_id)}::uuid[], ${rows.map((row) => row.external_id)}::text[],
                    ${rows.map((row) => row.at)}::timestamptz[],
                    ${rows.map(({ payload }) => payloadJson(payload))}::jsonb[])
               as r(n, id, connection_id, external_id, at, payload)
        join submissions s on s.connection_id = r.connection_id and s.external_id = r.external_id
      ), stored as (
        insert into carrier_payloads (account_id, id, message_id, connection_id, direction, title, fields, body, is_cut,
          create_date)
        select a.account_id, a.id, a.message_id, a.connection_id, p.direction, p.title, p.fields, p.body, p.is_cut, a.at
        from arrived a,
             jsonb_to_record(a.payload) as p(direction text, title text, fields jsonb, body text, is_cut boolean)
        where (select count(*) from carrier_payloads c
               where c.account_id = a.account_id and c.message_id = a.message_id) between 1 and ${MAX_PAYLOADS}
      )
      select n from arrived`);
    const found = new Set(known.map(({ n }) => n));
    const rest = rows
      .filter(({ tries }, n) => !found.has(n) && tries > 1)
      .map((row) => ({ ...row, tries: row.tries - 1 }));
    this.receipts = [...rest, ...this.receipts];
  }
}
