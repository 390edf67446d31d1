/**
 * Templates for every channel: an operator rejects and approves a Viber template, and WhatsApp rejects and approves
 * another.
 */
import { findProblems, NARROW } from './accessible/look.ts';
import { OPERATOR, OWNER } from './api.ts';
import { expect, type Page, test } from './test.ts';

const newSuffix = () => Date.now().toString(36).slice(-6);
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });
const phone = (page: Page) => page.getByRole('complementary', { name: 'Preview' });
/** A 1x1 PNG. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('an SMS template shows its segments and can be saved, found, changed, and deleted', async ({ openAs }) => {
  const name = `Welcome ${newSuffix()}`;
  const page = await openAs(OWNER, { path: '/library', reducedMotion: 'reduce' });
  await page.getByRole('link', { name: 'Create template' }).first().click();
  await field(page, 'Message').fill('Hello {first_name:there}');
  await expect(phone(page).getByText('Hello there')).toBeVisible();
  await page.getByRole('switch', { name: /Opt-out footer/ }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('38/1000 - 1 segment - GSM-7')).toBeVisible();
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(field(page, /Template name/)).toBeFocused();
  await expect(page.getByText('Template name is required!').first()).toBeVisible();
  expect(await findProblems(page, 'create SMS template with an error')).toEqual([]);
  await field(page, /Template name/).fill(name);
  await page.getByRole('button', { name: 'Save template' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Available')).toBeVisible();
  expect(await findProblems(page, 'template panel')).toEqual([]);

  await panel.getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(/\/library\/edit\//);
  await field(page, 'Message').fill('Good day {first_name:there}');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(page.getByRole('complementary').getByText('Good day there')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox', { name: 'Search by name' }).fill('no such template');
  await expect(page.getByText('You have not created any template with the searched name')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by name' }).fill(name);
  const row = page.getByRole('row', { name: new RegExp(name) });
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText(`${name} was deleted`)).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('a Viber template is rejected, corrected, and approved, with live updates and emails', async ({
  openAs,
  sandbox,
}) => {
  test.setTimeout(150_000);
  const name = `Sale ${newSuffix()}`;
  const page = await openAs(OWNER, { path: '/library/create?channel=VIBER', reducedMotion: 'reduce' });
  await field(page, /Template name/).fill(name);
  await field(page, 'Message').fill('Twenty percent off until Friday');
  await page.getByText('Image', { exact: true }).click();
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByText('File is a required field').first()).toBeVisible();
  await expect(page.getByText('A Viber message with an image and text needs a button').first()).toBeVisible();
  // Changing the type removes the file, and a link then replaces the file.
  await page.locator('input[type=file]').setInputFiles({ name: 'sale.png', mimeType: 'image/png', buffer: PNG });
  await expect(page.getByText('sale.png')).toBeVisible();
  await page.getByText('Video', { exact: true }).click();
  await expect(page.getByText('sale.png')).toHaveCount(0);
  await page.getByText('Image', { exact: true }).click();
  await page.locator('input[type=file]').setInputFiles({ name: 'again.png', mimeType: 'image/png', buffer: PNG });
  await expect(page.getByText('again.png')).toBeVisible();
  await page.getByRole('button', { name: 'Add button' }).click();
  await field(page, /Button text/).fill('Shop now');
  await field(page, /Button action URL/).fill('https://harbour.example/shop');
  await expect(phone(page).getByText('Shop now')).toBeVisible();
  expect(await findProblems(page, 'create Viber template')).toEqual([]);
  await page.getByRole('button', { name: 'Send for review' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Pending')).toBeVisible();
  await expect(panel.getByRole('link', { name: 'Edit' })).toHaveAttribute('aria-disabled', 'true');

  const desk = await openAs(OPERATOR, { host: 'admin', path: '/requests?kinds=template', reducedMotion: 'reduce' });
  const decision = desk.getByRole('complementary');
  await desk.getByRole('searchbox', { name: /^Company, email, sender/ }).fill(name);
  await desk.getByRole('row', { name: new RegExp(name) }).click();
  await expect(decision.getByText('Twenty percent off until Friday')).toBeVisible();
  await decision.getByText('Reject', { exact: true }).click();
  await decision.getByRole('button', { name: 'Reject request' }).click();
  await expect(decision.getByText('Select a reason or write a message to the customer')).toBeVisible();
  await decision.getByLabel('In your own words').fill('Add the name of your shop.');
  expect(await findProblems(desk, 'decision on a template')).toEqual([]);
  await decision.getByRole('button', { name: 'Reject request' }).click();
  await expect(desk.getByText(`${name} was rejected`)).toBeVisible();

  await expect(panel.getByText('Add the name of your shop.')).toBeVisible();
  expect((await sandbox.mail(OWNER, new RegExp(`Rejected: Viber template ${name}`))).text).toContain(
    'Add the name of your shop.',
  );
  await panel.getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(/\/library\/viber-edit\//);
  await expect(page.getByText('again.png')).toBeVisible();
  await field(page, 'Message').fill('Harbour Coffee: twenty percent off until Friday');
  await page.setViewportSize(NARROW);
  expect(await findProblems(page, 'edit Viber template on a phone')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByRole('complementary').getByText('Pending')).toBeVisible();

  await desk.goto('/requests?kinds=template');
  await desk.getByRole('searchbox', { name: /^Company, email, sender/ }).fill(name);
  await desk.getByRole('row', { name: new RegExp(name) }).click();
  await decision.getByRole('button', { name: 'Approve request' }).click();
  await expect(page.getByRole('complementary').getByText('Available')).toBeVisible();
  await sandbox.mail(OWNER, new RegExp(`Approved: Viber template ${name}`));
});

test('a WhatsApp template is rejected with a reason, copied, corrected, and approved', async ({ openAs }) => {
  test.setTimeout(150_000);
  const name = `order_${newSuffix()}`;
  const page = await openAs(OWNER, { path: '/library/create?channel=WHATSAPP', reducedMotion: 'reduce' });
  await field(page, /Template name/).fill(`${name}_reject_format`);
  await page.getByRole('combobox', { name: /WhatsApp sender/ }).click();
  await page.getByRole('option').first().click();
  await page.getByText('Utility', { exact: true }).click();
  await field(page, 'Header').fill('Order {order}');
  await field(page, 'Message').fill('{first_name:friend}, your order {order} is ready.');
  await field(page, 'Footer').fill('Harbour Coffee');
  for (const text of ['On my way', 'Later']) {
    await page.getByRole('button', { name: 'Add button' }).click();
    await field(page, /Button text/)
      .last()
      .fill(text);
  }
  await field(page, 'Example for order').fill('1204');
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByText('The text cannot begin with a placeholder').first()).toBeVisible();
  await field(page, 'Message').fill('Dear {first_name:friend}, your order {order} is ready.');
  await field(page, 'Example for first_name').fill('Ann');
  await expect(phone(page).getByText('Dear Ann, your order 1204 is ready.')).toBeVisible();
  expect(await findProblems(page, 'create WhatsApp template')).toEqual([]);
  await page.getByRole('button', { name: 'Send for review' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Rejected', { exact: true })).toBeVisible({ timeout: 40_000 });
  await expect(
    panel.getByText('The text is not in the format that WhatsApp requires.', { exact: false }),
  ).toBeVisible();
  expect(await findProblems(page, 'rejected WhatsApp template')).toEqual([]);

  await panel.getByRole('link', { name: 'Copy and fix' }).click();
  await expect(field(page, /Template name/)).toHaveValue(`${name}_reject_format_copy`);
  await expect(field(page, 'Example for order')).toHaveValue('1204');
  await field(page, /Template name/).fill(name);
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByRole('complementary').getByText('Available')).toBeVisible({ timeout: 40_000 });
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search by name' }).fill(name);
  await expect(page.getByRole('row', { name: `${name} Utility` })).toBeVisible();
  await page.getByRole('button', { name: 'Sync with WhatsApp' }).click();
  await expect(page.getByText(/compared\. Nothing has changed|changed/)).toBeVisible();
});
