/** The documentation of the API, as a visitor who is not signed in reads it. */
import { expect, test } from '../test.ts';

test('a visitor finds a call by its error code, and copies a section as Markdown', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: 'First message in two minutes' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Code: 2. Send the message' })).toContainText('Idempotency-Key');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('searchbox').fill('1306');
  await contents.getByRole('link', { name: 'Create an audience' }).click();
  const call = page.getByRole('region', { name: /^Create an audience/ });
  await call.getByText('Errors').click();
  await expect(call.getByText('1306: Channel is required')).toBeVisible();
  await call.getByText('Python').click();
  await expect(call.getByRole('region', { name: /^Example/ })).toContainText('requests.post(');
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain('# Audiences');
  expect(copied).toContain('| 400 | 1306: Channel is required |');
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(wide).toBe(0);
});
