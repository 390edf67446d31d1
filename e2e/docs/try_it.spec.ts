/** Making calls from the documentation with a test key. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

const SEND = 'Try it: Send a message to 1 to 10 recipients; either all are accepted or none';

test('a signed-in user makes a call with a test key, by keyboard alone', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/docs?section=messages' });
  await page.getByRole('button', { name: SEND }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: SEND });
  await form.getByLabel('Test key', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'Create test key' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Test key', { exact: true })).toHaveValue(/^parley_test_/);
  await form.getByLabel('Path').focus();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('region', { name: 'Response' })).toContainText('"test": true');
  await expect(form.getByText(/^\d+ ms$/)).toBeInViewport();
  await expect(form.getByRole('button', { name: /^Copy request ID [0-9a-f-]{36}$/ })).toBeVisible();
  const curl = await form.getByRole('region', { name: 'Request as a curl command' }).innerText();
  expect(curl).toContain('/v1/messages');
  expect(curl).toContain("-H 'X-API-Key: parley_test_");
});

test('a refused call shows its error, and nothing is sent with a live key, another path, or a broken body', async ({
  openAs,
  api,
  quiet,
}) => {
  quiet.expect(/^400 POST \/v1\/messages$/);
  const owner = await api(OWNER);
  const { key } = await owner.post<{ key: string }>('keys', { name: 'Live', permissions: { MESSAGES: 15 } });
  const page = await openAs(OWNER, { path: '/docs?section=messages' });
  await page.getByRole('button', { name: SEND }).click();
  const form = page.getByRole('form', { name: SEND });
  const send = form.getByRole('button', { name: 'Send request' });
  await form.getByLabel('Test key', { exact: true }).fill(key);
  await form.getByLabel('Path').fill('/v1/campaigns');
  await form.getByLabel('Body').fill('{"data": {');
  await send.click();
  await expect(form.getByText('Enter a test key. It starts with parley_test_.')).toBeVisible();
  await expect(form.getByText('The path must have the form /v1/messages.')).toBeVisible();
  await expect(form.getByText('The body must be JSON.')).toBeVisible();
  await form.getByRole('button', { name: 'Create test key' }).click();
  await expect(form.getByLabel('Test key', { exact: true })).toHaveValue(/^parley_test_/);
  await form.getByLabel('Path').fill('/v1/messages');
  await form.getByLabel('Body').fill('{"data": {"to": []}}');
  await send.click();
  await expect(form.getByRole('region', { name: 'Response' })).toContainText('"code": 15');
  await expect(form.getByRole('definition').filter({ hasText: /^400$/ })).toBeVisible();
});

test('a visitor reads how to get a key, and calls that refuse test keys have no form', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/docs?section=messages');
  await page.getByRole('button', { name: SEND }).click();
  await expect(page.getByText('To make this call here, sign in or create an account.')).toBeVisible();
  const wide = await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(wide).toBe(0);
  await page.goto('/docs?section=keywords');
  await expect(page.getByRole('heading', { name: /^Keywords/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try it/ })).toHaveCount(0);
});
