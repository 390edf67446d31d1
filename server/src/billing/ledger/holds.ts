/**
 * Holds for messages. Each accepted batch has one hold, which is closed message by message: settled or released. A
 * released message is charged (`resettled`) if proof of delivery arrives later. The amount then comes from the balance,
 * because the hold is closed. If the balance is too low, it falls below its limit.
 * The messages module's status code decides which message is closed and ensures that it is closed only once. The
 * updates here refuse amounts below zero. The caller takes its other locks first, because the balance is the most
 * contended row and should be locked only at the end of a transaction.
 */
import { Problem } from '@parley/contract/problem.ts';
import { idAt, newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, sql, type Tx } from '../../kernel/db/db.ts';
import { announceBalance, type BalanceRow, balanceColumns } from './balance.ts';
import { type SettledTraffic, writeMargins } from './margins.ts';
import { moveVolumes, type VolumeMove } from './volumes.ts';

interface HoldRequest {
  /** For callers that store the hold's id before opening it, so that the balance is locked for less time. */
  readonly id?: string;
  readonly account_id: string;
  /** May be zero, because every message has a hold, even a free one. */
  readonly amount_micros: number;
  readonly message_count: number;
  readonly campaign_id?: string | null;
  /** The message, if the hold is for a single one. */
  readonly message_id?: string | null;
  readonly note?: string;
  readonly purpose?: 'messages' | 'lookups';
}

/** Opens a hold. Throws BALANCE_NOT_ENOUGH if the balance would fall below the credit limit. */
export async function openHold(tx: Tx, hold: HoldRequest): Promise<string> {
  const id = hold.id ?? newId();
  const { account_id, amount_micros, message_count, campaign_id = null, message_id = null, note = '' } = hold;
  const { purpose = 'messages' } = hold;
  const balance = await tx.maybeOne<BalanceRow>(sql`
    with b as (
      update balances set
        available_micros = available_micros - ${amount_micros}::bigint,
        held_micros = held_micros + ${amount_micros}::bigint,
        update_date = ${tx.now}
      where account_id = ${account_id} and available_micros - ${amount_micros}::bigint >= -credit_limit_micros
      returning *
    ), hold as (
      insert into holds (account_id, id, campaign_id, amount_micros, open_micros, message_count, purpose,
                         create_date)
      select account_id, ${id}::uuid, ${campaign_id}::uuid, ${amount_micros}::bigint, ${amount_micros}::bigint,
             ${message_count}::int, ${purpose}, ${tx.now}::timestamptz
      from b
    ), entry as (
      insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, hold_id, campaign_id, message_id,
                          message_count, available_after_micros, held_after_micros, note, create_date)
      select account_id, ${newId()}::uuid, 'available', 'held', ${amount_micros}::bigint, 'hold', ${`hold:${id}`}::text,
             ${id}::uuid, ${campaign_id}::uuid, ${message_id}::uuid, ${message_count}::int, available_micros,
             held_micros, ${note}::text, ${tx.now}::timestamptz
      from b where ${amount_micros}::bigint > 0
    )
    select ${balanceColumns} from b`);
  if (!balance) throw new Problem('BALANCE_NOT_ENOUGH');
  if (amount_micros > 0) announceBalance(tx, balance);
  return id;
}

export interface Closing {
  readonly account_id: string;
  readonly hold_id: string;
  readonly outcome: 'settled' | 'released' | 'resettled';
  readonly amount_micros: number;
  readonly message_count: number;
  readonly campaign_id: string | null;
  readonly message_id?: string | null;
  /** For a released message, and one that is charged after its release: how it changes the volume that counts it. */
  readonly volume?: VolumeMove;
  /** For a settled message, how it was sent. */
  readonly traffic?: SettledTraffic;
}

/** Closes holds with one ledger entry per account, hold, and outcome, regardless of the number of messages. */
export async function closeHolds(tx: Tx, closings: readonly Closing[]): Promise<void> {
  const sums = sumClosings(closings);
  // Volumes are locked before balances, as at acceptance.
  const moves = closings.flatMap(({ volume }) => volume ?? []);
  if (moves.length > 0) await moveVolumes(tx, moves);
  const margins = closings.flatMap(({ account_id, traffic, amount_micros: income_micros, message_count }) =>
    traffic ? [{ ...traffic, account_id, income_micros, message_count }] : [],
  );
  if (sums.length === 0) return writeMargins(tx, margins);
  const [rows] = await runTogether(moveMoney(tx, sums), writeMargins(tx, margins));
  if (rows.length !== new Set(sums.map((sum) => sum.account_id)).size) throw new Error('a hold without a balance');
  const lowering = sums.filter(({ outcome }) => outcome !== 'resettled');
  if (rows[0]!.lowered !== new Set(lowering.map((sum) => `${sum.account_id} ${sum.hold_id}`)).size)
    throw new Error('closing a hold that does not exist');
  for (const row of rows) announceBalance(tx, row);
}

function sumClosings(closings: readonly Closing[]): Closing[] {
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
    if (sum.message_id !== closing.message_id) sum.message_id = null;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const KINDS = { settled: 'settle', released: 'release', resettled: 'resettle' } as const;

/**
 * Locks all balances in account id order before any hold (`moved` is counted completely first), so that two batches
 * cannot deadlock. The balance after each entry is calculated backwards from the final balance.
 */
const moveMoney = (tx: Tx, sums: readonly Closing[]) =>
  tx.rows<BalanceRow & { lowered: number }>(sql`
    with closed as materialized (
      select * from unnest(
        ${sums.map((sum) => sum.account_id)}::uuid[], ${sums.map(() => newId())}::uuid[],
        ${sums.map((sum) => sum.hold_id)}::uuid[],
        ${sums.map((sum) => KINDS[sum.outcome])}::text[],
        ${sums.map((sum) => sum.amount_micros)}::bigint[], ${sums.map((sum) => sum.campaign_id)}::uuid[],
        ${sums.map((sum) => sum.message_count)}::int[], ${sums.map((sum) => sum.message_id ?? null)}::uuid[]
      ) with ordinality as c(account_id, id, hold_id, kind, amount, campaign_id, message_count, message_id, n)
    ), move as (
      select account_id, coalesce(sum(amount) filter (where kind <> 'resettle'), 0)::bigint as amount,
             coalesce(sum(amount) filter (where kind = 'release'), 0)::bigint as released,
             coalesce(sum(amount) filter (where kind = 'resettle'), 0)::bigint as resettled
      from closed group by account_id
    ), locked as (
      select account_id from balances where account_id in (select account_id from move) order by account_id for update
    ), moved as (
      update balances b set
        available_micros = b.available_micros + move.released - move.resettled,
        held_micros = b.held_micros - move.amount, resettled_micros = b.resettled_micros + move.resettled,
        update_date = ${tx.now}
      from move join locked using (account_id)
      where b.account_id = move.account_id
      returning ${balanceColumns}
    ), lowered as (
      update holds h set open_micros = h.open_micros - c.amount
      from (select account_id, hold_id, sum(amount)::bigint as amount from closed where kind <> 'resettle'
            group by account_id, hold_id) c,
           (select count(*) as accounts from moved) first
      where first.accounts > 0 and h.account_id = c.account_id and h.id = c.hold_id
      returning 1
    ), entry as (
      insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, hold_id, campaign_id, message_id,
                          message_count, available_after_micros, held_after_micros, create_date)
      select c.account_id, c.id, case c.kind when 'resettle' then 'available' else 'held' end,
             case c.kind when 'release' then 'available' else 'spent' end, c.amount, c.kind,
             c.kind || ':' || c.id, c.hold_id, c.campaign_id, c.message_id, c.message_count,
             b.available_micros - coalesce(sum(c.amount) filter (where c.kind = 'release') over later, 0)::bigint
               + coalesce(sum(c.amount) filter (where c.kind = 'resettle') over later, 0)::bigint,
             b.held_micros + coalesce(sum(c.amount) filter (where c.kind <> 'resettle') over later, 0)::bigint,
             ${tx.now}::timestamptz
      from closed c join moved b using (account_id)
      window later as (partition by c.account_id order by c.n rows between 1 following and unbounded following)
    )
    select ${balanceColumns}, (select count(*) from lowered) as lowered from moved b order by b.account_id`);

/**
 * Counts the messages accepted in recent days by adding up their holds. Each batch has one hold, so far fewer rows are
 * read.
 */
export const countAcceptedMessages = async (db: Queryable, account_id: string, days: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select coalesce(sum(message_count), 0)::bigint as count from holds
      where account_id = ${account_id} and id >= ${idAt(Date.now() - days * 86_400_000)}::uuid`)
  ).count;
