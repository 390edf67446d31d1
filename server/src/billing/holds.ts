/**
 * Money set aside for messages: held at acceptance, one hold for a batch, closed message by message — settled or released, never both. Who
 * closes which message, and that it happens once, is decided by messages/status.ts; the sums here refuse to go below zero.
 * A caller takes its other locks first: the row of a balance is the busiest of all and should be held for the end of a transaction only.
 */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db.ts';
import { announceBalance, type BalanceRow, balanceColumns } from './balance.ts';

export interface HoldRequest {
  /** For callers that write the hold's id before they open it, to keep the balance locked for less time. */
  readonly id?: string;
  readonly account_id: string;
  /** Zero is a hold too: every message has one. */
  readonly amount_micros: number;
  readonly message_count: number;
  readonly campaign_id?: string | null;
  readonly note?: string;
}

/** Refused with 7909 when the balance would fall below the credit limit. */
export async function openHold(tx: Tx, hold: HoldRequest): Promise<string> {
  const id = hold.id ?? newId();
  const { account_id, amount_micros, message_count, campaign_id = null, note = '' } = hold;
  const balance = await tx.maybeOne<BalanceRow>(sql`
    with b as (
      update balances set
        available_micros = available_micros - ${amount_micros}::bigint,
        held_micros = held_micros + ${amount_micros}::bigint,
        update_date = ${tx.now}
      where account_id = ${account_id} and available_micros - ${amount_micros}::bigint >= -credit_limit_micros
      returning *
    ), hold as (
      insert into holds (account_id, id, campaign_id, amount_micros, open_micros, message_count, create_date)
      select account_id, ${id}::uuid, ${campaign_id}::uuid, ${amount_micros}::bigint, ${amount_micros}::bigint,
             ${message_count}::int, ${tx.now}::timestamptz
      from b
    ), entry as (
      insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, hold_id, campaign_id, message_count,
                          available_after_micros, held_after_micros, note, create_date)
      select account_id, ${newId()}::uuid, 'available', 'held', ${amount_micros}::bigint, 'hold', ${`hold:${id}`}::text, ${id}::uuid,
             ${campaign_id}::uuid, ${message_count}::int, available_micros, held_micros, ${note}::text, ${tx.now}::timestamptz
      from b where ${amount_micros}::bigint > 0
    )
    select ${balanceColumns} from b`);
  if (!balance) throw new Problem(7909);
  if (amount_micros > 0) announceBalance(tx, balance);
  return id;
}

export interface Closing {
  readonly account_id: string;
  readonly hold_id: string;
  readonly outcome: 'settled' | 'released';
  readonly amount_micros: number;
  readonly message_count: number;
  readonly campaign_id: string | null;
}

/** One movement for each account, hold and outcome, however many messages are closed. */
export async function closeHolds(tx: Tx, closings: readonly Closing[]): Promise<void> {
  const sums = summed(closings);
  if (sums.length === 0) return;
  const balances = new Map((await moveBalances(tx, sums)).map((row) => [row.account_id, row]));
  await lowerHolds(tx, sums);
  await writeEntries(tx, entriesOf(sums, balances));
  for (const balance of balances.values()) announceBalance(tx, balance);
}

function summed(closings: readonly Closing[]): Closing[] {
  const sums = new Map<string, { -readonly [K in keyof Closing]: Closing[K] }>();
  for (const closing of closings) {
    if (closing.amount_micros === 0) continue;
    const key = `${closing.account_id} ${closing.hold_id} ${closing.outcome}`;
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { ...closing });
      continue;
    }
    sum.amount_micros += closing.amount_micros;
    sum.message_count += closing.message_count;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

// The rows of several accounts are locked in the order of their ids, so that two batches cannot wait for each other.
async function moveBalances(tx: Tx, sums: readonly Closing[]): Promise<BalanceRow[]> {
  const moves = new Map<string, { settled: number; released: number }>();
  for (const { account_id, outcome, amount_micros } of sums) {
    const move = moves.get(account_id) ?? { settled: 0, released: 0 };
    move[outcome] += amount_micros;
    moves.set(account_id, move);
  }
  const all = [...moves.values()];
  const rows = await tx.rows<BalanceRow>(sql`
    with move as (
      select * from unnest(${[...moves.keys()]}::uuid[], ${all.map((move) => move.settled)}::bigint[],
                           ${all.map((move) => move.released)}::bigint[]) as m(account_id, settled, released)
    ), locked as (
      select account_id from balances where account_id in (select account_id from move) order by account_id for update
    )
    update balances b set
      available_micros = b.available_micros + move.released,
      held_micros = b.held_micros - move.released - move.settled,
      update_date = ${tx.now}
    from move join locked using (account_id)
    where b.account_id = move.account_id
    returning ${balanceColumns}`);
  if (rows.length !== moves.size) throw new Error('a hold without a balance');
  return rows;
}

async function lowerHolds(tx: Tx, sums: readonly Closing[]): Promise<void> {
  const lowered = await tx.run(sql`
    update holds h set open_micros = h.open_micros - c.amount
    from (
      select account_id, id, sum(amount)::bigint as amount
      from unnest(${sums.map((sum) => sum.account_id)}::uuid[], ${sums.map((sum) => sum.hold_id)}::uuid[],
                  ${sums.map((sum) => sum.amount_micros)}::bigint[]) as u(account_id, id, amount)
      group by account_id, id
    ) c
    where h.account_id = c.account_id and h.id = c.id`);
  if (lowered !== new Set(sums.map((sum) => `${sum.account_id} ${sum.hold_id}`)).size)
    throw new Error('closing a hold that is not there');
}

interface Entry extends Closing {
  available_after: number;
  held_after: number;
}

/** The balance after each entry, told backwards from the balance after all of them. */
function entriesOf(sums: readonly Closing[], balances: ReadonlyMap<string, BalanceRow>): Entry[] {
  const after = new Map([...balances].map(([id, row]) => [id, { ...row }]));
  return sums
    .toReversed()
    .map((sum) => {
      const row = after.get(sum.account_id)!;
      const entry = { ...sum, available_after: row.available_micros, held_after: row.held_micros };
      if (sum.outcome === 'released') row.available_micros -= sum.amount_micros;
      row.held_micros += sum.amount_micros;
      return entry;
    })
    .toReversed();
}

const writeEntries = (tx: Tx, entries: readonly Entry[]) => {
  const ids = entries.map(() => newId());
  return tx.run(sql`
    insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, hold_id, campaign_id, message_count,
                        available_after_micros, held_after_micros, create_date)
    select e.account_id, e.id, 'held', case e.kind when 'settle' then 'spent' else 'available' end, e.amount_micros, e.kind,
           e.kind || ':' || e.id, e.hold_id, e.campaign_id, e.message_count, e.available_after, e.held_after, ${tx.now}::timestamptz
    from unnest(
      ${entries.map((entry) => entry.account_id)}::uuid[], ${ids}::uuid[],
      ${entries.map((entry) => (entry.outcome === 'settled' ? 'settle' : 'release'))}::text[],
      ${entries.map((entry) => entry.amount_micros)}::bigint[], ${entries.map((entry) => entry.hold_id)}::uuid[],
      ${entries.map((entry) => entry.campaign_id)}::uuid[], ${entries.map((entry) => entry.message_count)}::int[],
      ${entries.map((entry) => entry.available_after)}::bigint[], ${entries.map((entry) => entry.held_after)}::bigint[]
    ) as e(account_id, id, kind, amount_micros, hold_id, campaign_id, message_count, available_after, held_after)`);
};
