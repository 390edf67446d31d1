/** Features of every page: the command palette, shortcuts, Undo, and the app without a connection. */
import { OWNER } from './api.ts';
import { expect, type Page, test } from './test.ts';

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
const group = (page: Page, name: string) => page.getByRole('group', { name });

async function openPalette(page: Page): Promise<void> {
  // The shortcut works once the page has loaded its code.
  await expect(async () => {
    if ((await palette(page).count()) === 0) await page.keyboard.press('Control+k');
    await expect(palette(page)).toBeFocused({ timeout: 2_000 });
  }).toPass();
}

test('the palette finds a contact, a setting by its value, and actions on the open record', async ({ openAs, api }) => {
  const owner = await api(OWNER);
  const unique = Date.now().toString(36);
  await owner.importAudience(`Palette ${unique}`, `Number,First name,Last name\n4917604060011,Zora,Quux${unique}\n`);
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  await expect(page.getByRole('heading', { level: 1, name: 'Insights' })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type(`quux${unique}`);
  await expect(group(page, 'Contacts').getByRole('option', { name: new RegExp(`Zora Quux${unique}`) })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/contacts\/my-audiences\/[\w-]+\?search=4917604060011&open=/);
  await expect(page.getByRole('heading', { name: `Zora Quux${unique}` })).toBeVisible();

  // Above the open panel; Esc closes only the palette.
  await openPalette(page);
  await expect(group(page, 'Recent').getByRole('option').first()).toContainText(`Zora Quux${unique}`);
  await expect(group(page, `This audience: Palette ${unique}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: `Zora Quux${unique}` })).toBeVisible();

  await openPalette(page);
  await page.keyboard.type('time zone');
  await expect(page.getByRole('option', { name: /^Time zone, \w+/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/settings/account');

  await openPalette(page);
  await page.keyboard.type('theme dark');
  await expect(page.getByRole('option', { name: /dark/i, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('a question mark lists the shortcuts, except while the user types', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/library' });
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('searchbox')).toHaveValue('?');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toContainText('Search pages, actions, and records');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a deleted template can be brought back, and is deleted after a reload otherwise', async ({ openAs, api }) => {
  const owner = await api(OWNER);
  const name = `undo_${Date.now().toString(36)}`;
  await owner.post('templates', { channel: 'SMS', name, type: 'text', text: 'Undo me' });
  const page = await openAs(OWNER, { path: `/library?search=${name}` });
  const row = page.getByRole('row', { name: new RegExp(name) });
  const remove = async () => {
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(row).toHaveCount(0);
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();
  await remove();
  // The closing page sends the deletion, so the new one no longer finds the template.
  await page.reload();
  await expect(page.getByText('You have not created any template with the searched name')).toBeVisible();
});

test('without a connection the app shows a banner, and loads the page when the connection returns', async ({
  openAs,
  quiet,
}) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  quiet.allow(/^failed GET \/((v1|assets)\/|livez|favicon| )/);
  await page.context().setOffline(true);
  const banner = page.getByRole('status', { name: 'Connection' });
  await expect(banner).toContainText('You are offline');
  // The code of this page has not been loaded yet.
  await page
    .getByRole('link', { name: 'Stop list' })
    .or(page.getByRole('button', { name: 'Contacts' }))
    .first()
    .click();
  await page.getByRole('link', { name: 'Stop list' }).click();
  await expect(page.getByText('The page could not be loaded')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Stop list' })).toBeVisible();
  await expect(banner).toHaveText('');
});
