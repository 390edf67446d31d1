/** Limits that stop a campaign, and blocked countries. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

const NOTICE = 'Threshold reached! You can adjust your rule settings accordingly.';

test('a limit stops a campaign with a notice, after a back-test, and a blocked country is unblocked', async ({
  api,
  openAs,
}) => {
  const owner = await api(OWNER);
  // Only this test sends to numbers with this prefix.
  const prefix = `447400${freshDigits(4)}`;
  const numbers = Array.from({ length: 6 }, (_, n) => `${prefix}${n}0`);
  for (const to of numbers)
    await owner.post('messages', { channel: 'SMS', from: 'Harbour Hamburg', to: [to], text: 'Hi' });

  const page = await openAs(OWNER, { path: '/settings/sms-limits/create' });
  await page.getByRole('textbox', { name: 'Limit', exact: true }).fill('4');
  await page.getByLabel('Number prefixes').first().fill(`+${prefix}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Run back-test' }).click();
  const backTest = page.getByRole('region', { name: 'Back-test' });
  await expect(backTest).toContainText(/would have blocked 2 messages worth/);
  await expect(backTest.getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Suggest a limit' }).click();
  await expect(page.getByText(/There is no suggestion for limits/)).toBeVisible();
  await page.getByRole('combobox', { name: /^Warn at/ }).click();
  await page.getByRole('option', { name: '50%', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create limit' }).click();
  await expect(page).toHaveURL('/settings/sms-limits');
  const row = page.getByRole('row').filter({ hasText: `+${prefix}` });
  await expect(row).toContainText('4 SMS messages per day');

  const csv = ['Number', ...numbers].join('\n');
  const audience = await owner.importAudience(`Limit ${prefix}`, csv);
  const campaign = await owner.post<{ id: string }>('campaigns', {
    ...{ name: `Limit ${prefix}`, channel: 'SMS', from: 'Harbour Hamburg', audience, text: 'Hello' },
  });
  const notice = page.getByRole('alert').filter({ hasText: NOTICE });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await expect(row).toContainText('Reached');
  await page.goto(`/sms/my-campaigns/${campaign.id}`);
  await expect(page.getByText('A traffic limit was reached')).toBeVisible();
  await page.getByRole('link', { name: 'Open SMS limits' }).click();
  await expect(page).toHaveURL('/settings/sms-limits');
  // Otherwise, the paused campaign keeps its money on hold.
  await owner.put(`campaigns/${campaign.id}`, { status: 'canceled' });

  const abroad = await owner.importAudience(`Abroad ${prefix}`, 'Number\n+64211234567');
  const blocked = async () =>
    (
      await owner.post<{ counts: { country_blocked: number } }>('campaign_previews', {
        ...{ channel: 'SMS', from: 'Harbour Hamburg', audience: abroad, text: 'Hello' },
      })
    ).counts.country_blocked;
  await page.getByRole('link', { name: 'Country blacklist' }).click();
  const countries = page.locator('input').and(page.getByLabel('Blocked countries'));
  await countries.fill('New Zealand');
  await page.getByRole('option', { name: /New Zealand/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save country blacklist' }).click();
  await expect(page.getByText('Country blacklist saved')).toBeVisible();
  expect(await blocked()).toBe(1);
  await countries.press('Backspace');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save country blacklist' }).click();
  await expect.poll(blocked).toBe(0);
});
