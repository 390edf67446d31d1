/**
 * An export of 1,000,000 messages in the browser, with its progress and its download. It runs in `npm run soak`. The
 * messages are written into the database, because sending them would take an hour.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { findRunningEmbedded } from '../../server/src/start/postgres/embedded.ts';
import { newCompany } from '../company.ts';
import { expect, test } from '../test.ts';

const ROWS = 1_000_000;
const PATIENCE_MS = 900_000;
const DAYS_MS = 60 * 86_400_000;

/** Messages of the last 60 days. Their IDs begin with their times. */
async function writeMessages(data_dir: string, account_id: string): Promise<void> {
  const client = new pg.Client({ connectionString: (await findRunningEmbedded(data_dir))! });
  await client.connect();
  try {
    for (let from = 0; from < ROWS; from += 100_000)
      await client.query(
        `insert into messages (account_id, id, sender_id, direction, channel, status, "from", "to", number, country,
           text, segments_count, encoding, price_micros, currency, charge, source, create_date)
         select $1, (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8' || substr(md5(n::text), 1, 3) || '-'
             || substr(md5(n::text), 4, 12))::uuid, $1, 'MT', 'SMS', 'delivered', '447400990001',
           '4474' || (10000000 + n), '4474' || (10000000 + n), 'GB', 'Your order ' || n || ' is on its way', 1, 'GSM-7',
           40000, 'USD', 'none', 'api', to_timestamp(ms / 1000.0)
         from generate_series($2::int, $3::int) n
         cross join lateral (select ($4::float8 + n * $5::float8)::bigint as ms) t
         cross join lateral (select lpad(to_hex(ms), 12, '0') as hex) h`,
        [account_id, from, from + 99_999, Date.now() - DAYS_MS, DAYS_MS / (ROWS + 1)],
      );
    await client.query('analyze messages');
  } finally {
    await client.end();
  }
}

test('a user exports 1,000,000 messages, watches the progress, and downloads the file', async ({
  at,
  sandbox,
  openAs,
}) => {
  test.setTimeout(PATIENCE_MS);
  const { email, api } = await newCompany(at, sandbox);
  const { id } = await api.get<{ id: string }>('accounts/self');
  await api.put('accounts/self/preference', { welcome_closed: true });
  await writeMessages(at.data_dir, id);
  const page = await openAs(email, { path: '/insights?tab=log' });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const startedAt = performance.now();
  await page.getByRole('menuitem', { name: 'CSV file' }).click();
  await page.goto('/exports');
  const row = page.getByRole('row', { name: /messages-.*\.csv/ });

  await test.step('the progress grows without reloading the page', async () => {
    const shown = new Set<number>();
    await expect(async () => {
      const [, count] = /([\d,]+) of 1,000,000/.exec(await row.innerText()) ?? [];
      if (count) shown.add(Number(count.replaceAll(',', '')));
      expect(shown.size).toBeGreaterThanOrEqual(3);
    }).toPass({ timeout: PATIENCE_MS / 2, intervals: [200] });
    expect([...shown]).toEqual([...shown].sort((a, b) => a - b));
  });
  await test.step('the file has every message once', async () => {
    await expect(row).toContainText('Completed', { timeout: PATIENCE_MS / 2 });
    const seconds = (performance.now() - startedAt) / 1_000;
    const waiting = page.waitForEvent('download');
    await row.click();
    const path = await (await waiting).path();
    const numbers = new Set<string>();
    let lines = 0;
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (lines++ > 0) numbers.add(/\+4474\d{8}/.exec(line)![0]);
    }
    expect([lines, numbers.size]).toEqual([ROWS + 1, ROWS]);
    const { size } = await stat(path);
    console.log(`1,000,000 rows in ${seconds.toFixed(1)} s, ${(size / 2 ** 20).toFixed(0)} MiB`);
  });
});
