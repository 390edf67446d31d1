/** The inbox: messages arrive, are read and answered, and stay correct despite failures. */
import { AGENT, OWNER } from './api.ts';
import { magicNumber } from './chat_phones.ts';
import { conversationRows } from './inbox_team/conversation_rows.ts';
import type { Sandbox } from './sandbox.ts';
import { expect, type Page, test } from './test.ts';

const BUSINESS = '4917139200000';
/** Makes names unique, because a retry runs on the same Parley and finds the data from the first run. */
const TRY = Number(process.env.TEST_WORKER_INDEX ?? 0);
const uniqueText = (text: string): string => (TRY === 0 ? text : `${text}, once more ${TRY}`);
/** The last digits of the phone numbers. No other test uses these numbers. */
let last = 100 + 40 * (TRY % 100);
const newPhone = (): string => `1202555${2_000 + last++}`;

const row = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: uniqueText(text) });
const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
const reply = (page: Page) => page.getByLabel(/^Reply to/);

test('an agent navigates the inbox and writes a reply by keyboard', async ({ openAs, sandbox }) => {
  const [older, newer] = [newPhone(), newPhone()];
  await sandbox.write(older, BUSINESS, uniqueText('The older one'));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await expect(row(page, 'The older one')).toBeVisible();
  await expect(page.getByText('Once a conversation is selected, it will be displayed here.')).toBeVisible();
  await sandbox.write(newer, BUSINESS, uniqueText('The newer one'));
  await expect(conversationRows(page).first()).toContainText('The newer one');

  await page.keyboard.press('j');
  await expect(thread(page)).toContainText('The newer one');
  await page.keyboard.press('j');
  await expect(thread(page)).toContainText('The older one');
  await expect(page).toHaveURL(/\/inbox\/unassigned\?conversation=/);
  await page.keyboard.press('k');
  await expect(thread(page)).toContainText('The newer one');
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog', { name: 'Reply from Template' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  for (const [key, field] of [
    ['a', 'Search users'],
    ['l', 'Search labels'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByLabel(field)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(thread(page), 'Esc closes only the list').toContainText('The newer one');
  }
  await page.keyboard.press('r');
  await expect(reply(page)).toBeFocused();
  await page.keyboard.type('jkr');
  await expect(reply(page), 'shortcuts are off while the user types').toHaveValue('jkr');
  await page.keyboard.press('Escape');
  await expect(reply(page)).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/inbox/unassigned');
  // The row may show the draft instead of the message.
  await conversationRows(page).first().click();
  await expect(reply(page), 'the conversation keeps its draft').toHaveValue('jkr');
});

test('an agent closes a conversation by keyboard, restores it with Undo, and snoozes it', async ({
  openAs,
  sandbox,
}) => {
  await sandbox.write(newPhone(), BUSINESS, uniqueText('Thank you, that is all'));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await row(page, 'Thank you, that is all').click();
  await expect(thread(page)).toContainText('Thank you, that is all');
  await page.keyboard.press('e');
  await expect(row(page, 'Thank you, that is all')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Thank you, that is all').click();
  await expect(thread(page)).toContainText('reopened the conversation');
  await page.keyboard.press('s');
  await page.getByRole('button', { name: /^Tomorrow morning/ }).click();
  await expect(row(page, 'Thank you, that is all')).toHaveCount(0);
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Snoozed' });
  await row(page, 'Thank you, that is all').click();
  await expect(thread(page)).toContainText('snoozed the conversation until');
});

/** More than two pages of a thread. */
const LINES = 160;

test('a long thread loads older messages, marks new ones, and remembers which ones were read', async ({
  openAs,
  sandbox,
}) => {
  const phone = newPhone();
  for (let n = 1; n <= LINES; n++) await sandbox.write(phone, BUSINESS, uniqueText(`Line ${n} of many`));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await row(page, `Line ${LINES} of many`).click();
  await expect(thread(page).getByText(`Line ${LINES} of many`)).toBeInViewport();
  await expect(
    row(page, `Line ${LINES} of many`).getByText('unread'),
    'visible messages are marked as read',
  ).toHaveCount(0);

  await thread(page).hover();
  await expect(async () => {
    await page.mouse.wheel(0, -2_000);
    expect(await thread(page).getByRole('article').count(), 'only what is near the view is rendered').toBeLessThan(60);
    await expect(thread(page).getByText('This is the beginning of the conversation')).toBeInViewport({ timeout: 500 });
  }).toPass({ timeout: 40_000 });
  await expect(thread(page).getByText('New messages')).toBeInViewport();
  await expect(thread(page).getByText(uniqueText('Line 1 of many'), { exact: true })).toBeInViewport();

  await sandbox.write(phone, BUSINESS, uniqueText('And one more thing'));
  const newMessages = page.getByRole('button', { name: '1 new', exact: true });
  await expect(newMessages).toBeVisible();
  await expect(row(page, 'And one more thing').getByText('unread')).toBeAttached();
  await expect(thread(page).getByText('This is the beginning'), 'the thread does not scroll').toBeInViewport();
  await newMessages.click();
  await expect(thread(page).getByText('And one more thing')).toBeInViewport();
  await expect(newMessages).toHaveCount(0);
  await expect(row(page, 'And one more thing').getByText('unread')).toHaveCount(0);

  await page.reload();
  await expect(thread(page).getByText('And one more thing')).toBeInViewport();
  await expect(thread(page).getByText('New messages')).toHaveCount(0);
});

test('a thread keeps its place while older messages load, and links in texts can be opened', async ({
  openAs,
  sandbox,
}) => {
  const phone = newPhone();
  for (let n = 1; n <= LINES; n++) await sandbox.write(phone, BUSINESS, uniqueText(`Entry ${n} of many`));
  await sandbox.write(phone, BUSINESS, uniqueText('See https://harbour.example/menu. Call +49 30 901820'));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  let held = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/messages\?.*page_token/, async (route) => {
    held++;
    await released;
    await route.continue();
  });
  await row(page, 'See https://harbour.example/menu. Call +49 30 901820').click();
  const link = thread(page).getByRole('link', { name: 'https://harbour.example/menu', exact: true });
  await expect(link).toHaveAttribute('href', 'https://harbour.example/menu');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(thread(page).getByRole('link', { name: '+49 30 901820' })).toHaveAttribute('href', 'tel:+4930901820');

  await thread(page).hover();
  await page.mouse.wheel(0, -20_000);
  await expect.poll(() => held).toBe(1);
  await expect(thread(page).getByLabel('Loading older messages')).toBeInViewport();
  const oldest = thread(page).getByRole('article').first();
  const text = (await oldest.locator('div').first().innerText()).trim();
  const readTop = async () => (await thread(page).getByText(text, { exact: true }).boundingBox())!.y;
  // Rows that were just rendered are measured first.
  let before = Number.NaN;
  await expect
    .poll(async () => {
      const former = before;
      before = await readTop();
      return before - former;
    })
    .toBe(0);
  release();
  await expect(thread(page).getByLabel('Loading older messages')).toHaveCount(0);
  expect(Math.abs((await readTop()) - before), 'the visible messages do not move').toBeLessThan(3);
});

test('a message that fails to send stays in the thread, and Retry sends it once', async ({
  openAs,
  sandbox,
  quiet,
}) => {
  const phone = newPhone();
  const words = `Loud and clear ${Date.now().toString(36)}`;
  await sandbox.write(phone, BUSINESS, uniqueText('Can you hear me?'));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await row(page, 'Can you hear me?').click();
  await expect(thread(page)).toContainText('Can you hear me?');

  quiet.expect(/^failed POST \/v1\/messages net::ERR_INTERNET_DISCONNECTED/);
  quiet.allow(/^failed (GET|PUT) \/(v1|favicon).* net::ERR_/);
  await page.context().setOffline(true);
  await reply(page).fill(words);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(thread(page).getByRole('alert')).toContainText('The server cannot be reached.');
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Insights' }).click();
  await page.goBack();
  await expect(thread(page).getByRole('alert'), 'the failed message is kept').toBeVisible();
  await thread(page).getByRole('button', { name: 'Retry' }).click();
  await expect(thread(page).getByRole('img', { name: 'Delivered' })).toBeVisible();
  await expect(thread(page).getByText(words)).toHaveCount(1);
  await expect(thread(page).getByRole('alert')).toHaveCount(0);
  expect((await sandbox.messages(phone)).filter(({ text }) => text === words)).toHaveLength(1);
});

test('a message rejected by the carrier is marked as failed and can be resent', async ({ openAs, sandbox }) => {
  const text = 'Try to reply to me';
  await sandbox.write(magicNumber('900902'), BUSINESS, uniqueText(text));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await row(page, text).click();
  await expect(thread(page)).toContainText(text);
  await reply(page).fill('Here I am');
  await page.keyboard.press('Control+Enter');
  const failed = thread(page).getByRole('img', {
    name: /^Message cannot be sent\. Issue may originate from user's end\./,
  });
  await expect(failed).toHaveCount(1, { timeout: 40_000 });
  await thread(page).getByRole('button', { name: 'Retry' }).click();
  await expect(failed).toHaveCount(2, { timeout: 40_000 });
});

test('a recipient who sends STOP receives no messages until they send START', async ({ openAs, sandbox }) => {
  const phone = newPhone();
  await sandbox.write(phone, BUSINESS, uniqueText('Hello there'));
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await row(page, 'Hello there').click();
  await expect(reply(page)).toBeEnabled();
  await sandbox.write(phone, BUSINESS, 'STOP');
  await expect(page.getByText('This person opted out.')).toBeVisible();
  await expect(reply(page)).toBeDisabled();
  await expect(page.getByText('On the stop list')).toBeVisible();
  await sandbox.write(phone, BUSINESS, 'START');
  await expect(reply(page)).toBeEnabled();
});

test('a conversation deleted by another user closes with a notice and returns with the next inbound message', async ({
  openAs,
  sandbox,
}) => {
  const [open, other] = [newPhone(), newPhone()];
  await sandbox.write(open, BUSINESS, uniqueText('This one is open'));
  await sandbox.write(other, BUSINESS, uniqueText('This one is in the list'));
  const agent = await openAs(AGENT, { path: '/inbox/unassigned' });
  await row(agent, 'This one is open').click();
  await expect(thread(agent)).toContainText('This one is open');

  const owner = await openAs(OWNER, { path: '/inbox/unassigned' });
  await remove(owner, 'This one is in the list');
  await expect(
    agent.getByRole('alert').filter({ hasText: 'One of conversations is currently unavailable.' }),
  ).toBeVisible();
  await expect(row(agent, 'This one is in the list')).toHaveCount(0);
  await expect(thread(agent)).toContainText('This one is open');

  await remove(owner, 'This one is open');
  const popup = agent.getByRole('dialog', { name: 'Conversation unavailable' });
  await expect(popup).toContainText('You cannot access this conversation.');
  await popup.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(popup).toHaveCount(0);
  await expect(agent).toHaveURL('/inbox/unassigned');
  await expect(owner.getByRole('dialog'), 'the deleting agent gets no notice').toHaveCount(0);

  await sandbox.write(open, BUSINESS, uniqueText('Still here'));
  await expect(row(agent, 'Still here')).toBeVisible();
});

test('the inbox shows the list, thread, and contact one at a time on a phone', async ({ openAs, sandbox }) => {
  const phone = newPhone();
  await sandbox.write(phone, BUSINESS, uniqueText('From a small screen'));
  const page = await openAs(OWNER, { path: '/inbox/unassigned', viewport: { width: 390, height: 844 } });
  await row(page, 'From a small screen').click();
  await expect(page.getByRole('region', { name: 'Conversations' })).toBeHidden();
  await expect(thread(page)).toContainText('From a small screen');
  await expect(page.getByRole('button', { name: 'Back to conversations' })).toBeFocused();
  await reply(page).fill(uniqueText('And back again'));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await delivered(sandbox, phone, uniqueText('And back again'));
  await page.getByRole('button', { name: 'Show contact' }).click();
  await expect(page.getByRole('dialog')).toContainText('Harbour Hamburg');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back to conversations' }).click();
  await expect(row(page, 'And back again')).toBeVisible();
});

async function remove(page: Page, text: string): Promise<void> {
  await row(page, text).click();
  await page.getByRole('button', { name: 'Delete conversation' }).click();
  await expect(row(page, text)).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: /^The conversation with/ })).toBeVisible();
}

const delivered = (sandbox: Sandbox, phone: string, text: string) =>
  expect.poll(async () => (await sandbox.messages(phone)).map((message) => message.text)).toContain(text);
