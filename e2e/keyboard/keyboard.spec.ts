/** Performs ten common tasks in one session, without a mouse. */
import { OWNER, PASSWORD } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';
import { goBy, goTo, pick, pressButton, tabTo, write } from './keys.ts';

const unique = (name: string) => `${name} ${Date.now().toString(36)}`;
const BUSINESS = '4917139200000';

test('a user completes ten common tasks with only the keyboard', async ({ page, api, sandbox }) => {
  test.setTimeout(240_000);
  const number = `447400${freshDigits(6)}`;
  const owner = await api(OWNER);
  await owner.post('messages', { from: 'Harbour Hamburg', to: [number], channel: 'SMS', text: 'Found by keyboard' });
  await sandbox.write(number, BUSINESS, 'Answered by keyboard');

  await test.step('sign in', async () => {
    await page.goto('/');
    await write(page, 'Email', OWNER);
    await write(page, 'Password', PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Hello, Dana' })).toBeVisible();
  });
  await test.step('find a message in the palette', async () => {
    await goBy(page, number, /^Messages with/);
    await expect(page.getByRole('table', { name: 'Messages' })).toContainText('Found by keyboard');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary')).toContainText('Answered by keyboard');
    await page.keyboard.press('j');
    await expect(page.getByRole('complementary')).toContainText('Found by keyboard');
    await page.keyboard.press('Escape');
  });
  await test.step('filter the message log and open a row', () => filterTheLog(page));
  await test.step('send a test message', async () => {
    await goTo(page, 'Try it now');
    await pressButton(page, 'Try it: SMS');
    await expect(page.locator('h1:focus')).toHaveText('Try SMS now');
    await write(page, 'Message', unique('Tested by keyboard'));
    await pressButton(page, 'Send test');
    await expect(page.getByRole('region', { name: 'Message preview' }).getByText(/Delivered|Read/)).toBeVisible();
  });
  const audience = unique('Keyboard');
  await test.step('create an audience with a contact', () => createAudience(page, audience));
  await test.step('create a template', async () => {
    const name = unique('By keyboard');
    await goTo(page, 'Create template');
    await write(page, /^Template name/, name);
    await write(page, 'Message', 'Good morning');
    await pressButton(page, 'Save template');
    await expect(page.getByRole('row', { name })).toBeVisible();
  });
  await test.step('prepare a campaign up to its review', async () => {
    const name = unique('By keyboard');
    await goTo(page, 'Create SMS', 'New SMS campaign');
    await write(page, 'Name (optional)', name);
    await pick(page, 'Sender', 'Harbour Hamburg');
    await expect(page.getByRole('combobox', { name: 'Sender' })).toHaveValue(/^Harbour Hamburg/);
    await pick(page, 'Audience', audience);
    await pressButton(page, 'Next');
    await write(page, 'Text', 'Hello from the keyboard');
    await pressButton(page, 'Next');
    await expect(page.getByRole('button', { name: /^Send to 1 / })).toBeVisible();
    await pressButton(page, 'Save as draft');
    await expect(page).toHaveURL('/sms/my-campaigns');
    await expect(page.getByRole('row', { name })).toContainText('Incomplete');
  });
  await test.step('reply in the inbox', () => replyInInbox(page, number));
  await test.step('add a number to the stop list', async () => {
    await goTo(page, 'Add to the stop list');
    await write(page, 'Number', `+${number}`);
    await page.keyboard.press('Enter');
    await expect(page.locator('h1:focus')).toHaveText('Stop list');
    await expect(page.locator('tbody')).toContainText('Added manually');
  });
  await test.step('change the theme and sign out', async () => {
    await tabTo(page, /menu for Dana Quill/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, /^(Light|Dark|System)$/);
    await page.keyboard.press('ArrowLeft');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await pressButton(page, 'Sign out');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});

async function filterTheLog(page: Page): Promise<void> {
  await goBy(page, 'Insights', /^Insights/);
  await expect(page).toHaveURL('/insights');
  await tabTo(page, 'Log');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/insights?tab=log');
  await pressButton(page, 'Status');
  await tabTo(page, 'Delivered');
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/statuses=/);
  await page.keyboard.press('Escape');
  const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row');
  await expect(rows.nth(1)).toContainText(/Delivered|Read/);
  await page.keyboard.press('j');
  await expect(page.locator('tbody tr:focus')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText(/Delivered|Read/);
  await page.keyboard.press('Escape');
  await expect(page.locator('tbody tr:focus')).toBeVisible();
}

async function createAudience(page: Page, name: string): Promise<void> {
  await goTo(page, 'Create audience');
  await write(page, 'Name', name);
  await tabTo(page, 'Upload a file');
  await page.keyboard.press('ArrowRight');
  await pressButton(page, /^Create/);
  await expect(page.locator('h1:focus')).toHaveText(name);
  await pressButton(page, 'Add contact');
  await expect(page.locator('h1:focus')).toHaveText('Add contact');
  await write(page, 'Number', '+4917604069060');
  await write(page, /^First name/, 'Ada');
  await page.keyboard.press('Enter');
  await expect(page.locator('h1:focus')).toHaveText(name);
  await expect(page.getByRole('table', { name: 'Contacts' })).toContainText('Ada');
}

async function replyInInbox(page: Page, number: string): Promise<void> {
  await goTo(page, 'Inbox: unassigned', 'Inbox');
  await expect(page.getByRole('region', { name: 'Conversations' })).toContainText('Answered by keyboard');
  await page.keyboard.press('j');
  const thread = page.getByRole('region', { name: 'Messages' });
  await expect(thread).toContainText('Answered by keyboard');
  await page.keyboard.press('r');
  await expect(page.getByLabel(/^Reply to/)).toBeFocused();
  await page.keyboard.type(`Replied to ${number}`);
  await page.keyboard.press('Control+Enter');
  await expect(thread).toContainText(`Replied to ${number}`);
}
