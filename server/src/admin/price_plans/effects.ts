/**
 * The effects of a planned change: what each account sent to its destinations in the last 30 days, at the prices before
 * and after. The lookups are those of acceptance, so custom prices, networks, and purposes count as in a real message.
 * The account is read in batches, and a job that is interrupted starts again.
 */
import { pricePlanChanged } from '@parley/contract/admin/price_plans.ts';
import { PURPOSES, type Purpose } from '@parley/contract/messages/content.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { loadBooks, type PriceBook } from '../../billing/billing.ts';
import { idAt } from '../../kernel/clock.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import * as queries from './plan_queries.ts';

const BATCH = 100;
const PERIOD_MS = 30 * 86_400_000;

interface Traffic {
  channel: string;
  country: string;
  mccmnc: string | null;
  /** The price of a segment. */
  unit_micros: number;
  segments: number;
}
interface Effect {
  segments: number;
  before_micros: number;
  after_micros: number;
}
type Books = Record<'before' | 'after', PriceBook>;

export async function assess({ db }: Pick<Kernel, 'db'>, plan_id: string): Promise<void> {
  const plan = await queries.findPlan(db, plan_id);
  if (!plan || plan.status === 'applied' || plan.status === 'canceled') return;
  const changes = await queries.listPlannedPrices(db, plan_id);
  const rows = changes.map(({ before_micros: _, after_micros, ...key }) => ({
    ...key,
    price_micros: after_micros,
    effective_ms: plan.effective_ms,
  }));
  const at = await loadBooks(db, rows);
  // An announced plan is in the books from its date on, so the book of the time before has none of its prices.
  const books = { before: at(new Date(plan.effective_ms - 1)), after: at(new Date(plan.effective_ms)) };
  const countries = [...new Set(changes.map(({ country }) => country))];
  const currencies = [...new Set(changes.map(({ currency }) => currency))];
  for (let after: string | null = null; ; ) {
    const accounts = await nextAccounts(db, currencies, after);
    await db.tx(async (tx) => {
      for (const { account_id, currency } of accounts) {
        const effect = sumEffect(books, account_id, currency, await readTraffic(tx, account_id, countries, tx.now));
        if (effect.segments === 0 && plan.audience === 'used')
          await tx.run(sql`
            delete from price_plan_accounts
            where account_id = ${account_id} and plan_id = ${plan_id} and notified_revision is null`);
        else
          await tx.run(sql`
            insert into price_plan_accounts (account_id, plan_id, segments, before_micros, after_micros)
            values (${account_id}, ${plan_id}, ${effect.segments}, ${effect.before_micros}, ${effect.after_micros})
            on conflict (account_id, plan_id) do update set segments = excluded.segments,
              before_micros = excluded.before_micros, after_micros = excluded.after_micros`);
      }
    });
    if (accounts.length < BATCH) break;
    after = accounts.at(-1)!.account_id;
  }
  await db.tx(async (tx) => {
    await tx.run(sql`
      update price_plans set assess_date = ${tx.now} where id = ${plan_id} and revision = ${plan.revision}`);
    await emitToOperators(tx, pricePlanChanged, { id: plan_id });
  });
}

const nextAccounts = (db: Queryable, currencies: readonly string[], after: string | null) =>
  db.rows<{ account_id: string; currency: string }>(sql`
    select b.account_id, b.currency from balances b join accounts a on a.id = b.account_id
    where b.currency = any(${currencies}::text[]) and a.kind = 'CUSTOMER' and a.close_date is null
      and ${after === null ? sql`true` : sql`b.account_id > ${after}::uuid`}
    order by b.account_id limit ${BATCH}`);

/** Messages that were paid, or are on their way. */
const readTraffic = (db: Queryable, account_id: string, countries: readonly string[], now: Date) =>
  db.rows<Traffic>(sql`
    select m.channel, m.country, m.mccmnc, m.price_micros / m.segments_count as unit_micros,
           sum(m.segments_count)::bigint as segments
    from messages m
    where m.account_id = ${account_id} and m.id >= ${idAt(now.getTime() - PERIOD_MS)}::uuid and m.direction = 'MT'
      and m.country = any(${countries}::text[]) and m.charge in ('held', 'settled') and m.segments_count > 0
    group by 1, 2, 3, 4`);

function sumEffect(books: Books, account_id: string, currency: string, traffic: readonly Traffic[]): Effect {
  const sum: Effect = { segments: 0, before_micros: 0, after_micros: 0 };
  for (const row of traffic) {
    const { before, after } = findPrices(books, account_id, currency, row);
    // Without a price, the messages would be refused, and cost nothing.
    if (before === after) continue;
    sum.segments += row.segments;
    sum.before_micros += row.segments * (before ?? 0);
    sum.after_micros += row.segments * (after ?? 0);
  }
  return sum;
}

/** A message's purpose is found by its price, if the prices of the channel depend on it. */
function findPrices({ before, after }: Books, account_id: string, currency: string, row: Traffic) {
  const look = (book: PriceBook, purpose: Purpose | null) =>
    book.price(account_id, row.channel, '', row.country, currency, purpose, row.mccmnc)?.price_micros ?? null;
  const purpose = PURPOSES.find((one) => look(before, one) === row.unit_micros) ?? null;
  return { before: look(before, purpose), after: look(after, purpose) };
}
