/** An operator plans a price change, a customer sees it, and the operator cancels it. Also the pages beside it. */
import { WIDE } from '../accessible/look.ts';
import { OPERATOR } from '../api.ts';
import { newCompany } from '../company.ts';
import { expect, test } from '../test.ts';
import { lookAt } from './shots.ts';

test('an operator announces a price change and cancels it', async ({ at, sandbox, api, openAs }) => {
  const { email } = await newCompany(at, sandbox);
  const { currency } = await (await api(email)).get<{ currency: string }>('accounts/self');
  const price = { channel: 'SMS', country: 'GL', currency, price_micros: 40_000 };
  await (await api(OPERATOR)).post('prices', price);

  const operator = await openAs(OPERATOR, { host: 'admin', path: '/prices?search=GL' });
  await operator.getByRole('row', { name: /Greenland/ }).click();
  const panel = operator.getByRole('complementary').or(operator.getByRole('dialog')).last();
  await lookAt(operator, 'plan-form');
  await panel.getByLabel(/^New price \(/).fill('0.052');
  await panel.getByLabel('Days of notice').fill('0');
  await panel.getByLabel('All accounts with these currencies').check();
  await panel.getByRole('button', { name: 'Plan this price' }).click();
  await expect(operator.getByRole('heading', { name: 'Planned price change', exact: true })).toBeVisible();
  await expect(operator.getByText('No account sent messages to these destinations.')).toBeVisible();
  await lookAt(operator, 'plan');
  await operator.getByRole('button', { name: 'Announce change' }).click();
  await expect(operator.getByText('The price change is scheduled')).toBeVisible();
  await expect(operator.getByText(/^Takes effect.*Notices were sent/)).toBeVisible();

  const customer = await openAs(email, { path: '/billing/rates?search=GL' });
  await customer.getByRole('button', { name: 'Look around first' }).click();
  const row = customer.getByRole('row', { name: /Greenland/ });
  await expect(row).toContainText(/From .*0\.052/);
  await lookAt(customer, 'rates');
  await customer.getByRole('radio', { name: 'Price changes' }).click();
  await expect(customer.getByRole('region', { name: 'Announced price changes' })).toContainText('Greenland');
  await lookAt(customer, 'announced');

  await operator.getByRole('button', { name: 'Cancel change' }).click();
  await operator.getByRole('button', { name: 'Cancel price change' }).click();
  await expect(operator.getByText('The price change was canceled')).toBeVisible();
  await customer.goto('/billing/rates?search=GL');
  await expect(row).toContainText('0.04');
  await expect(row).not.toContainText('0.052');
});

test('an operator views margins, compares a carrier statement, and views overdue accounts', async ({ openAs }) => {
  const page = await openAs(OPERATOR, { host: 'admin', path: '/prices?tab=margins' });
  await expect(page.getByRole('heading', { level: 1, name: 'Margins' })).toBeVisible();
  await page.getByRole('radio', { name: 'Countries' }).click();
  await lookAt(page, 'margins');
  await page.getByRole('link', { name: 'Carrier statements' }).click();
  await page.getByRole('button', { name: 'Upload statement' }).first().click();
  await page.getByRole('combobox', { name: 'Connection' }).click();
  await page.getByRole('option').first().click();
  // A second run needs other days, because a connection has one statement per day.
  const year = 2010 + test.info().retry;
  const text = `date,country,segments,amount\n${year}-01-01,GB,1200,28.80\n${year}-01-31,NO,10,0.60\n`;
  const file = { name: 'january.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('2 countries with a difference')).toBeVisible();
  await expect(page.getByRole('row', { name: /Norway/ })).toContainText('Open');
  await lookAt(page, 'carrier_lines');
  await page.setViewportSize(WIDE);
  await page
    .getByRole('row', { name: /Norway/ })
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Resolve' }).click();
  await page.getByRole('textbox').last().fill('Test messages of the carrier');
  await page.getByRole('button', { name: 'Resolve difference' }).click();
  await expect(page.getByRole('row', { name: /Norway/ })).toContainText('Resolved');
  await page.getByRole('radio', { name: 'Statements' }).click();
  await expect(page.getByRole('row', { name: /january\.csv/ })).toContainText('29.40');
  await lookAt(page, 'carrier_statements');
  await page.goto('/payments?tab=overdue');
  await expect(page.getByRole('heading', { level: 1, name: 'Overdue accounts' })).toBeVisible();
  await lookAt(page, 'overdue');
  await page.getByRole('button', { name: 'Edit reminders' }).click();
  await expect(page.getByRole('switch', { name: 'Send reminders' })).toBeVisible();
  await lookAt(page, 'reminders');
});
