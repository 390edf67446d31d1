/** A conversation is answered and closed, and the report of the inbox counts it. */
import { AGENT, OWNER } from '../api.ts';
import { exportShown } from '../exports/export_shown.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const BUSINESS = '4917139200000';

const figure = async (page: Page, name: string): Promise<number> => {
  const chip = page.getByLabel('Inbox in this period').locator('div').filter({ hasText: name }).first();
  return Number((await chip.getByRole('definition').innerText()).replaceAll(',', '').match(/^\d+/)?.[0] ?? 'NaN');
};

test('a report counts a conversation that was answered and closed, and its list exports it', async ({
  openAs,
  api,
  sandbox,
}) => {
  const page = await openAs(OWNER, { path: '/insights?tab=inbox' });
  await expect(page.getByLabel('Inbox in this period')).toContainText('First response');
  await expect.poll(() => figure(page, 'Closed')).not.toBeNaN();
  const before = { closed: await figure(page, 'Closed'), replies: await figure(page, 'First replies') };

  const phone = `120257${freshDigits(5)}`;
  await sandbox.write(phone, BUSINESS, 'Do you open on Sunday?');
  const owner = await api(OWNER);
  const find = async () =>
    (await owner.get(`conversations?filter[search]=${phone}`)) as unknown as { id: string; sender_id: string }[];
  await expect.poll(async () => (await find()).length).toBe(1);
  const { id, sender_id } = (await find())[0]!;
  await owner.post('messages', { channel: 'SMS', from: sender_id, to: [phone], text: 'From 10 to 4.' });
  await owner.put(`conversations/${id}`, { status: 'closed' });

  await page.reload();
  await expect.poll(() => figure(page, 'Closed')).toBe(before.closed + 1);
  expect(await figure(page, 'First replies')).toBe(before.replies + 1);

  await test.step('the figure opens its conversations, which are exported', async () => {
    await page.getByLabel('Inbox in this period').getByRole('link', { name: 'Closed' }).click();
    await expect(page).toHaveURL(/event=closed/);
    const table = page.getByRole('table', { name: 'Conversations', exact: true });
    await expect(table).toContainText(new RegExp(phone.split('').join('\\s?')));
    expect(await exportShown(page, 'CSV file', 'reported-conversations')).toContain(`+${phone}`);
  });
  await test.step('the charts are available as tables and fit on a phone', async () => {
    await page
      .getByRole('radio', { name: 'Backlog' })
      .or(page.getByLabel('Backlog', { exact: true }))
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Open conversations at the end of each day' })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('table', { name: 'Conversations opened by hour' })).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
  await test.step('an agent sees the figures that the inbox allows', async () => {
    const agent = await openAs(AGENT, { path: '/insights?tab=inbox' });
    await expect(agent.getByLabel('Inbox in this period')).toContainText('First response');
  });
});
