/**
 * The income and cost of messages, by connection and country. The rows are written with the ledger entries that settle
 * the messages, in the same transaction and from the same amounts.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';

/** A message that is settled. */
export interface SettledTraffic {
  readonly channel: string;
  readonly country: string;
  readonly currency: string;
  readonly connection_id: string | null;
  readonly segments: number;
  /** The carrier's price for the message. Null: unknown, or in another currency. */
  readonly cost_micros: number | null;
}

export interface MarginEntry extends SettledTraffic {
  readonly account_id: string;
  readonly income_micros: number;
  readonly message_count: number;
}

export const NO_CONNECTION = '00000000-0000-0000-0000-000000000000';

interface Sum {
  account_id: string;
  connection_id: string;
  channel: string;
  country: string;
  currency: string;
  messages: number;
  segments: number;
  income_micros: number;
  cost_micros: number;
  uncosted_segments: number;
}

/** Rows are written in the order of their keys, so that two batches cannot deadlock. */
export async function writeMargins(tx: Tx, entries: readonly MarginEntry[]): Promise<void> {
  const sums = sumEntries(entries);
  if (sums.length === 0) return;
  const column = <T>(pick: (sum: Sum) => T): T[] => sums.map(pick);
  await tx.run(sql`
    insert into margins as m (account_id, day, connection_id, channel, country, currency, messages, segments,
                              income_micros, cost_micros, uncosted_segments)
    select account_id, (${tx.now}::timestamptz at time zone 'UTC')::date, connection_id, channel, country, currency,
           messages, segments, income, cost, uncosted
    from unnest(
      ${column((sum) => sum.account_id)}::uuid[], ${column((sum) => sum.connection_id)}::uuid[],
      ${column((sum) => sum.channel)}::text[], ${column((sum) => sum.country)}::text[],
      ${column((sum) => sum.currency)}::text[], ${column((sum) => sum.messages)}::bigint[],
      ${column((sum) => sum.segments)}::bigint[], ${column((sum) => sum.income_micros)}::bigint[],
      ${column((sum) => sum.cost_micros)}::bigint[], ${column((sum) => sum.uncosted_segments)}::bigint[]
    ) with ordinality as s(account_id, connection_id, channel, country, currency, messages, segments, income, cost,
                           uncosted, n)
    order by n
    on conflict (account_id, day, connection_id, channel, country, currency) do update set
      messages = m.messages + excluded.messages, segments = m.segments + excluded.segments,
      income_micros = m.income_micros + excluded.income_micros, cost_micros = m.cost_micros + excluded.cost_micros,
      uncosted_segments = m.uncosted_segments + excluded.uncosted_segments`);
}

function sumEntries(entries: readonly MarginEntry[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const entry of entries) {
    const { account_id, channel, country, currency } = entry;
    const connection_id = entry.connection_id ?? NO_CONNECTION;
    const key = [account_id, connection_id, channel, country, currency].join(' ');
    let sum = sums.get(key);
    if (!sum) {
      sum = {
        ...{ account_id, connection_id, channel, country, currency },
        ...{ messages: 0, segments: 0, income_micros: 0, cost_micros: 0, uncosted_segments: 0 },
      };
      sums.set(key, sum);
    }
    sum.messages += entry.message_count;
    sum.segments += entry.segments;
    sum.income_micros += entry.income_micros;
    if (entry.cost_micros === null) sum.uncosted_segments += entry.segments;
    else sum.cost_micros += entry.cost_micros;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
