/** The manual, from the page where a user needs it, on a phone, and on paper. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('a user opens the help of a page, searches the manual, and finds it in the palette', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/contacts/imports' });
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /^Help with this page/ }).click();
  const manual = await opened;
  await expect(manual).toHaveURL(/\/manual\/imports#states$/);
  await expect(manual.getByRole('heading', { level: 1, name: 'Imports' })).toBeVisible();
  await expect(manual.getByRole('heading', { level: 2, name: /^States/ })).toBeInViewport();

  const contents = manual.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('searchbox').fill('frequency cap');
  await contents
    .getByRole('link', { name: /Frequency cap/ })
    .first()
    .click();
  await expect(manual.getByRole('heading', { level: 2, name: /^Frequency cap/ })).toBeInViewport();
  await manual.setViewportSize({ width: 390, height: 800 });
  const wide = await manual.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(wide).toBe(0);
  await manual.emulateMedia({ media: 'print' });
  await expect(contents).toBeHidden();
  await expect(manual.getByRole('main')).toBeVisible();
  await manual.close();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Help with this page' })).toHaveAttribute(
    'href',
    '/manual/imports#states',
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('undo an import');
  await expect(page.getByRole('option', { name: /Undo an import/ })).toBeVisible();
});
