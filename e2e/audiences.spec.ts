/** Audiences: importing files, finding and editing contacts, and managing the stop list. */
import { readFile } from 'node:fs/promises';
import { AGENT, OWNER } from './api.ts';
import { expect, type Page, test } from './test.ts';

const unique = (name: string) => `${name} ${Date.now().toString(36)}`;
const FILE = [
  'Vorname;Nachname;Mobiltelefon;Stadt',
  'Anna;Lindqvist;+46 70 174 06 12;Malm\u00f6',
  'Bj\u00f6rn;;030 2345678;Berlin',
  'Chlo\u00e9;Martin;+33 6 12 34 56 78;Lyon',
  'Dana;Quill;1.20256E+10;Boston',
  'Eve;;;Nowhere',
  'Anna;Again;0046701740612;Malm\u00f6',
  'Flo;Extra;+4930901821;Bonn;too many',
  'Maria-Theresia Josephina Alexandra Wilhelmina;Gru\u00df;+49 30 901822;Bonn',
].join('\r\n');

const choose = (page: Page, text: string, name = 'spring people.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const numberField = (page: Page) => page.getByRole('textbox', { name: 'Number', exact: true });
const cell = (page: Page, text: string | RegExp) => page.getByRole('cell', { name: text, exact: true });

test('an import previews the file, maps its columns, and accounts for every row', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/contacts' });
  await expect(page).toHaveURL('/contacts/my-audiences');
  await page.getByRole('link', { name: 'Create audience' }).click();
  await expect(page).toHaveURL('/contacts/create-audience');

  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('Name is required!')).toBeVisible();
  await expect(page.getByText('File is a required field')).toBeVisible();

  await choose(page, FILE);
  await expect(page.getByLabel('Name')).toHaveValue('spring people');
  const name = unique('Spring');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();

  const row = (column: string) => page.getByRole('row').filter({ hasText: column });
  await expect(row('Mobiltelefon')).toContainText('Number');
  await expect(page.getByRole('combobox', { name: 'Import Mobiltelefon as' })).toHaveValue('Number');
  await expect(page.getByRole('combobox', { name: 'Import Vorname as' })).toHaveValue('First name');
  await expect(page.getByRole('combobox', { name: 'Import Stadt as' })).toHaveValue('');
  await expect(page.getByRole('combobox', { name: 'Default country' })).toHaveValue('Germany (+49)');
  await page.getByRole('combobox', { name: 'Import Stadt as' }).click();
  await page.getByRole('option', { name: 'Custom 1' }).click();
  const contact = page.getByRole('article', { name: 'Contact preview' });
  await expect(contact).toContainText('Anna Lindqvist');
  await expect(contact).toContainText('+46 70 174 06 12');
  await expect(contact).toContainText('Malm\u00f6');
  await page.getByRole('button', { name: 'Next row' }).click();
  await expect(contact).toContainText('Germany');

  await page.getByRole('button', { name: 'Import 8 rows' }).click();
  await expect(page).toHaveURL(/\/contacts\/imports\//);
  await expect(page.getByText('4 contacts in', { exact: false })).toBeVisible();
  const counts = page.getByLabel('Rows by result');
  for (const [label, count] of [
    ['Created', 4],
    ['Updated', 0],
    ['Unchanged', 0],
    ['Duplicate', 1],
    ['Invalid', 3],
  ])
    await expect(counts.locator('div', { hasText: String(label) })).toContainText(String(count));

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download skipped rows (4)' }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('spring people skipped rows.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(
    lines.map((line) =>
      line
        .replace(/^\ufeff/, '')
        .split(';')
        .slice(0, 2)
        .join(';'),
    ),
  ).toEqual([
    'Line;Reason',
    expect.stringMatching(/^5;A spreadsheet has rounded this number/),
    '6;The number is missing',
    '7;Duplicate of the number on line 2',
    '8;The row has more columns than the header',
  ]);

  const rows = page.getByRole('table', { name: 'Rows to check' });
  await expect(row('The number is missing')).toContainText('Eve');
  await page.getByText('Shortened 1', { exact: true }).click();
  await expect(page).toHaveURL(/kind=shortened/);
  await expect(rows.getByRole('row')).toHaveCount(2);
  await expect(row('First name was shortened to 32 characters')).toContainText('Maria-Theresia');

  await page.getByRole('link', { name: 'Create campaign with this audience' }).click();
  await expect(page.getByRole('combobox', { name: 'Audience' })).toHaveValue(new RegExp(`^${name}`));
  await page.goBack();
  await page.getByRole('link', { name: 'Open audience' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByText('4 contacts, created', { exact: false })).toBeVisible();
  await expect(cell(page, /\+49 30 2345678/)).toBeVisible();
});

test('contacts can be found by number and name, edited, added, and removed', async ({ openAs, api, quiet }) => {
  quiet.expect(/^400 POST \/v1\/audiences\/[\w-]+\/contacts/);
  const owner = await api(OWNER);
  const id = await owner.importAudience(
    unique('People'),
    'Number,First name,Last name\n+12025550101,Ann,Lee\n+12025550102,Bo,Marsh\n+442079460958,Cy,Lee\n',
  );
  const page = await openAs(OWNER, { path: `/contacts/my-audiences/${id}` });
  const search = page.getByPlaceholder('Search by number or name');
  await search.fill('+1 202');
  await expect(page.getByText('1\u20132 of 2')).toBeVisible();
  await search.fill('lee');
  await expect(cell(page, 'Cy')).toBeVisible();
  await expect(cell(page, 'Bo')).toHaveCount(0);
  await search.fill('nobody');
  await expect(page.getByText('No contacts match this search')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();

  await cell(page, 'Ann').click();
  const panel = page.getByRole('complementary');
  await panel.getByLabel('First name').fill('Anna');
  await panel.getByLabel('Custom 2').fill('https://example.com/a');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel).toBeHidden();
  await expect(cell(page, 'Anna')).toBeVisible();
  await expect(cell(page, 'https://example.com/a')).toBeVisible();

  // The notice of the saved contact may still cover the link.
  await page.getByRole('link', { name: 'Add contact' }).press('Enter');
  await numberField(page).fill('12');
  await page.getByLabel('First name').fill('Dee');
  await page.getByRole('button', { name: 'Add contact' }).click();
  await expect(page.getByText('This is not a valid phone number')).toBeVisible();
  await numberField(page).fill('030 2345678');
  await page.getByRole('button', { name: 'Save and add another' }).click();
  await expect(page.getByText('Dee added')).toBeVisible();
  await expect(numberField(page)).toHaveValue('');
  await expect(numberField(page)).toBeFocused();
  await page.getByRole('link', { name: /^People/ }).click();
  await expect(page.getByText('4 contacts, created', { exact: false })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove 4 contacts' }).click();
  await expect(page.getByText('No contacts yet')).toBeVisible();
  await expect(page.getByText('0 contacts, created', { exact: false })).toBeVisible();
});

test('an empty audience can be renamed, filled from a file, and deleted with its contacts', async ({
  openAs,
  quiet,
}) => {
  const page = await openAs(OWNER, { path: '/contacts/create-audience' });
  const name = unique('Empty');
  await page.getByText('Start empty').click();
  await page.getByLabel('Name').fill('audience-7');
  await page.getByRole('button', { name: 'Create audience' }).click();
  await expect(page.getByText('Names such as "audience-1"', { exact: false })).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create audience' }).click();
  await expect(page.getByText('No contacts yet')).toBeVisible();

  quiet.expect(/^409 PUT \/v1\/audiences\//);
  await page.getByRole('button', { name: `More actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await expect(page).toHaveURL(/\/contacts\/rename-audience\//);
  // The URL changes before the page is drawn, and the previous page has a field with the same name.
  await expect(page.getByRole('heading', { name: 'Rename audience' })).toBeVisible();
  await page.getByLabel('Name').fill('regulars');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('An audience with this name already exists')).toBeVisible();
  await page.getByLabel('Name').fill(`${name} now`);
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { name: `${name} now` })).toBeVisible();

  quiet.expect(/^400 POST \/v1\/audience_imports/);
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  await choose(page, '%PDF-1.7 not a table', 'people.csv');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('The file could not be read as CSV or XLSX')).toBeVisible();
  await choose(page, 'Name,Phone\nAnn,+12025550101\n');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByLabel('Keep them unchanged').check();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByRole('link', { name: 'Open audience' }).click();
  await expect(cell(page, 'Ann')).toBeVisible();

  await page.getByRole('button', { name: `More actions for ${name} now` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('1 contact will be deleted', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Delete audience' }).click();
  await expect(page).toHaveURL('/contacts/my-audiences');
  await page.getByPlaceholder('Search by name').fill(name);
  await expect(page.getByText('No audiences match this search')).toBeVisible();
});

test('an import waiting for its column mapping can be resumed or canceled', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/contacts/create-audience' });
  await choose(page, 'City,Street\nParis,Rue Cler\n', 'cities.csv');
  await page.getByLabel('Name').fill(unique('Cities'));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('No column with phone numbers was found', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('alert')).toContainText('Select the column with the phone numbers.');
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Imports' }).click();
  await page
    .getByRole('row', { name: /cities\.csv/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Map columns' }).click();
  await expect(page.getByText('No column with phone numbers was found', { exact: false })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click();
  await expect(page.getByText('Import canceled. No contacts were changed.')).toBeVisible();
});

test('a number can be added to the stop list and removed from it', async ({ openAs, quiet }) => {
  const last = String(Date.now()).slice(-4);
  const page = await openAs(OWNER, { path: '/contacts/my-stop-list' });
  await page.getByRole('link', { name: 'Add contact' }).first().click();
  await expect(page).toHaveURL('/contacts/stop-list/add-contact');
  await numberField(page).fill(`+44 20 7946 ${last}`);
  await page.getByRole('button', { name: 'Add to the stop list' }).click();
  await expect(page).toHaveURL('/contacts/my-stop-list');
  const row = page.getByRole('row', { name: new RegExp(`\\+44 ?20 ?7946 ?${last}`) });
  await expect(row).toContainText('Every sender');
  await expect(row).toContainText('Added manually');

  quiet.expect(/^409 POST \/v1\/stop_list/);
  await page.getByRole('link', { name: 'Add contact' }).first().click();
  await numberField(page).fill(`44207946${last}`);
  await page.getByRole('button', { name: 'Add to the stop list' }).click();
  await expect(page.getByText('This contact is already blocked for the sender')).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();

  await page.getByPlaceholder('Search by number').fill(`+44 20 7946 ${last}`);
  await row.click();
  await page.getByRole('complementary').getByRole('button', { name: 'Remove from the stop list' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.click();
  await page.getByRole('complementary').getByRole('button', { name: 'Remove from the stop list' }).click();
  await expect(row).toHaveCount(0);
  // The removal is sent when the time for Undo is over.
  await expect(page.getByText('No numbers match these filters')).toBeVisible();
});

test('a user without permission sees why an action is disabled', async ({ openAs }) => {
  const page = await openAs(AGENT, { path: '/contacts/create-audience' });
  await expect(page.getByText('permission.', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toHaveCount(0);
});

test('the audience pages fit on a phone screen', async ({ openAs, api }) => {
  const owner = await api(OWNER);
  const id = await owner.importAudience(
    unique('Narrow'),
    'Number,First name\n+12025550101,Annabel-Konstantina Wolfeschlegel\n',
  );
  const page = await openAs(OWNER, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  for (const path of [
    '/contacts/my-audiences',
    `/contacts/my-audiences/${id}`,
    `/contacts/add-contact/${id}`,
    `/contacts/rename-audience/${id}`,
    '/contacts/create-audience',
    '/contacts/imports',
    '/contacts/my-stop-list',
    '/contacts/stop-list/add-contact',
  ]) {
    await page.goto(path);
    await expect(page.locator('h1').first()).toBeVisible();
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});
