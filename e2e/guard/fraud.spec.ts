/** Signs of fraud in verification codes and in campaigns. */
import { OPERATOR, OWNER } from '../api.ts';
import { newCompany } from '../company.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

test('codes to consecutive numbers are reported, then stopped, and allowed again', async ({ api, openAs }) => {
  const owner = await api(OWNER);
  // Only this test sends codes to this range.
  const prefix = `4474${freshDigits(4)}`;
  const send = (n: number) =>
    owner.post('verifications', {
      ...{ channel: 'SMS', sender: 'Harbour Hamburg', phone: `${prefix}0${100 + n}`, code_length: 6 },
    });
  for (let n = 0; n < 10; n++) await send(n);

  const page = await openAs(OWNER, { path: '/apis/verifications' });
  const place = `+${prefix.slice(0, 6)}`;
  const row = page.getByRole('table', { name: 'Suspicious destinations' }).getByRole('row').filter({ hasText: place });
  await expect(row).toContainText('Codes were requested for 10 consecutive numbers within an hour.');
  await expect(row).toContainText('Still sent');

  await page.getByRole('button', { name: 'Fraud protection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radiogroup', { name: 'Consecutive numbers' }).getByText('Stop').click();
  await dialog.getByRole('button', { name: 'Run back-test' }).click();
  const sign = dialog.getByRole('region', { name: 'Back-test' }).getByRole('listitem').filter({ hasText: place });
  await expect(sign).toContainText('Codes were requested for 10 consecutive numbers');
  await expect(sign).toContainText('0 codes blocked');
  await dialog.getByRole('button', { name: 'Save fraud protection' }).click();
  await expect(page.getByText('Fraud protection saved')).toBeVisible();
  await send(10);
  await expect(send(11)).rejects.toThrow(/2362|signs of fraud/);
  const stopped = row.filter({ hasText: 'Stopped' });
  await expect(stopped).toContainText('11 consecutive numbers');
  await stopped.getByRole('button', { name: /^Allow codes/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Allow codes' }).click();
  await expect(stopped).toHaveCount(0);
  await send(12);
  const { actions, lift_hours } = await owner.get<{ actions: object; lift_hours: number }>('verifications/protection');
  await owner.put('verifications/protection', { actions: { ...actions, consecutive: 'notify' }, lift_hours });
});

test('a campaign that shows a sign of fraud pauses, explains itself, and resumes after the stop is lifted', async ({
  api,
  openAs,
}) => {
  const owner = await api(OWNER);
  // Only this test sends to this range.
  const prefix = `4473${freshDigits(2)}`;
  const protect = async (page: Page, action: string) => {
    await page.goto('/settings/sms-limits');
    await page.getByRole('button', { name: 'Fraud protection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radiogroup', { name: 'Campaigns' }).getByText(action).click();
    await dialog.getByRole('button', { name: 'Save fraud protection' }).click();
    await expect(page.getByText('Fraud protection saved')).toBeVisible();
  };
  const start = async (from: number) => {
    const numbers = Array.from({ length: 25 }, (_, n) => `+${prefix}${freshRange}${100 + from + n}`);
    const name = `Fraud ${prefix} ${from}`;
    const audience = await owner.importAudience(name, ['Number', ...numbers].join('\n'));
    const fields = { name, channel: 'SMS', from: 'Harbour Hamburg', audience, text: 'Hello' };
    return (await owner.post<{ id: string }>('campaigns', fields)).id;
  };
  const freshRange = freshDigits(3);
  const page = await openAs(OWNER, { path: '/settings/sms-limits' });
  await protect(page, 'Block');
  await start(0);
  const row = page
    .getByRole('table', { name: 'Signs of fraud' })
    .getByRole('row')
    .filter({ hasText: `+${prefix}` });
  // The stop appears without a reload.
  await expect(row).toContainText('Campaign messages were sent to 25 consecutive numbers within an hour.');
  await expect(row).toContainText('Stopped');

  const second = await start(25);
  await page.goto(`/sms/my-campaigns/${second}`);
  await expect(page.getByText(/^Messages to the next contacts are stopped/)).toBeVisible();
  await page.getByRole('link', { name: 'Open SMS limits' }).click();
  await row.getByRole('button', { name: /^Lift stop of/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift stop' }).click();
  await expect(page.getByText('Stop lifted')).toBeVisible();
  await expect(row).toHaveCount(0);
  const [entry] = await owner.get<{ action: string }[]>('audit_log');
  expect(entry!.action).toBe('traffic.allowed');

  // Before the settings are saved, the back-test finds the sign of this test.
  await page.goto('/settings/sms-limits');
  await page.getByRole('button', { name: 'Fraud protection' }).click();
  const backTest = page.getByRole('dialog').getByRole('region', { name: 'Back-test' });
  await backTest.getByRole('button', { name: 'Run back-test' }).click();
  await expect(backTest).toContainText(/These settings would have blocked/);
  await expect(backTest).toContainText(/signs? of fraud (was|were) found/);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`/sms/my-campaigns/${second}`);
  await page.getByRole('button', { name: /^Resume/ }).click();
  const read = () => owner.get<{ status: string; fanned_out: number }>(`campaigns/${second}`);
  await expect.poll(async () => (await read()).fanned_out).toBe(25);
  await protect(page, 'Notify');
});

test('an operator sees why messages of a customer are stopped, and lifts the stop', async ({
  api,
  at,
  openAs,
  sandbox,
}) => {
  const { api: owner } = await newCompany(at, sandbox);
  const { id } = await owner.get<{ id: string }>('accounts/self');
  await owner.put('traffic_protection', { messages: 'block', campaigns: 'block', lift_hours: 24 });
  const { code } = await (await api(OPERATOR)).post<{ code: string }>(`accounts/${id}/senders`, {
    ...{ name: 'Orders', code: `F${freshDigits(6)}`, channel: 'SMS', type: 'alphanumeric' },
  });
  const prefix = `4472${freshDigits(2)}`;
  const send = (to: string[]) => owner.post('messages', { channel: 'SMS', from: code, to, text: 'Hi' });
  for (const ten of [10, 20]) await send(Array.from({ length: 10 }, (_, n) => `${prefix}0001${ten + n}`));
  const page = await openAs(OPERATOR, { host: 'admin', path: `/accounts/${id}` });
  const row = page
    .getByRole('table', { name: 'Signs of fraud' })
    .getByRole('row')
    .filter({ hasText: `+${prefix}` });
  await expect(row).toContainText('Messages were sent to 20 consecutive numbers within an hour.');
  await row.getByText('Other figures at that time').click();
  await expect(row).toContainText(/The busiest hour of the last 15 days had 0 messages/);
  await row.getByRole('button', { name: /^Lift stop of/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift stop' }).click();
  await expect(page.getByText('Stop lifted')).toBeVisible();
  await expect(row).toHaveCount(0);
  await send([`${prefix}000150`]);
});
