/** On WhatsApp, a reply quotes a message, and users react to messages. Emoji are found by word. */
import { OWNER } from '../api.ts';
import { chatPhone, newNumber } from '../chat_phones.ts';
import { expect, test } from '../test.ts';

const WHATSAPP = '4917139200900';

test('a user quotes a message, inserts an emoji, and reacts with another', async ({ openAs, sandbox }) => {
  const phone = chatPhone(sandbox, newNumber());
  const question = `Is nine fine ${phone.digits}?`;
  await phone.write({ channel: 'WHATSAPP', to: WHATSAPP, text: question });
  const page = await openAs(OWNER, { path: '/inbox/unassigned' });
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: question }).click();
  const bubble = page.getByRole('region', { name: 'Messages' }).getByRole('article').filter({ hasText: question });
  const reactions = async () =>
    (await phone.messages()).filter(({ content }) => content.kind === 'reaction').map(({ content }) => content.text);

  await bubble.first().hover();
  await bubble.first().getByRole('button', { name: 'Quote this message' }).click();
  const reply = page.getByLabel(/^Reply to/);
  await expect(reply).toBeFocused();
  await expect(page.getByText(`Reply to: ${question}`)).toBeVisible();
  await reply.fill('Perfect');
  await page.getByRole('button', { name: 'Insert emoji' }).click();
  await page.getByRole('searchbox', { name: 'Search emoji' }).fill('rocket');
  await page.getByRole('gridcell', { name: 'rocket' }).click();
  await expect(reply).toHaveValue('Perfect🚀');
  await page.keyboard.press('Control+Enter');
  await expect(bubble.last()).toContainText('Perfect🚀');
  await expect.poll(async () => (await phone.messages()).at(-1)?.text).toBe('Perfect🚀');
  await expect(page.getByText(`Reply to: ${question}`)).toHaveCount(0);

  const react = async (name: string) => {
    await bubble.first().hover();
    await bubble.first().getByRole('button', { name: 'React', exact: true }).click();
    await page.getByRole('dialog', { name: 'React' }).getByRole('button', { name }).click();
  };
  await react('React with 👍');
  await expect(bubble.first().getByRole('img', { name: 'Your company reacted with 👍' })).toBeVisible();
  await react('Remove 👍');
  await expect(bubble.first().getByRole('img', { name: /Your company/ })).toHaveCount(0);
  await expect.poll(reactions).toEqual(['👍', '']);
});
