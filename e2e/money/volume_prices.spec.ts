/** An operator sets volume prices, and a customer sees them. */
import { OPERATOR } from '../api.ts';
import { newCompany } from '../company.ts';
import { expect, test } from '../test.ts';
import { lookAt } from './shots.ts';

test('an operator sets volume prices, and a customer sees them', async ({ at, sandbox, api, openAs }) => {
  const { email } = await newCompany(at, sandbox);
  const { currency } = await (await api(email)).get<{ currency: string }>('accounts/self');
  await (await api(OPERATOR)).post('prices', { channel: 'SMS', country: 'FO', currency, price_micros: 40_000 });

  const operator = await openAs(OPERATOR, { host: 'admin', path: '/prices?tab=volume' });
  await operator.getByRole('button', { name: 'Add volume prices' }).first().click();
  await lookAt(operator, 'volume_form');
  await operator.getByRole('combobox', { name: 'Country' }).fill('Faroe');
  await operator.getByRole('option', { name: /Faroe/ }).click();
  await operator.getByRole('combobox', { name: 'Currency' }).click();
  await operator.getByRole('option', { name: currency }).click();
  await operator.getByLabel('Step 1: above (segments)').fill('10000');
  await operator.getByLabel(`Step 1: price in ${currency}`).fill('0.038');
  await operator.getByRole('button', { name: 'Add step' }).click();
  await operator.getByLabel('Step 2: above (segments)').fill('100000');
  await operator.getByLabel(`Step 2: price in ${currency}`).fill('0.035');
  await operator.getByRole('button', { name: 'Preview effect' }).click();
  await expect(operator.getByText('No account sent messages to this destination.')).toBeVisible();
  await operator.getByRole('button', { name: 'Save volume prices' }).click();
  await expect(operator.getByText('The volume prices were saved')).toBeVisible();
  const row = operator.getByRole('row', { name: /Faroe/ });
  await expect(row).toContainText('In force');
  await expect(row).toContainText('Above 100,000');
  await lookAt(operator, 'volume_prices');

  const customer = await openAs(email, { path: '/billing/rates?search=FO' });
  await customer.getByRole('button', { name: 'Look around first' }).click();
  await expect(customer.getByRole('row', { name: /Faroe/ })).toContainText(/Above 10,000: .*0\.038/);
  await expect(customer.getByRole('row', { name: /Faroe/ })).toContainText('0 this month');
  await lookAt(customer, 'volume_rates');
});
