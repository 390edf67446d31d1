/** Paying by card: a declined card, a challenge of the bank, the review of the first payment, and a saved card. */
import { findProblems, NARROW, WIDE } from '../accessible/look.ts';
import { OPERATOR } from '../api.ts';
import { newCompany } from '../company.ts';
import { expect, type Page, test } from '../test.ts';
import { enterCard, passChallenge } from './cards.ts';

const SHOTS = process.env.MONEY_SHOTS;

async function look(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  for (const viewport of [WIDE, NARROW])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/${name}-${viewport.width}-${colorScheme}.png`, fullPage: true });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

test('a customer pays by card, waits for the review, and pays again with the saved card', async ({
  at,
  sandbox,
  openAs,
  quiet,
}) => {
  // The declined card.
  quiet.expect(/^402 POST .*\/confirm$/);
  const { email, company_name } = await newCompany(at, sandbox);
  const page = await openAs(email, { path: '/add-funds' });
  await page.getByRole('button', { name: 'Look around first' }).click();
  await look(page, 'add-funds');
  await page.getByRole('textbox', { name: 'Amount' }).fill('5');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText(/must be between/).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Amount' }).fill('50');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('button', { name: /^Pay / })).toBeEnabled();
  await look(page, 'card');
  await enterCard(page, '4000000000000002');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');
  await enterCard(page, '4000000000003220');
  await page.getByRole('button', { name: /^Pay / }).click();
  await passChallenge(page);
  await expect(page.getByRole('heading', { name: 'Payment in review' })).toBeVisible();
  await look(page, 'review');

  const operator = await openAs(OPERATOR, { host: 'admin', path: '/payments' });
  const row = operator.getByRole('row', { name: new RegExp(company_name) });
  await expect(row).toContainText('In Review');
  await look(operator, 'operator');
  await row.getByRole('button', { name: /Actions/ }).click();
  await operator.getByRole('menuitem', { name: 'Release payment' }).click();
  await expect(row).toHaveCount(0);

  await page.goto('/billing/payments');
  await expect(page.getByRole('row', { name: /Credit Card/ })).toContainText('Paid');
  await look(page, 'payments');
  await page.goto('/billing');
  await expect(page.getByText(/ending in 3220/).first()).toBeVisible();
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    expect(await findProblems(page, `billing, ${viewport.width} wide`)).toEqual([]);
  }
  await page.setViewportSize(WIDE);
  await look(page, 'billing');
  for (const path of ['/billing/invoices', '/billing/auto-top-up', '/billing/rates', '/settings/alerts']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await look(page, path.slice(1).replace('/', '-'));
  }

  await page.goto('/add-funds');
  await expect(page.getByRole('radio', { name: /ending in 3220/ })).toBeChecked();
  await page.getByRole('textbox', { name: 'Amount' }).fill('30');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('button', { name: /^Pay / }).click();
  await passChallenge(page);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});
