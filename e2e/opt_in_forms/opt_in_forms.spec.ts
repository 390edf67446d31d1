/** People join an audience on a page without scripts, and a user merges two of them. */
import AxeBuilder from '@axe-core/playwright';
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

test('a person joins an audience on a page without scripts, with a code from the phone', async ({
  api,
  at,
  browser,
  openAs,
  sandbox,
}) => {
  const run = freshDigits(6);
  const phone = `491715${run}1`;
  const owner = await api(OWNER);
  const audience = await owner.post<{ id: string }>('audiences', { name: `Window ${run}`, channel: 'SMS' });
  const page = await openAs(OWNER, { path: `/contacts/create-opt-in-form?audience=${audience.id}` });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Poster ${run}`);
  await page.getByRole('combobox', { name: 'Sender' }).click();
  await page.getByRole('option', { name: /Harbour Hamburg/ }).click();
  await page.getByRole('combobox', { name: 'Add a language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await page.getByRole('combobox', { name: 'Other fields' }).click();
  await page.getByRole('option', { name: 'First name' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Welcome message' }).fill('Welcome, {first_name:friend}');
  await page.getByRole('button', { name: 'Create form' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Poster ${run}` })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of the address' })).toBeVisible();
  const address = new URL((await page.getByRole('link', { name: 'Open page' }).getAttribute('href'))!);

  const visitor = await browser.newContext({
    ...{ javaScriptEnabled: false, locale: 'de-DE', viewport: { width: 390, height: 800 } },
  });
  const form = await visitor.newPage();
  await form.goto(at.app + address.pathname);
  await expect(form.locator('html')).toHaveAttribute('lang', 'de');
  await form.getByRole('button', { name: 'Code anfordern' }).click();
  await expect(form.getByRole('alert')).toContainText('Mobilnummer');
  await form.getByLabel('Mobilnummer').fill(`+${phone}`);
  await form.getByLabel(/Vorname/).fill('Uwe');
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Code anfordern' }).click();
  await expect(form.getByRole('heading', { name: 'Code eingeben' })).toBeVisible();
  await form.getByLabel('Code', { exact: true }).fill(await sandbox.textedCode(phone));
  await form.getByRole('button', { name: 'Bestätigen' }).click();
  await expect(form.getByRole('heading', { name: 'Anmeldung bestätigt' })).toBeVisible();
  await expect
    .poll(async () => (await sandbox.messages(phone)).map(({ text }) => text), { timeout: 40_000 })
    .toContain('Welcome, Uwe');

  const withScripts = await browser.newPage();
  await withScripts.goto(at.app + address.pathname);
  expect((await new AxeBuilder({ page: withScripts }).setLegacyMode(true).analyze()).violations).toEqual([]);
  await visitor.close();

  // The figures arrive without a reload.
  await expect(page.getByLabel('Figures').getByText('Confirmed')).toBeVisible();
  await page.goto(`/contacts/people/${phone}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Uwe');
  await expect(page.getByText(/Ich möchte Werbenachrichten/).first()).toBeVisible();
});

for (const width of [1280, 390])
  test(`two people are merged and separated at ${width} px`, async ({ api, openAs }) => {
    const run = freshDigits(6);
    const [one, other] = [`491716${run}1`, `491716${run}2`];
    const owner = await api(OWNER);
    for (const number of [one, other])
      await owner.post('people', { number: `+${number}`, first_name: `Mia${run}`, last_name: 'Both' });
    await owner.put(`people/${one}`, { custom1: 'Gold' });
    await owner.put(`people/${other}`, { custom1: 'Silver' });
    const page = await openAs(OWNER, { path: `/contacts/people/${one}`, viewport: { width, height: 800 } });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Merge with another person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'People with the same name' }).getByRole('button').click();
    await dialog.getByRole('radio', { name: 'Silver' }).check();
    await dialog.getByRole('button', { name: 'Merge people' }).click();
    await expect(page.getByRole('heading', { name: 'Other numbers' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Custom 1' })).toHaveValue('Silver');
    await page.getByRole('button', { name: 'Undo merge' }).click();
    await expect(page.getByText('People separated')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Other numbers' })).toHaveCount(0);
  });
