/** Replies that wait: a sent reply can be undone for some seconds, and a scheduled one can be moved or canceled. */
import { OWNER } from '../api.ts';
import { freshDigits, type Sandbox } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const BUSINESS = '4917139200000';

const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
const bubble = (page: Page, text: string) => thread(page).getByRole('article').filter({ hasText: text });
const reply = (page: Page) => page.getByLabel(/^Reply to/);
const received = async (sandbox: Sandbox, phone: string) =>
  (await sandbox.messages(phone)).filter(({ direction }) => direction === 'to_phone').map(({ text }) => text);

const openThread = async (page: Page, text: string) => {
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: text }).click();
  await expect(thread(page)).toContainText(text);
};

test('a reply that is undone never arrives, and its text can be corrected and sent', async ({ openAs, sandbox }) => {
  const phone = `120261${freshDigits(5)}`;
  const question = `When do you open ${phone}?`;
  await sandbox.write(phone, BUSINESS, question);
  const page = await openAs(OWNER, { path: '/inbox/unassigned', undoSeconds: 5 });
  await openThread(page, question);

  await reply(page).fill('We open at nien');
  await page.keyboard.press('Control+Enter');
  await expect(reply(page)).toHaveValue('');
  await bubble(page, 'We open at nien').getByRole('button', { name: 'Undo' }).click();
  await expect(reply(page)).toHaveValue('We open at nien');
  await expect(bubble(page, 'We open at nien')).toHaveCount(0);

  await reply(page).fill('We open at nine');
  await page.keyboard.press('Control+Enter');
  const sent = Date.now();
  const undo = bubble(page, 'We open at nine').getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(undo).toBeInViewport();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await expect.poll(() => received(sandbox, phone)).toEqual(['We open at nine']);
  // The first reply would have arrived before the second one.
  expect(Date.now() - sent).toBeGreaterThan(4_000);
  await expect(undo).toHaveCount(0);

  await page.goto('/settings/user');
  await page.getByRole('radiogroup', { name: 'Time to undo' }).getByText('Off').click();
  await page.goBack();
  await reply(page).fill('And on Sundays at ten');
  await page.keyboard.press('Control+Enter');
  await expect(bubble(page, 'And on Sundays at ten')).toBeVisible();
  await expect(bubble(page, 'And on Sundays at ten').getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect.poll(() => received(sandbox, phone)).toEqual(['We open at nine', 'And on Sundays at ten']);
});

test('a scheduled reply waits in the thread until it is sent now or canceled', async ({ openAs, sandbox }) => {
  const phone = `120262${freshDigits(5)}`;
  const question = `Can you call me tomorrow ${phone}?`;
  await sandbox.write(phone, BUSINESS, question);
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await openThread(page, question);
  const schedule = async (text: string, time: string) => {
    await reply(page).fill(text);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('button', { name: new RegExp(`^${time}`) }).click();
    await expect(reply(page)).toHaveValue('');
    await expect(bubble(page, text)).toContainText('scheduled for');
  };

  await schedule('We call you in the morning', 'Tomorrow morning');
  const first = bubble(page, 'We call you in the morning');
  await expect(first).toContainText(/Dana .*scheduled for .*09:00/);
  await first.getByRole('button', { name: 'Change time' }).click();
  await page.getByRole('button', { name: /^In 3 hours/ }).click();
  await expect(first).not.toContainText('09:00');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(first.getByRole('button', { name: 'Cancel' })).toBeInViewport();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await first.getByRole('button', { name: 'Cancel' }).click();
  await expect(reply(page)).toHaveValue('We call you in the morning');
  await expect(thread(page)).not.toContainText('scheduled for');

  await schedule('We call you at noon', 'In 1 hour');
  await bubble(page, 'We call you at noon').getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => received(sandbox, phone)).toEqual(['We call you at noon']);
  await page.reload();
  await expect(bubble(page, 'We call you at noon')).not.toContainText('scheduled for');
});
