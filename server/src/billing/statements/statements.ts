/**
 * Monthly statements. They are sums of ledger entries, like the ledger page, the balance, and the doctor's checks.
 * `opening` and `closing` are everything that an account has: available, reserved for messages, and in review. So
 * reserving and releasing an amount moves nothing.
 */
import type * as contract from '@parley/contract/billing/statements.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import * as queries from './queries.ts';

const OWN = ['available', 'held', 'frozen'] as const;
type Book = (typeof OWN)[number];
type Sum = queries.MonthSum;

const bookChange = (sum: Sum, book: Book): number =>
  (sum.credit === book ? sum.amount_micros : 0) - (sum.debit === book ? sum.amount_micros : 0);
const change = (sum: Sum): number => OWN.reduce((total, book) => total + bookChange(sum, book), 0);
const total = (sums: readonly Sum[], of: (sum: Sum) => number = change): number =>
  sums.reduce((sum, one) => sum + of(one), 0);

/** The first day of the month after `month`, which has the form `2026-10`. */
export function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}
export const monthKey = (date: Date): string => date.toISOString().slice(0, 7);

interface Read {
  account_id: string;
  account: queries.StatementAccount;
  /** The months before this day are stored. */
  mark: string;
  sums: Sum[];
}

async function read(db: Queryable, caller: string, account_id: string, month: string): Promise<Read> {
  const [account, mark] = await runTogether(
    queries.findStatementAccount(db, caller, account_id),
    queries.readCountedUntil(db, account_id),
  );
  if (!account) throw new Problem('ACCOUNT_NOT_FOUND');
  return { account_id, account, mark, sums: await queries.listMonthSums(db, account_id, mark, nextMonth(month)) };
}

function toMonth({ account, mark, sums }: Read, month: string): contract.StatementMonth {
  const day = `${month}-01`;
  const own = sums.filter((sum) => sum.month === day);
  const opening_micros = total(sums.filter((sum) => sum.month < day));
  return {
    month,
    is_final: mark > day,
    opening_micros,
    added_micros: total(own, (sum) => Math.max(0, change(sum))),
    used_micros: total(own, (sum) => Math.min(0, change(sum))),
    closing_micros: opening_micros + total(own),
    currency: account.currency,
  };
}

/** From the month in which the account was created or has its first entry. */
export async function listStatements(
  db: Queryable,
  today: Date,
  { account_id }: Actor,
  { filter }: Parsed<typeof contract.listStatements>['query'],
): Promise<contract.StatementMonth[]> {
  const now = monthKey(today);
  const found = await read(db, account_id, filter?.account_id ?? account_id, now);
  const created = found.account.create_date.slice(0, 7);
  const first = found.sums[0]?.month.slice(0, 7) ?? created;
  const months: contract.StatementMonth[] = [];
  for (let month = first < created ? first : created; month <= now; month = nextMonth(month).slice(0, 7))
    months.unshift(toMonth(found, month));
  return months;
}

/** The largest additions first, and the largest uses last. */
function listMovements(sums: readonly Sum[]): contract.Statement['movements'] {
  const kinds = Map.groupBy(
    sums.filter((sum) => change(sum) !== 0),
    ({ kind }) => kind,
  );
  return [...kinds]
    .map(([kind, of]) => ({ kind, entries_count: total(of, (sum) => sum.entries_count), amount_micros: total(of) }))
    .sort((a, b) => b.amount_micros - a.amount_micros);
}

export async function getStatement(
  db: Queryable,
  today: Date,
  caller: string,
  { account_id, month }: { account_id: string; month: string },
): Promise<contract.Statement> {
  if (month > monthKey(today)) throw new Problem('STATEMENT_NOT_FOUND');
  const found = await read(db, caller, account_id, month);
  const { sums, account } = found;
  if (month < account.create_date.slice(0, 7) && sums.length === 0) throw new Problem('STATEMENT_NOT_FOUND');
  return {
    ...toMonth(found, month),
    account_id,
    company_name: account.company_name,
    volumes: await queries.monthVolumes(db, account_id, month),
    movements: listMovements(sums.filter((sum) => sum.month === `${month}-01`)),
    available_micros: total(sums, (sum) => bookChange(sum, 'available')),
    held_micros: total(sums, (sum) => bookChange(sum, 'held')),
    frozen_micros: total(sums, (sum) => bookChange(sum, 'frozen')),
  };
}
