/** A language model helps an agent to answer. The sandbox stands in for it. */
import { AGENT, OPERATOR, OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const BUSINESS = '4917139200000';

const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Assistance', exact: true }).click();
  await page.getByRole('dialog', { name: 'Assistance' }).getByRole('button', { name }).click();
};

test('the owner turns assistance on, and an agent uses it without the mouse', async ({ openAs, sandbox, quiet }) => {
  const phone = `120258${freshDigits(5)}`;
  await sandbox.write(phone, BUSINESS, `When will order 1042 arrive? ${phone}`);
  const agent = await openAs(AGENT, { path: '/inbox/unassigned' });
  await agent.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: phone }).click();
  await expect(reply(agent)).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Assistance', exact: true })).toHaveCount(0);

  const operator = await openAs(OPERATOR, { host: 'admin', path: '/setup' });
  await operator.getByRole('button', { name: 'Test the language model' }).click();
  await expect(operator.getByText(/^Response after .*opening hours/)).toBeVisible();

  const owner = await openAs(OWNER, { path: '/settings/inbox' });
  await owner.getByLabel('Assistance in the inbox').check();
  await owner.getByRole('button', { name: 'Save assistance' }).click();
  await expect(owner.getByText('Assistance saved')).toBeVisible();

  // The button appears immediately for all users of the account.
  await expect(agent.getByRole('button', { name: 'Assistance', exact: true })).toBeVisible();
  await agent.keyboard.press('Control+j');
  const menu = agent.getByRole('dialog', { name: 'Assistance' });
  await expect(menu.getByRole('button', { name: 'Suggest a reply' })).toBeFocused();
  await expect(menu.getByRole('button', { name: /^Make it shorter/ })).toHaveAttribute('aria-disabled', 'true');
  await agent.keyboard.press('Enter');
  await expect(reply(agent)).toHaveValue(/your delivery \(1042\)/);
  await expect(reply(agent)).toBeFocused();
  await agent.getByRole('button', { name: 'Undo' }).click();
  await expect(reply(agent)).toHaveValue('');

  await reply(agent).fill('we recieved teh order');
  await choose(agent, 'Fix spelling');
  await expect(reply(agent)).toHaveValue('We received the order.');
  await choose(agent, 'Summarize the conversation');
  const summary = agent.getByRole('region', { name: 'Summarize the conversation' });
  await expect(summary).toContainText(`When will order 1042 arrive? ${phone}`.slice(0, 28));
  await expect(reply(agent)).toHaveValue('We received the order.');
  await summary.getByRole('button', { name: 'Add as note' }).click();
  await expect(agent.getByRole('article', { name: /^Note from/ })).toContainText('Open: the contact waits');

  // A refusal stays in place, and the draft is kept.
  quiet.allow(/assistance/);
  await agent.getByRole('button', { name: 'Assistance', exact: true }).click();
  await menu.getByLabel('Translate your reply: language').selectOption('Armenian');
  await menu.getByRole('button', { name: /^Translate your reply/ }).click();
  const failed = agent.getByRole('region', { name: 'Translate your reply' });
  await expect(failed.getByRole('alert')).toContainText('could not complete this request');
  await expect(failed.getByRole('button', { name: 'Try again' })).toBeVisible();
  await failed.getByRole('button', { name: 'Close' }).click();
  await expect(reply(agent)).toHaveValue('We received the order.');

  // A slow model can be canceled.
  const behave = (pause_ms: number) =>
    fetch(`${sandbox.url}/api/assistance`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pause_ms }),
    });
  await behave(20_000);
  await choose(agent, 'Make it formal');
  await expect(agent.getByText('Waiting for the language model…')).toBeVisible();
  await agent.keyboard.press('Escape');
  await expect(agent.getByText('Waiting for the language model…')).toHaveCount(0);
  await expect(reply(agent)).toHaveValue('We received the order.');
  await behave(0);

  await owner.reload();
  const rows = owner.getByRole('table', { name: 'Requests' });
  await expect(rows).toContainText('Canceled');
  await rows.getByText('Summarize the conversation').first().click();
  await expect(owner.getByText(/\[NUMBER_1\]/).first()).toBeVisible();
  expect(await sandbox.messages(phone), 'nothing was sent').toHaveLength(1);

  await owner.keyboard.press('Escape');
  await owner.getByLabel('Assistance in the inbox').uncheck();
  await owner.getByRole('button', { name: 'Save assistance' }).click();
  await expect(agent.getByRole('button', { name: 'Assistance', exact: true })).toHaveCount(0);
});
