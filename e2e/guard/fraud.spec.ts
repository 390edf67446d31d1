/** Signs of fraud in verification codes. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

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
