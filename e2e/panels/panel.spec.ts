/** The panel of a record: beside its list on wide screens, above it on a phone. */
import { makeWorld } from '../accessible/places.ts';
import { OPERATOR, OWNER } from '../api.ts';
import { expect, type Page, test } from '../test.ts';

test.beforeEach(async ({ api, sandbox }) => {
  await makeWorld(await api(OWNER), await api(OPERATOR), sandbox);
});

const rows = (page: Page) => page.getByRole('table', { name: 'Messages' }).getByRole('row');
const panel = (page: Page) => page.getByRole('complementary');
const openId = (page: Page) => new URL(page.url()).searchParams.get('message');

test('J and K open the next record while the list stays usable beside the panel', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  await rows(page).nth(2).click();
  await expect(panel(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const first = openId(page);
  await page.keyboard.press('j');
  await expect(rows(page).nth(3)).toHaveAttribute('aria-current', 'true');
  expect(openId(page)).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => openId(page)).toBe(first);
  await panel(page).getByRole('button', { name: 'Previous record' }).click();
  await expect(rows(page).nth(1)).toHaveAttribute('aria-current', 'true');
  await expect(panel(page).getByRole('button', { name: 'Previous record' })).toBeDisabled();

  // The list works while the panel is open.
  await page.getByPlaceholder('Number begins with').fill('4');
  await expect(page).toHaveURL(/search=4/);
  await expect(panel(page)).toBeVisible();
});

test('Esc returns the focus to the row of the last record, and Back leaves the panel immediately', async ({
  openAs,
}) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  await expect(rows(page).nth(3)).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows(page).nth(2)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(rows(page).nth(2)).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  await expect(rows(page).nth(3)).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(panel(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/insights\?tab=log$/);
});

test('a link opens the record beside its list, and a widened panel stays wide', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  await rows(page).nth(1).click();
  const narrow = (await panel(page).boundingBox())!.width;
  await panel(page).getByRole('button', { name: 'Widen panel' }).click();
  await expect.poll(async () => (await panel(page).boundingBox())!.width).toBeGreaterThan(narrow);
  const title = (await panel(page).getByRole('heading', { level: 2 }).textContent())!;
  await page.reload();
  await expect(panel(page)).toContainText(title);
  await expect(panel(page).getByRole('button', { name: 'Narrow panel' })).toBeVisible();
  await panel(page).getByRole('button', { name: 'Close panel' }).click();
  await expect(page).toHaveURL(/\/insights\?tab=log$/);
});

test('the panel covers the list on a phone and traps the focus until it closes', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log', viewport: { width: 390, height: 844 } });
  await rows(page).nth(2).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { level: 2 })).toBeVisible();
  await expect(panel(page)).toHaveCount(0);
  const first = openId(page);
  await dialog.getByRole('button', { name: 'Next record' }).click();
  await expect.poll(() => openId(page)).not.toBe(first);
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null'), `step ${step}`).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/insights\?tab=log$/);
});
