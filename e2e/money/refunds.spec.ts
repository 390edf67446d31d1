/** An operator refunds a payment, and the customer reads the invoice and the credit note. */
import { readFile } from 'node:fs/promises';
import { OPERATOR } from '../api.ts';
import { newCompany } from '../company.ts';
import { expect, test } from '../test.ts';
import { payByCard } from './cards.ts';
import { lookAt } from './shots.ts';

test('an operator refunds a payment in part and in full, and the customer gets documents', async ({
  at,
  sandbox,
  openAs,
  quiet,
}) => {
  // The refund that is too large.
  quiet.expect(/^400 POST .*\/refund$/);
  const { email, company_name, api: owner } = await newCompany(at, sandbox);
  const { id } = await owner.get<{ id: string }>('accounts/self');
  const page = await openAs(email, { path: '/' });
  await page.getByRole('button', { name: 'Look around first' }).click();
  await payByCard(page, '60', '4242424242424242');
  await expect(page.getByRole('heading', { name: 'Payment in review' })).toBeVisible();

  const desk = await openAs(OPERATOR, { host: 'admin', path: '/payments' });
  const waiting = desk.getByRole('row', { name: new RegExp(company_name) });
  await waiting.getByRole('button', { name: /Actions/ }).click();
  await desk.getByRole('menuitem', { name: 'Release payment' }).click();
  await expect(waiting).toHaveCount(0);

  await desk.goto(`/accounts/${id}`);
  const box = desk.getByRole('region', { name: 'Card payments' });
  const refund = async (amount: string, reason: string) => {
    await box.getByRole('button', { name: 'Refund' }).click();
    const panel = desk.getByRole('complementary', { name: 'Refund payment' });
    await panel.getByRole('textbox', { name: /^Amount/ }).fill(amount);
    await panel.getByRole('textbox', { name: 'Reason' }).fill(reason);
    return panel;
  };
  await box.getByRole('button', { name: 'Refund' }).click();
  await lookAt(desk, 'refund');
  await desk.getByRole('button', { name: 'Close panel' }).click();
  const tooMuch = await refund('70', 'The customer asked for it');
  await tooMuch.getByRole('button', { name: 'Refund payment' }).click();
  await expect(tooMuch.getByText('The amount is larger than the remaining amount').first()).toBeVisible();
  await tooMuch.getByRole('textbox', { name: /^Amount/ }).fill('20');
  await tooMuch.getByRole('button', { name: 'Refund payment' }).click();
  await expect(desk.getByText('Payment refunded').first()).toBeVisible();
  await expect(box).toContainText('Partially refunded');

  await page.goto('/billing/payments');
  const row = page.getByRole('row', { name: /Credit Card/ });
  await expect(row).toContainText('20.00');
  await (await refund('40', 'The rest of it')).getByRole('button', { name: 'Refund payment' }).click();
  await expect(box).toContainText('No card payments can be refunded.');
  await page.goto('/billing/payments');
  await expect(row).toContainText('Refunded');
  await row.click();
  await expect(page.getByRole('complementary')).toContainText('60.00');
  await lookAt(page, 'payment');

  await page.goto('/billing/invoices');
  const table = page.getByRole('table', { name: 'Invoices' });
  await expect(table.getByRole('row', { name: /Credit note/ })).toHaveCount(2);
  const [invoice] = await owner.get<{ number: string }[]>('invoices/all?filter[types]=Invoice');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${invoice!.number}`, exact: true }).click(),
  ]);
  const pdf = await readFile(await download.path());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  if (process.env.MONEY_SHOTS) await download.saveAs(`${process.env.MONEY_SHOTS}/invoice.pdf`);
});
