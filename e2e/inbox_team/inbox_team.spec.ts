/** Two users work on the same conversation: an agent asks the owner for help. */
import { AGENT, OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const BUSINESS = '4917139200000';

const row = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: text });
const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });

test('an agent asks the owner for help in a note with a mention', async ({ openAs, sandbox }) => {
  const phone = `120255${freshDigits(5)}`;
  const text = `Where is my order ${phone}?`;
  await sandbox.write(phone, BUSINESS, text);
  const agent = await openAs(AGENT, { path: '/inbox/unassigned' });
  const owner = await openAs(OWNER, { path: '/' });
  await row(agent, text).click();
  await expect(thread(agent)).toContainText(text);

  await agent.keyboard.press('n');
  const note = agent.getByRole('textbox', { name: 'Note' });
  await expect(note).toBeFocused();
  await agent.keyboard.type('Can you check this, @Dan');
  await expect(agent.getByRole('option', { name: /^Dana/ })).toBeVisible();
  await agent.keyboard.press('Enter');
  await agent.keyboard.type('please?');
  await agent.keyboard.press('Control+Enter');
  await expect(note).toHaveValue('');
  await expect(thread(agent).getByRole('article', { name: /^Note from/ })).toContainText('please?');

  const toast = owner.getByRole('status').filter({ hasText: 'mentioned you' });
  await toast.getByRole('button', { name: 'Open' }).click();
  await expect(thread(owner)).toContainText('Can you check this');
  await expect(owner.getByRole('checkbox', { name: 'Mentions me', exact: true })).toBeVisible();
  await owner.getByLabel(/^Mentions me/).check();
  await expect(row(owner, text)).toBeVisible();
  const mail = await sandbox.mail(OWNER, /mentioned you in a conversation/);
  expect(mail.text).toContain('Can you check this');
  expect(await sandbox.messages(phone), 'the note is not sent').toHaveLength(1);

  await agent.getByRole('button', { name: 'Delete note' }).click();
  await expect(thread(agent).getByRole('article', { name: /^Note from/ })).toHaveCount(0);
  await expect(thread(owner)).not.toContainText('Can you check this', { timeout: 15_000 });
});

test('users see each other in a conversation, confirm a late reply, and find it by its words', async ({
  openAs,
  sandbox,
}) => {
  const phone = `120256${freshDigits(5)}`;
  const text = `Wo ist mein Päckchen ${phone}?`;
  await sandbox.write(phone, BUSINESS, text);
  const agent = await openAs(AGENT, { path: '/inbox/unassigned' });
  const owner = await openAs(OWNER, { path: '/inbox/unassigned' });
  for (const page of [agent, owner]) {
    await row(page, text).click();
    await expect(thread(page)).toContainText(text);
  }
  await expect(agent.getByText(/is viewing$/)).toBeVisible();
  await owner.keyboard.press('r');
  await owner.keyboard.type('We are looking for it');
  await expect(agent.getByText(/is typing$/)).toBeVisible();

  await agent.keyboard.press('r');
  await agent.keyboard.type('It arrives tomorrow');
  await agent.keyboard.press('Control+Enter');
  await expect(thread(owner)).toContainText('It arrives tomorrow');
  await owner.keyboard.press('Control+Enter');
  const question = owner.getByRole('dialog', { name: 'Reply anyway?' });
  await expect(question).toContainText('It arrives tomorrow');
  await question.getByRole('button', { name: 'Reply anyway' }).click();
  await expect(thread(owner)).toContainText('We are looking for it');
  await expect(thread(agent)).toContainText(/replied after .* had already replied/);
  await expect.poll(async () => (await sandbox.messages(phone)).length).toBe(3);

  await owner.getByRole('searchbox', { name: 'Search the inbox' }).fill(`packchen ${phone}`);
  const found = owner.getByRole('region', { name: 'Found messages' }).getByRole('button', { name: phone });
  await expect(found.locator('mark')).toHaveText(['Päckchen', phone]);
  await found.click();
  await expect(owner).toHaveURL(/message=/);
});
