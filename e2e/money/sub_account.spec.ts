/** A company funds a sub-account and caps what it can spend. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';
import { lookAt } from './shots.ts';

interface Reply {
  data: { id: string }[] & { id: string } & { number: string }[];
  errors: { code: number }[];
}

test('a sub-account spends what its parent transfers, up to a cap', async ({ api, openAs, at, quiet }) => {
  // The transfer that the balance does not cover.
  quiet.expect(/^402 POST .*\/transfers$/);
  const unique = Date.now().toString(36);
  const name = `Kiosk ${unique}`;
  const owner = await api(OWNER);
  const { currency } = await owner.get<{ currency: string }>('accounts/self');
  await owner.post('accounts/self/subaccounts', {
    ...{ company_name: name, country_code: 'DE', timezone: 'Europe/Berlin' },
    ...{ first_name: 'Mia', last_name: 'Sommer', email: `kiosk-${unique}@people.example` },
  });
  const page = await openAs(OWNER, { path: '/subaccounts' });
  await page.getByPlaceholder('Search companies or owners').fill(name);
  const sub = page.getByRole('row').filter({ hasText: name });
  const transfer = async (direction: string, amount: string) => {
    await sub.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Transfer funds' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(direction, { exact: true }).click();
    await dialog.getByRole('textbox', { name: `Amount (${currency})` }).fill(amount);
    await dialog.getByRole('button', { name: 'Transfer funds' }).click();
    return dialog;
  };
  const tooMuch = await transfer('From the sub-account', '5');
  await expect(tooMuch.getByRole('alert')).toContainText(/balance/i);
  await tooMuch.getByRole('button', { name: 'Cancel' }).click();
  await transfer('To the sub-account', '20');
  await expect(page.getByText(new RegExp(`20.00 moved to ${name}`))).toBeVisible();
  await transfer('From the sub-account', '4');
  await expect(page.getByText(new RegExp(`4.00 moved from ${name}`))).toBeVisible();
  await expect(sub).toContainText('16.00');
  await lookAt(page, 'sub_account_funded');

  await sub.click();
  await page.getByRole('complementary').getByRole('button', { name: 'Switch to sub-account' }).click();
  await expect(page.getByRole('region', { name: 'You are acting as another user' })).toContainText(name);
  await page.goto('/billing');
  await expect(page.getByRole('table', { name: 'Ledger' })).toContainText('Transfer received');
  await page.goto('/settings/sms-limits/create');
  await page.getByRole('combobox', { name: 'What to count' }).click();
  await page.getByRole('option', { name: 'Spend', exact: true }).click();
  await page.getByRole('textbox', { name: /^Limit/ }).fill('1');
  await page.getByRole('button', { name: 'Create limit' }).click();
  await expect(page.getByRole('row').filter({ hasText: /1.00.* per day/ })).toBeVisible();

  const token = await page.evaluate<string>("sessionStorage.getItem('parley.entered')");
  const call = async (method: string, path: string, data?: object) => {
    const response = await fetch(`${at.app}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(data ? { body: JSON.stringify({ data }) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Reply };
  };
  const free = await call('GET', 'numbers?filter[country]=GB&filter[type]=mobile');
  const bought = await call('POST', 'senders', { type: 'mobile', code: free.body.data[0]!.number });
  expect(bought.status).toBe(201);
  const send = () =>
    call('POST', 'messages', {
      ...{ channel: 'SMS', from: bought.body.data.id, text: 'Your parcel is here' },
      to: Array.from({ length: 10 }, (_, n) => `+44740${n}${freshDigits(6)}`),
    });
  let reply = await send();
  for (let n = 0; n < 10 && reply.status === 200; n++) reply = await send();
  expect(reply.body.errors[0]!.code, 'the code of the cap, not of the balance').toBe(2327);
  await page.goto('/settings/sms-limits');
  await expect(page.getByRole('row').filter({ hasText: /1.00.* per day/ })).toContainText(/Near limit|Reached/);
  await lookAt(page, 'sub_account_capped');

  const parent = await openAs(OWNER, { path: '/billing/statements' });
  await parent.getByRole('combobox', { name: 'Account' }).click();
  await parent.getByRole('option', { name }).click();
  await parent.getByRole('row').nth(1).click();
  await expect(parent.getByRole('complementary')).toContainText('Transfers received');
  await lookAt(parent, 'sub_account_statement');
});
