/** Limits and country lists that sub-accounts inherit. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('a company overrides a limit for a sub-account and resets it, and the sub-account sees it', async ({
  api,
  openAs,
}) => {
  const unique = Date.now().toString(36);
  const name = `Harbor ${unique}`;
  const owner = await api(OWNER);
  await owner.post('accounts/self/subaccounts', {
    ...{ company_name: name, country_code: 'DE', timezone: 'Europe/Berlin' },
    ...{ first_name: 'Mia', last_name: 'Sommer', email: `mia-${unique}@people.example` },
  });

  const page = await openAs(OWNER, { path: '/settings/sms-limits/create' });
  await page.getByRole('textbox', { name: 'Limit', exact: true }).fill('700');
  // Only this test uses this prefix.
  await page.getByLabel('Number prefixes').first().fill('+679');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Applies to sub-accounts' }).click();
  await page.getByRole('option', { name: 'Yes, each sub-account counts separately' }).click();
  await page.getByRole('button', { name: 'Create limit' }).click();
  const words = '700 SMS messages per day to numbers with +679';
  const row = page.getByRole('row').filter({ hasText: words });
  await expect(row).toContainText('Also applies to each sub-account');

  await page.goto('/subaccounts');
  await page.getByPlaceholder('Search companies or owners').fill(name);
  const sub = page.getByRole('row').filter({ hasText: name });
  await expect(sub).toHaveCount(1);
  await sub.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Limits' }).click();
  const dialog = page.getByRole('dialog');
  const item = dialog.getByRole('listitem').filter({ hasText: words });
  await expect(item).toContainText('Inherited · 0 used');
  await item.getByRole('button', { name: /^Override/ }).click();
  await item.getByRole('textbox', { name: 'Limit for this sub-account' }).fill('9');
  await item.getByRole('button', { name: 'Save override' }).click();
  await expect(item).toContainText('Overridden: 9 for this sub-account');
  await item.getByRole('button', { name: /^Turn off/ }).click();
  await expect(item).toContainText('Off for this sub-account');
  await item.getByRole('button', { name: /^Reset/ }).click();
  await expect(item).toContainText('Inherited · 0 used');
  await page.keyboard.press('Escape');

  await sub.click();
  await page.getByRole('complementary').getByRole('button', { name: 'Switch to sub-account' }).click();
  const banner = page.getByRole('region', { name: 'You are acting as another user' });
  await expect(banner).toContainText(name);
  await page.goto('/settings/sms-limits');
  await expect(row).toContainText('Set by Harbour Coffee');
  await row.click();
  await expect(page.getByText('Only Harbour Coffee can change this limit.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete limit' })).toHaveCount(0);
  await banner.getByRole('button', { name: 'Leave' }).click();
  await expect(banner).toHaveCount(0);

  await page.goto('/settings/sms-limits');
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete limit' }).click();
  await expect(row).toHaveCount(0);
});

test('a company blocks countries for its sub-accounts and makes an exception for one', async ({ api, openAs }) => {
  const unique = Date.now().toString(36);
  const name = `Quay ${unique}`;
  const owner = await api(OWNER);
  await owner.post('accounts/self/subaccounts', {
    ...{ company_name: name, country_code: 'DE', timezone: 'Europe/Berlin' },
    ...{ first_name: 'Mia', last_name: 'Sommer', email: `quay-${unique}@people.example` },
  });
  const { id, countries } = await owner.get<{ id: string; countries: string[] }>('country_blacklist');
  await owner.put(`country_blacklist/${id}`, { countries: [...countries, 'FJ'] });

  const page = await openAs(OWNER, { path: '/settings/country-blacklist' });
  await page.getByRole('switch', { name: 'Also block for sub-accounts' }).check();
  await page.getByRole('button', { name: 'Save country blacklist' }).click();
  await expect(page.getByText('Country blacklist saved')).toBeVisible();

  await page.goto('/subaccounts');
  await page.getByPlaceholder('Search companies or owners').fill(name);
  const sub = page.getByRole('row').filter({ hasText: name });
  await sub.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Limits' }).click();
  const part = page.getByRole('dialog').getByRole('region', { name: 'Countries' });
  await expect(part).toContainText(/Your blacklist blocks .*Fiji.* for all sub-accounts/);
  await part.getByRole('combobox', { name: 'Exceptions' }).fill('Fiji');
  await page.getByRole('option', { name: /Fiji/ }).click();
  await page.keyboard.press('Tab');
  const save = part.getByRole('button', { name: 'Save exceptions' });
  await expect(save).toBeDisabled();
  await part.getByLabel('I understand the risk').check();
  await save.click();
  await expect(page.getByText('Country exceptions saved')).toBeVisible();
  await owner.put(`country_blacklist/${id}`, { countries, sub_accounts: false });
});
