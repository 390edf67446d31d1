/** Lists: by keyboard alone, sorted, saved as views, and as cards on a phone. */
import { makeWorld, type World } from './accessible/places.ts';
import { OPERATOR, OWNER } from './api.ts';
import { expect, test } from './test.ts';

let world: World;
test.beforeEach(async ({ api, sandbox }) => {
  world ??= await makeWorld(await api(OWNER), await api(OPERATOR), sandbox);
});

test('a list is searched, walked, selected, and opened with the keyboard', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row');
  await expect(rows.nth(2)).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByPlaceholder('Number begins with')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/message=/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/message=/);

  await page.goto(new URL(`/contacts/my-audiences/${world.audience}`, page.url()).href);
  const contacts = page.getByRole('table', { name: 'Contacts' }).getByRole('row');
  await expect(contacts.nth(2)).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('toolbar')).toContainText('1 selected');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('toolbar')).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('toolbar')).toHaveCount(0);
});

test('columns are moved with the keyboard and stay after a reload', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  const headers = page.getByRole('columnheader');
  await expect(headers.nth(1)).toHaveText('Status');
  await page.getByRole('button', { name: 'Choose columns' }).press('Enter');
  const move = page.getByRole('button', { name: 'Move Status up' });
  await move.press('Enter');
  await expect(headers.first()).toHaveText('Status');
  // At the start, the focus goes to the button that still works.
  await expect(page.getByRole('button', { name: 'Move Status down' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Choose columns' })).toBeFocused();
  await page.reload();
  await expect(headers.first()).toHaveText('Status');
});

test('the message log shows number, status, text, and price on a phone', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/insights?tab=log', viewport: { width: 390, height: 844 } });
  const card = page.getByRole('row').filter({ hasText: '$' }).first();
  await expect(card).toContainText(/\+\d/);
  await expect(card).toContainText(/Price\s*\$\d/);
  await expect(card).toContainText(/Time\s*\d\d-\d\d-\d{4}/);
  await expect(card.locator('[dir=auto]')).not.toBeEmpty();
  await card.click();
  await expect(page).toHaveURL(/message=/);
});

test('a phone shows the menus of cards, whole names, and the open tab', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/settings/audit-log' });
  const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' });
  await expect(tab).toHaveAttribute('aria-current', 'page');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(tab).toBeInViewport({ ratio: 1 });

  await page.goto('/sms/my-campaigns');
  const name = `${world.name} later`;
  const card = page.getByRole('row').filter({ hasText: name });
  await expect(card.getByRole('button', { name: `Actions for ${name}` })).toHaveCSS('opacity', '1');
  const text = card.getByText(name, { exact: true });
  expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  // It has not started, so that nothing is delivered or paid for.
  await expect(card).toContainText('When');
  await expect(card.getByText('Delivered', { exact: true })).toBeHidden();
});

test('the choice of columns stays in reach if the columns are wider than the page', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/sms/my-campaigns', viewport: { width: 1024, height: 800 } });
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose columns' })).toBeInViewport({ ratio: 1 });
});

test('the title of a sender shows its number in the international format with its country', async ({ openAs, api }) => {
  const [sender] = await (await api(OWNER)).get<{ id: string }[]>('senders?filter[name]=Harbour Hamburg');
  const page = await openAs(OWNER, { path: `/senders/edit-sender?id=${sender!.id}` });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Edit DE\+49 171 \d+$/);
});

test('a list is sorted and saved as a view with the keyboard alone', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/contacts/my-audiences' });
  const rows = page.getByRole('table', { name: 'Audiences' }).getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  const name = page.getByRole('columnheader', { name: 'Name' });
  await name.getByRole('button').press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'ascending');
  await name.getByRole('button').press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=-name/);
  await page.reload();
  await expect(name).toHaveAttribute('aria-sort', 'descending');

  await page.getByRole('button', { name: 'Views' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Save as new view' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Names backward');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'View: Names backward' })).toBeVisible();
  await expect(page).toHaveURL(/view=/);

  await name.getByRole('button').press('Enter');
  await page.getByRole('button', { name: 'View: Names backward, modified' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Discard changes' }).press('Enter');
  await expect(name).toHaveAttribute('aria-sort', 'descending');

  // Back from a record returns to the view.
  await rows.nth(1).focus();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/view=/);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'View: Names backward' })).toBeVisible();
  await expect(name).toHaveAttribute('aria-sort', 'descending');

  await page.getByRole('button', { name: 'View: Names backward' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
  await expect(page).not.toHaveURL(/view=|sort=/);
});

test('a phone sorts the cards of a list and opens its views', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/contacts/my-audiences', viewport: { width: 390, height: 844 } });
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, descending');
  await expect(page).toHaveURL(/sort=-name/);
  await page.getByRole('button', { name: 'Views' }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Save as new view' })).toBeVisible();
  const box = await menu.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
});
