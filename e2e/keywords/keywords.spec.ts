/** An owner adds a keyword and tries it. A phone writes it, and then opts out in its own language. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

const BUSINESS = '4917139200000';

test('a keyword replies to a phone, and STOP in another language opts it out', async ({ openAs, sandbox }) => {
  const phone = `4917155${freshDigits(6)}`;
  const word = `club${freshDigits(5)}`;
  const page = await openAs(OWNER, { path: '/settings/keywords' });
  await page.getByRole('button', { name: 'Add keyword' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add keyword' });
  await dialog.getByLabel('Words').fill(word);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Matches if').selectOption('contains');
  await dialog.getByLabel('Effect').selectOption('opt_in');
  await dialog.getByLabel('Reply').fill('Welcome to the club, {first_name:friend}!');
  await dialog.getByRole('button', { name: 'Save keyword' }).click();
  await expect(page.getByText('Opts in, replies')).toBeVisible();

  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill(`Hi, ${word.toUpperCase()}!`);
  await expect(page.getByText(`Your keyword “${word}”`)).toBeVisible();
  await message.fill('ＳＴＯＰ please');
  await expect(page.getByText('The person is added to the sender’s stop list.')).toBeVisible();
  await message.fill('stopping by');
  await expect(page.getByText('No keyword matches.')).toBeVisible();

  const texts = async () => (await sandbox.messages(phone)).map(({ text }) => text).join('\n');
  await sandbox.write(phone, BUSINESS, `Please let me join the ${word}`);
  await expect.poll(texts).toContain('Welcome to the club, friend!');
  await sandbox.write(phone, BUSINESS, 'Abmelden bitte');
  await expect.poll(texts).toContain('Sie sind abgemeldet');
  await page.goto(`/contacts/my-stop-list?search=${phone}`);
  await expect(page.getByText('Abmelden bitte')).toBeVisible();
  await page.goto(`/contacts/people/${phone}`);
  const consents = page.getByRole('list', { name: 'Consent history' });
  await expect(consents.getByText(`Please let me join the ${word}`)).toBeVisible();
});
