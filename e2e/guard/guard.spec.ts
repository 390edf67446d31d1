/** Limits that stop a campaign, and blocked countries. */
import { OWNER } from '../api.ts';
import { newCompany } from '../company.ts';
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
  await expect(page.getByText(/No suggestions are available for limits/)).toBeVisible();
  await page.getByRole('combobox', { name: /^Warn at/ }).press('ArrowDown');
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
  const listTest = page.getByRole('region', { name: 'Back-test' });
  await listTest.getByRole('button', { name: 'Run back-test' }).click();
  await expect(listTest).toContainText('This list would have blocked none of your');
  await countries.fill('United Kingdom');
  await page.getByRole('option', { name: /United Kingdom/ }).click();
  await page.keyboard.press('Escape');
  // The result belongs to the list before.
  await expect(listTest).not.toContainText('This list would');
  await listTest.getByRole('button', { name: 'Run back-test' }).click();
  await expect(listTest).toContainText(/This list would have blocked [\d,]+ messages? worth/);
  await expect(listTest).toContainText(/United Kingdom: [\d,]+ messages?/);
  await countries.press('Backspace');
  await page.getByRole('button', { name: 'Save country blacklist' }).click();
  await expect(page.getByText('Country blacklist saved')).toBeVisible();
  expect(await blocked()).toBe(1);
  await countries.press('Backspace');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save country blacklist' }).click();
  await expect.poll(blocked).toBe(0);
});

test('a country is allowed after the risk is acknowledged, and the audit log keeps it', async ({
  at,
  sandbox,
  openAs,
}) => {
  const { email, api } = await newCompany(at, sandbox);
  const page = await openAs(email, { path: '/settings/country-blacklist' });
  await page.getByRole('button', { name: 'Look around first' }).click();
  const change = page.getByRole('button', { name: 'Change allowed countries' });
  await change.click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save allowed countries' });
  await dialog.getByText('Only allowed countries').click();
  await save.click();
  await expect(page.getByText('Messages are sent only to Germany.')).toBeVisible();

  await change.click();
  await dialog.getByRole('combobox').fill('Armenia');
  await page.getByRole('option', { name: /Armenia/ }).click();
  await page.keyboard.press('Tab');
  await expect(dialog.getByText(/^Armenia: .*0\.\d\d/)).toBeVisible();
  await expect(save).toBeDisabled();
  await dialog.getByLabel('I understand the risk').check();
  await save.click();
  await expect(page.getByText('Messages are sent only to Armenia and Germany.')).toBeVisible();
  const [entry] = await api.get<{ action: string; detail: { risk_acknowledged?: string[] } }[]>('audit_log');
  expect([entry!.action, entry!.detail.risk_acknowledged]).toEqual(['allowed_countries.changed', ['AM']]);
});
