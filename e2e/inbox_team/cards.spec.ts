/** A user sends a location, a contact, and a list on WhatsApp, adds a shared contact, and inserts a response. */
import { OWNER } from '../api.ts';
import { chatPhone, newNumber } from '../chat_phones.ts';
import { expect, test } from '../test.ts';

const WHATSAPP = '4917139200900';

test('a user sends a location, a contact, and a list, and adds a shared contact to people', async ({
  openAs,
  sandbox,
}) => {
  const phone = chatPhone(sandbox, newNumber());
  const question = `Where is the shop ${phone.digits}?`;
  await phone.write({ channel: 'WHATSAPP', to: WHATSAPP, text: question });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: question }).click();
  const bubbles = page.getByRole('region', { name: 'Messages' }).getByRole('article');
  const kinds = async () => (await phone.messages()).map(({ content }) => content.kind);
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'Location, contact, or list' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  await test.step('a location', async () => {
    await open('Location');
    const dialog = page.getByRole('dialog', { name: 'Send a location' });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog.getByText('Enter the latitude and longitude, such as 51.5, -0.12')).toBeVisible();
    await dialog.getByLabel('Latitude and longitude').fill('https://www.google.com/maps/@51.5,-0.12,15z');
    await dialog.getByLabel('Name').fill('Harbour shop');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(bubbles.last().getByRole('link', { name: '51.5, -0.12' })).toBeVisible();
    await expect.poll(kinds).toEqual(['location']);
  });

  await test.step('a contact', async () => {
    await open('Contact');
    const dialog = page.getByRole('dialog', { name: 'Send a contact' });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('A contact needs a name');
    await dialog.getByLabel('Name').fill('Mia Stone');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog.getByText('A contact needs a phone number or an email address')).toBeVisible();
    await dialog.getByLabel('Phone').fill('+44 7700 900123');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(bubbles.last()).toContainText('Mia Stone');
    await expect.poll(kinds).toEqual(['location', 'contacts']);
  });

  await test.step('a list, and the choice from it', async () => {
    await page.getByLabel(/^Reply to/).fill('When would you like to come?');
    await open('List of choices');
    const dialog = page.getByRole('dialog', { name: 'Send a list of choices' });
    await expect(dialog.getByLabel('Message')).toHaveValue('When would you like to come?');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog.getByLabel('Button text')).toHaveAccessibleDescription(/needs a text of at most 20 characters/);
    await dialog.getByLabel('Button text').fill('Times');
    await dialog.getByRole('textbox', { name: 'Choice 1' }).fill('Morning');
    await dialog.getByRole('button', { name: 'Add choice' }).click();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog.getByRole('textbox', { name: 'Choice 2' })).toHaveAccessibleDescription(
      /A choice needs a text/,
    );
    await dialog.getByRole('textbox', { name: 'Choice 2' }).fill('Evening');
    await dialog.getByLabel('Description 2').fill('Until eight');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByLabel(/^Reply to/)).toHaveValue('');
    await expect.poll(kinds).toEqual(['location', 'contacts', 'interactive']);
    const message_id = (await phone.messages()).at(-1)!.id;
    await phone.write({ channel: 'WHATSAPP', to: WHATSAPP, press: { message_id, button: 'Evening' } });
    await expect(bubbles.last()).toContainText('Chose from a list');
    await expect(bubbles.last()).toContainText('Evening');
  });

  await test.step('a shared contact', async () => {
    const contact = { name: 'Noor Haddad', phones: [`+${newNumber()}`], emails: ['noor@harbour.example'] };
    await phone.write({ channel: 'WHATSAPP', to: WHATSAPP, contacts: [contact] });
    await expect(bubbles.last()).toContainText('noor@harbour.example');
    await bubbles.last().getByRole('button', { name: 'Add to people' }).click();
    await expect(page.getByText('Noor Haddad was added to people')).toBeVisible();
  });
});

test('a user creates a response in a folder and inserts it by its shortcut', async ({ openAs, sandbox }) => {
  const phone = chatPhone(sandbox, newNumber());
  const question = `Can I send it back ${phone.digits}?`;
  await phone.write({ channel: 'WHATSAPP', to: WHATSAPP, text: question });
  const page = await openAs(OWNER, { path: '/responses' });
  await page.getByRole('button', { name: 'Create response' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create response' });
  const shortcut = `refund${phone.digits}`;
  await dialog.getByLabel('Name').fill(`Refund ${phone.digits}`);
  await dialog.getByLabel('Text').fill('We refund you within three days.');
  await dialog.getByLabel('Folder').fill('Billing');
  await dialog.getByLabel('Shortcut').fill(`/${shortcut}`);
  await dialog.getByRole('button', { name: 'Save response' }).click();
  await expect(page.getByRole('row').filter({ hasText: `/${shortcut}` })).toContainText('Billing');

  await page.goto('/inbox/unassigned');
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: question }).click();
  const reply = page.getByLabel(/^Reply to/);
  await reply.press('/');
  await page.getByRole('dialog', { name: 'Insert response' }).getByRole('searchbox').fill(shortcut);
  await expect(page.getByText('Matching shortcut')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(reply).toHaveValue('We refund you within three days.');
});
