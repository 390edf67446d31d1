/** An agent and a colleague work on the same conversation at the same time, on a computer and on a phone. */
import { AGENT, type Api, OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const BUSINESS = '4917139200000';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
/** Without the permission to view conversations that are assigned to others. */
const OWN_AND_UNASSIGNED = { MESSAGES: 3, CONVERSATIONS: 1 };

interface User {
  id: string;
  permissions: Record<string, number>;
}

const row = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: text });
const thread = (page: Page) => page.getByRole('region', { name: 'Messages' });
const bubble = (page: Page, text: string) => thread(page).getByRole('article').filter({ hasText: text });
const reply = (page: Page) => page.getByLabel(/^Reply to/);

async function send(page: Page, text: string): Promise<void> {
  await reply(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

async function open(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path);
  await row(page, text).click();
  await expect(thread(page)).toContainText(text);
}

async function assign(page: Page, current: string, to: RegExp): Promise<void> {
  // On a phone, a toast about an earlier conversation covers the button.
  await expect(page.locator('[role=alert][data-kind]')).toHaveCount(0);
  await page.getByRole('button', { name: `Assigned to: ${current}. Change` }).click();
  await page.getByRole('dialog', { name: 'Assign conversation' }).getByRole('button', { name: to }).click();
}

async function findAgent(owner: Api): Promise<User> {
  const users = await owner.get<(User & { email: string })[]>('users?page_size=100');
  return users.find(({ email }) => email === AGENT)!;
}

/** The conversation is closed with a dialog, word for word. */
async function acknowledge(page: Page, title: string, text: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title, exact: true });
  await expect(dialog.getByText(text, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(thread(page)).toHaveCount(0);
}

for (const viewport of SIZES)
  test.describe(`a conversation at ${viewport.width} pixels`, () => {
    test('is assigned, noted, snoozed, woken, and answered by two users', async ({ openAs, api, sandbox }) => {
      test.setTimeout(180_000);
      const phone = `120271${freshDigits(5)}`;
      const text = `Can I change my order ${phone}?`;
      await sandbox.write(phone, BUSINESS, text);
      const [owner, agent] = [await openAs(OWNER, { viewport }), await openAs(AGENT, { viewport })];
      for (const page of [owner, agent]) await open(page, '/inbox/unassigned', text);

      await assign(owner, 'Unassigned', /^Sam/);
      for (const page of [owner, agent])
        await expect(thread(page)).toContainText(/Conversation is assigned to Sam \S+/);
      await expect(agent.getByRole('button', { name: 'Assigned to: Me. Change' })).toBeVisible();

      await agent.getByRole('radio', { name: 'Note' }).check({ force: true });
      const note = agent.getByRole('textbox', { name: 'Note' });
      await note.pressSequentially('Is this possible, @Dan');
      await agent.getByRole('option', { name: /^Dana/ }).click();
      await agent.getByRole('button', { name: 'Add note' }).click();
      await expect(bubble(owner, 'Is this possible')).toBeVisible();
      await agent.getByRole('radio', { name: 'Reply' }).check({ force: true });

      await agent.getByRole('button', { name: /^Status: / }).click();
      await agent.getByRole('button', { name: /^Tomorrow morning/ }).click();
      await expect(thread(owner)).toContainText('snoozed the conversation until');
      await agent.goto('/inbox/assigned-to-me');
      await expect(row(agent, text)).toHaveCount(0);
      const again = `And a second coffee ${phone}`;
      await sandbox.write(phone, BUSINESS, again);
      await expect(row(agent, again)).toBeVisible();
      // A conversation whose time has come wakes without a message.
      const conversations = await (await api(OWNER)).get<{ id: string }[]>(`conversations?filter[search]=${phone}`);
      const until = new Date(Date.now() + 4_000).toISOString().slice(0, 19).replace('T', ' ');
      await (await api(OWNER)).put(`conversations/${conversations[0]!.id}`, { status: 'snoozed', snooze_until: until });
      await expect(row(agent, again)).toHaveCount(0);
      await expect(row(agent, again)).toBeVisible({ timeout: 30_000 });

      await row(agent, again).click();
      await reply(agent).fill('I will ask the kitchen');
      await expect(owner.getByText(/is typing$/)).toBeVisible();
      await send(owner, 'Yes, no problem');
      await expect(thread(agent)).toContainText('Yes, no problem');
      await agent.getByRole('button', { name: 'Send', exact: true }).click();
      const question = agent.getByRole('dialog', { name: 'Reply anyway?' });
      await expect(question).toContainText('Yes, no problem');
      await question.getByRole('button', { name: 'Reply anyway' }).click();
      await expect(thread(owner)).toContainText('I will ask the kitchen');
      await expect(thread(owner)).toContainText(/replied after .* had already replied/);

      await expect.poll(async () => (await sandbox.messages(phone)).length).toBe(4);
      await sandbox.phone(phone, 'reject');
      await send(agent, 'It is ready at noon');
      const failed = bubble(agent, 'It is ready at noon').getByRole('img', {
        name: /^Message cannot be sent\. Issue may originate from user's end\./,
      });
      await expect(failed).toBeVisible({ timeout: 40_000 });
      await expect(bubble(owner, 'It is ready at noon').getByRole('button', { name: 'Retry' })).toBeVisible();
      await sandbox.phone(phone, 'on');
      await bubble(agent, 'It is ready at noon').getByRole('button', { name: 'Retry' }).click();
      await expect(thread(agent).getByRole('img', { name: 'Delivered' }).last()).toBeVisible();
      await expect
        .poll(async () =>
          (await sandbox.messages(phone)).filter(
            ({ text, status }) => text === 'It is ready at noon' && status !== 'rejected',
          ),
        )
        .toHaveLength(1);
      for (const page of [owner, agent])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    });

    test('closes when the permission is withdrawn or the conversation is deleted', async ({
      openAs,
      api,
      sandbox,
      quiet,
    }) => {
      test.setTimeout(180_000);
      // Lists and signs of presence that were requested with the earlier permission.
      quiet.allow(/^403 (GET|PUT) \/v1\//);
      const phone = `120272${freshDigits(5)}`;
      const text = `Is my parcel lost ${phone}?`;
      await sandbox.write(phone, BUSINESS, text);
      const client = await api(OWNER);
      const { id, permissions } = await findAgent(client);
      const setPermissions = (next: Record<string, number>) => client.put(`users/${id}`, { permissions: next });
      await setPermissions(OWN_AND_UNASSIGNED);
      try {
        const owner = await openAs(OWNER, { viewport });
        await open(owner, '/inbox/unassigned', text);
        await assign(owner, 'Unassigned', /^Sam/);
        await expect(thread(owner)).toContainText('Conversation is assigned to Sam');
        const agent = await openAs(AGENT, { viewport });
        await open(agent, '/inbox/assigned-to-me', text);

        await assign(owner, 'Sam Ridley', /^Dana/);
        await acknowledge(agent, 'Conversation unassigned', 'You can no longer read this conversation.');
        await expect(row(agent, text)).toHaveCount(0);

        await assign(owner, 'Me', /^Unassigned/);
        await open(agent, '/inbox/unassigned', text);
        await assign(owner, 'Unassigned', /^Dana/);
        await acknowledge(agent, 'Conversation unavailable', 'You cannot access this conversation.');

        await assign(owner, 'Me', /^Unassigned/);
        await open(agent, '/inbox/unassigned', text);
        await setPermissions({ MESSAGES: 3 });
        await acknowledge(agent, 'Conversation unavailable', 'You cannot access this conversation.');
        await expect(agent.getByText(text)).toHaveCount(0);

        await setPermissions(OWN_AND_UNASSIGNED);
        await open(agent, '/inbox/unassigned', text);
        if (viewport.width < 768) await owner.getByRole('button', { name: 'Show contact' }).click();
        await owner.getByRole('button', { name: 'Delete conversation' }).click();
        await acknowledge(agent, 'Conversation unavailable', 'You cannot access this conversation.');
        await expect(owner.getByRole('dialog')).toHaveCount(0);
        await expect(row(owner, text)).toHaveCount(0);
      } finally {
        await setPermissions(permissions);
      }
    });
  });
