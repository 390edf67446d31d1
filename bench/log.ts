/**
 * Loads one filtered page of the message log for a company with 2,000,000 messages. The baseline is the bare SQL
 * statement on the same database.
 */
import { sql } from '@parley/server/src/kernel/db/db.ts';
import { type LogFilter, listLogPage } from '@parley/server/src/messages/thread/log_queries.ts';
import { makeCompany, makeSender } from '@parley/server/src/test/make.ts';
import { createClient, median, type Result, type Rig } from './rig.ts';

const ROWS = Number(process.env.BENCH_LOG_ROWS ?? 2_000_000);
const TRIES = 40;

export async function loadLogPages(rig: Rig): Promise<Result[]> {
  const company = await makeCompany(rig.kernel);
  const { sender_id, code } = await makeSender(rig.kernel, company.account_id);
  await fillLog(rig, company.account_id, sender_id, code, ROWS);
  const { account_id } = company;
  const pages: { name: string; query: string; filter: Partial<LogFilter> }[] = [
    { name: 'status failed', query: 'filter[statuses]=failed', filter: { statuses: ['failed'] } },
    {
      name: 'country DE and direction MT',
      query: 'filter[countries]=DE&filter[direction]=MT',
      filter: { countries: ['DE'], direction: 'MT' },
    },
    { name: 'number prefix', query: 'filter[to_prefix]=44741', filter: { to_prefix: '44741' } },
  ];
  const client = createClient(rig.url, company.token);
  const results: Result[] = [];
  for (const page of pages) {
    const parley: number[] = [];
    const baseline: number[] = [];
    for (let count = 0; count < TRIES; count++) {
      let startedAt = performance.now();
      // Runs only the page query, without the request, the session, the total, and the encoding.
      await listLogPage(
        rig.kernel.db,
        { account_id, ...page.filter },
        { number: 1, size: 50, offset: 0, after: null, sort: undefined, count_limit: 0 },
      );
      baseline.push(performance.now() - startedAt);
      startedAt = performance.now();
      await client.get(`/v1/messages?page_size=50&${page.query}`);
      parley.push(performance.now() - startedAt);
    }
    const [a, b] = [median(parley), median(baseline)];
    results.push({
      name: `Page of the log among ${ROWS.toLocaleString('en-US')} messages: ${page.name}`,
      parley: `${a.toFixed(1)} ms`,
      baseline: `bare SQL ${b.toFixed(1)} ms`,
      ratio: (a / b).toFixed(2),
      target: 'at most 3',
      met: a / b <= 3,
    });
  }
  client.close();
  return results;
}

/** Messages over the last 90 days: to two countries, some failed, with a tenth in campaigns. */
export async function fillLog(
  rig: Rig,
  account_id: string,
  sender_id: string,
  code: string,
  rows: number,
): Promise<void> {
  const { db } = rig.kernel;
  const chunk = 100_000;
  const period = 90 * 86_400_000;
  const first = Date.now() - period;
  for (let from = 0; from < rows; from += chunk)
    await db.run(sql`
      insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country, text,
                            segments_count, encoding, price_micros, currency, charge, source, create_date)
      select ${account_id},
             (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || substr(lpad(to_hex(n), 8, '0'), 6, 3)
              || '-8' || substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 12))::uuid,
             'MT', 'SMS', case when n % 50 = 0 then 'failed' else 'delivered' end, ${sender_id}, ${code},
             '4474' || (10000000 + n), '4474' || (10000000 + n), case when n % 20 = 0 then 'DE' else 'GB' end,
             'Your order has left our warehouse and will be with you tomorrow', 1, 'GSM-7', 40000, 'USD', 'none',
             case when n % 10 = 0 then 'campaign' else 'api' end, to_timestamp(ms / 1000.0)
      from generate_series(${from}::int, ${Math.min(rows, from + chunk) - 1}::int) n
      cross join lateral (select (${first}::float8 + n * ${period / rows}::float8)::bigint as ms) t
      cross join lateral (select lpad(to_hex(ms), 12, '0') as hex) h`);
  await db.run(sql`vacuum analyze messages`);
}
