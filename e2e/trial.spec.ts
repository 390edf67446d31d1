/** The end of a trial. The demo contains a company whose trial has expired. */
import { findProblems, NARROW, WIDE } from './accessible/look.ts';
import { OWNER, PAST_TRIAL } from './api.ts';
import { freshDigits } from './sandbox.ts';
import { expect, test } from './test.ts';

test('an expired trial redirects all pages except settings and sign-out to the trial-ended page', async ({
  openAs,
}) => {
  const page = await openAs(PAST_TRIAL, { path: '/settings/user' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const path of ['/insights', '/contacts/my-audiences?page=2', '/']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Your trial has ended' })).toBeVisible();
    await expect(page).toHaveURL('/expired');
  }
  await expect(page).toHaveTitle(/Trial expired · Parley$/);
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    expect(await findProblems(page, `expired, ${viewport.width} wide`)).toEqual([]);
  }
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await expect(page).toHaveURL(/\/settings/);
  await page.goto('/logout');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('the trial-ended page is not available while the trial has not expired', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/expired' });
  await expect(page).toHaveURL('/');
});

test('the code step for changing a phone number is accessible', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/change-phone' });
  const phone = `49176${freshDigits(8)}`;
  await page.getByLabel('Phone number', { exact: true }).pressSequentially(`+${phone}`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page).toHaveURL('/change-phone?step=code');
  await expect(page.getByLabel('Code')).toBeVisible();
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    expect(await findProblems(page, `code of another phone, ${viewport.width} wide`)).toEqual([]);
  }
});
