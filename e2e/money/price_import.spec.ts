/** An operator imports a price list from a spreadsheet. */
import { writeXlsx } from 'hucre/xlsx';
import { OPERATOR } from '../api.ts';
import { expect, test } from '../test.ts';
import { lookAt } from './shots.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TITLES = ['Country', 'Currency', 'Price'];

async function toFile(rows: (string | number)[][]) {
  const columns = TITLES.map((header) => ({ header, key: header }));
  const data = rows.map((row) => Object.fromEntries(row.map((cell, n) => [TITLES[n]!, cell])));
  const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'Prices', columns, data }] }));
  return { name: 'prices.xlsx', mimeType: XLSX, buffer };
}

test('a price list in a spreadsheet is previewed, corrected, and applied', async ({ api, openAs }) => {
  const operator = await api(OPERATOR);
  const before = await operator.get<{ id: string }[]>('prices?filter[country]=BT&filter[currency]=USD');
  if (before.length === 0)
    await operator.post('prices', { channel: 'SMS', country: 'BT', currency: 'USD', price_micros: 50_000 });
  // Each run of the test changes the price.
  const price = 0.05 + (Date.now() % 10_000) / 1_000_000;
  const page = await openAs(OPERATOR, { host: 'admin', path: '/prices' });
  await page.getByRole('button', { name: 'Import price list' }).first().click();
  const choose = async (rows: (string | number)[][]) => {
    await page.locator('input[type=file]').setInputFiles(await toFile(rows));
    await page.getByRole('button', { name: 'Preview changes' }).click();
  };
  await choose([
    ['BT', 'USD', -1],
    ['Bhutan', 'USD', 0.05],
  ]);
  await expect(page.getByText(/Line 2: The price "-1" is not an amount/)).toBeVisible();
  await expect(page.getByText(/Line 3: Unknown country "BHUTAN"/)).toBeVisible();
  await lookAt(page, 'price_import_invalid');
  await choose([['BT', 'USD', price]]);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await expect(page.getByText('1 price changed')).toBeVisible();
  const after = await operator.get<{ price_micros: number }[]>('prices?filter[country]=BT&filter[currency]=USD');
  expect(after[0]!.price_micros).toBe(Math.round(price * 1_000_000));
});
