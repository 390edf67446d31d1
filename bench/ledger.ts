/**
 * Loads pages of the ledger of an account with 5,000,000 entries over two years: all entries, a campaign, a month, and
 * the payments. The baseline is the bare SQL statement on the same database.
 */
import { listLedgerEntries } from '@parley/server/src/billing/ledger/queries.ts';
import { newId } from '@parley/server/src/kernel/clock.ts';
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { makeCompany } from '@parley/server/src/test/make.ts';
import { createClient, median, percentile, type Result, type Rig } from './rig.ts';

const ROWS = Number(process.env.BENCH_LEDGER_ROWS ?? 5_000_000);
const TRIES = 60;
const LIMIT_MS = 100;
const PERIOD_MS = 730 * 86_400_000;
const DAY_MS = 86_400_000;

export async function loadLedgerPages(rig: Rig): Promise<Result[]> {
  const { account_id, token } = await makeCompany(rig.kernel);
  const campaign_id = newId();
  await fillLedger(rig, account_id, campaign_id);
  const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  const [from, to] = [day(430), day(400)];
  const pages = [
    { name: 'all entries', query: '', filter: {} },
    { name: 'a campaign', query: `&filter[campaign_id]=${campaign_id}`, filter: { campaign_id } },
    { name: 'a month', query: `&filter[from]=${from}&filter[to]=${to}`, filter: { from, to } },
    { name: 'payments', query: '&filter[kinds]=top_up', filter: { kinds: ['top_up'] } },
  ];
  const client = createClient(rig.url, token);
  const results: Result[] = [];
  for (const { name, query, filter } of pages) {
    const parley: number[] = [];
    const baseline: number[] = [];
    for (let count = 0; count < TRIES; count++) {
      let startedAt = performance.now();
      const page = { number: 1, size: 50, offset: 0, after: null, sort: undefined, count_limit: 0 };
      await listLedgerEntries(rig.kernel.db, { account_id, ...filter }, page);
      baseline.push(performance.now() - startedAt);
      startedAt = performance.now();
      await client.get(`/v1/ledger?page_size=50${query}`);
      parley.push(performance.now() - startedAt);
    }
    const p95 = percentile(parley, 95);
    results.push({
      name: `Page of the ledger among ${ROWS.toLocaleString('en-US')} entries: ${name}`,
      parley: `${median(parley).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      baseline: `bare SQL ${median(baseline).toFixed(1)} ms`,
      ratio: (median(parley) / median(baseline)).toFixed(2),
      target: `p95 at most ${LIMIT_MS} ms`,
      met: p95 <= LIMIT_MS,
    });
  }
  client.close();
  return results;
}

/** Holds and settlements over two years, one in a thousand in the campaign, and a payment per 100,000 entries. */
async function fillLedger({ kernel: { db } }: Rig, account_id: string, campaign_id: string): Promise<void> {
  const chunk = 200_000;
  const first = Date.now() - PERIOD_MS;
  for (let from = 0; from < ROWS; from += chunk)
    await db.run(sql`
      insert into ledger (account_id, id, debit, credit, amount_micros, kind, key, campaign_id, message_count,
                          available_after_micros, held_after_micros, create_date)
      select ${account_id},
             (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || substr(lpad(to_hex(n), 8, '0'), 6, 3)
              || '-8' || substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 12))::uuid,
             case when n % 100000 = 0 then 'outside' when n % 2 = 0 then 'available' else 'held' end,
             case when n % 100000 = 0 then 'available' when n % 2 = 0 then 'held' else 'spent' end, 40000,
             case when n % 100000 = 0 then 'top_up' when n % 2 = 0 then 'hold' else 'settle' end, 'bench ' || n,
             case when n % 1000 < 2 then ${campaign_id}::uuid end, 1, 0, 0, to_timestamp(ms / 1000.0)
      from generate_series(${from}::int, ${Math.min(ROWS, from + chunk) - 1}::int) n
      cross join lateral (select (${first}::float8 + n * ${PERIOD_MS / ROWS}::float8)::bigint as ms) t
      cross join lateral (select lpad(to_hex(ms), 12, '0') as hex) h`);
  await db.run(sql`vacuum analyze ledger`);
}
