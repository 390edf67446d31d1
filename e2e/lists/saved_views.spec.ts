/** Sorting and saved views of lists: with the keyboard, after a reload, for other users, and on a phone. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

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
  await expect(menu.getByText(/^No views yet/)).toBeVisible();
  const box = await menu.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
});
