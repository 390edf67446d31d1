/** A rule of the inbox is tested on earlier conversations, turned on, and assigns and labels a new one. */
import { AGENT, OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';
import { conversationRows } from './conversation_rows.ts';

const BUSINESS = '4917139200000';

const expectNoOverflow = async (page: Page) =>
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

test('a rule is tested on history, turned on, and assigns and labels a new conversation', async ({
  openAs,
  api,
  sandbox,
}) => {
  // A message that only this test matches, with an accent that makes no difference.
  const unique = freshDigits(7);
  const word = `réfund ${unique}`;
  const [earlier, later] = [`120259${freshDigits(5)}`, `120260${freshDigits(5)}`];
  await sandbox.write(earlier, BUSINESS, `I want a REFUND ${unique}, please`);
  await sandbox.write(`120263${freshDigits(5)}`, BUSINESS, `I want a receipt ${unique}, please`);
  const owner = await api(OWNER);
  const label = await owner.post<{ id: string; name: string }>('labels', { name: `Money ${unique}`, color: 'red' });
  const name = `Refunds ${unique}`;
  const page = await openAs(OWNER, { path: '/settings/inbox' });
  const find = (phone: string) =>
    owner.get<{ assignee_name: string | null; label_ids: string[] }[]>(`conversations?filter[search]=${phone}`);
  const part = page.getByRole('listitem').filter({ hasText: name });

  await test.step('the rule is created with a test run, and starts turned off', async () => {
    await page.getByRole('button', { name: 'Create rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create rule' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByLabel('The message contains one of').first().fill(word);
    await page.keyboard.press('Enter');
    const run = dialog.getByRole('region', { name: 'Test run' });
    await expect(async () => {
      await run.getByRole('button', { name: 'Test run' }).click();
      await expect(run).toContainText(/Would have matched 1 of (the latest )?[\d,]+ conversations\./, {
        timeout: 2_000,
      });
    }).toPass();
    await expect(run.getByRole('listitem')).toContainText(`I want a REFUND ${unique}`);
    await expect(dialog.getByRole('button', { name: 'Save rule' }), 'the rule does nothing yet').toBeDisabled();
    await dialog.getByRole('combobox', { name: 'Assign to' }).selectOption({ label: 'Sam Ridley' });
    await dialog.getByLabel('Add labels').first().fill(label.name);
    await page.getByRole('listbox').getByRole('option', { name: label.name }).click();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(part).toContainText(`contains "${word}": assign to Sam Ridley, add 1 label`);
    await expect(part.getByRole('switch')).not.toBeChecked();
  });
  await test.step('the rule is turned on and fits on a phone', async () => {
    // The label around the switch, because the visible track covers the switch itself.
    await part.locator('label').click();
    await expect(part.getByRole('switch', { name: `Rule ${name}` })).toBeChecked();
    await expect(part.getByRole('switch')).toBeEnabled();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(part).toBeVisible();
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    await expect(part.getByRole('switch')).toBeChecked();
  });
  await test.step('a new conversation goes to the agent with the label, the earlier one stays', async () => {
    const agent = await openAs(AGENT, { path: '/inbox/assigned-to-me' });
    await expect(agent.getByRole('heading', { level: 1 })).toBeAttached();
    const text = `Where is my refund ${unique}?`;
    await sandbox.write(later, BUSINESS, text);
    const row = conversationRows(agent).filter({ hasText: text });
    await expect(row).toContainText(label.name);
    await row.click();
    const thread = agent.getByRole('region', { name: 'Messages' });
    await expect(thread).toContainText(`The rule ${name}`);
    await expect(conversationRows(agent).filter({ hasText: `I want a REFUND ${unique}` })).toHaveCount(0);
    expect(await find(earlier)).toMatchObject([{ assignee_name: null, label_ids: [] }]);
    expect(await find(later)).toMatchObject([{ assignee_name: 'Sam Ridley', label_ids: [label.id] }]);
  });
  await test.step('the rule is deleted, and the conversation keeps its label', async () => {
    await part.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
    await expect(part).toHaveCount(0);
    expect(await find(later)).toMatchObject([{ label_ids: [label.id] }]);
  });
});

test('a rule that requires a language matches only messages in it', async ({ openAs, api, sandbox }) => {
  const unique = freshDigits(7);
  const [french, english] = [`120274${freshDigits(5)}`, `120275${freshDigits(5)}`];
  const owner = await api(OWNER);
  const label = await owner.post<{ id: string; name: string }>('labels', { name: `French ${unique}`, color: 'blue' });
  const name = `In French ${unique}`;
  const page = await openAs(OWNER, { path: '/settings/inbox' });
  await page.getByRole('button', { name: 'Create rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create rule' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByLabel('Language of the message').first().fill('Fren');
  await page.getByRole('option', { name: 'French', exact: true }).click();
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Add labels').first().fill(label.name);
  await page.getByRole('listbox').getByRole('option', { name: label.name }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect(dialog).toHaveCount(0);
  const part = page.getByRole('listitem').filter({ hasText: name });
  await expect(part).toContainText('French');
  await part.locator('label').click();
  await expect(part.getByRole('switch')).toBeChecked();

  await sandbox.write(french, BUSINESS, `Bonjour, je voudrais savoir quand ma commande ${unique} va arriver, merci`);
  await sandbox.write(english, BUSINESS, `Hello, I would like to know when my order ${unique} will arrive, thank you`);
  const labels = async (phone: string) =>
    (await owner.get<{ label_ids: string[] }[]>(`conversations?filter[search]=${phone}`))[0]?.label_ids;
  await expect.poll(() => labels(french)).toEqual([label.id]);
  await expect.poll(() => labels(english)).toEqual([]);
  await part.locator('label').click();
  await expect(part.getByRole('switch')).not.toBeChecked();
});
