/** The rows behind a screen as a file: conversations of an inbox, links, and the people who clicked. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';
import { exportShown } from './export_shown.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';

test('a user exports the recipients who clicked, the links, and the conversations of an inbox', async ({
  at,
  api,
  openAs,
  sandbox,
}) => {
  const owner = await api(OWNER);
  const run = freshDigits(5);
  const name = `Clicks ${run}`;
  const numbers = [`4474006${run}`, `4474007${run}`] as const;
  const audience = await owner.importAudience(name, ['Number', ...numbers.map((number) => `+${number}`)].join('\n'));
  const target = `https://example.com/clicks-${run}`;
  const campaign = { name, from: 'Harbour Hamburg', audience, text: `Menu {url=${target}}` };
  const { id } = await owner.post<{ id: string }>('campaigns', campaign);
  const received = async () => (await sandbox.messages(numbers[0])).map(({ text }) => text).join();
  await expect.poll(received, { timeout: 40_000 }).toContain('Menu http');
  const [, short] = /Menu (\S+)/.exec(await received())!;
  // People need a moment to read a message.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await fetch(at.app + new URL(short!).pathname, { redirect: 'manual', headers: { 'user-agent': PHONE } });

  const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
  const clicked = page.getByRole('region', { name: 'Responses' }).getByRole('link', { name: 'Clicked a link' });
  await expect(async () => {
    await page.reload();
    await expect(clicked.locator('..').locator('..')).toContainText('1');
  }).toPass({ timeout: 30_000 });
  await clicked.click();
  await expect(page).toHaveURL(/response=clicked/);
  await expect(page.getByRole('table', { name: 'Recipients' }).getByRole('row')).toHaveCount(2);
  const people = (await exportShown(page, 'CSV file', 'campaign-recipients')).trim().split('\r\n');
  expect(people).toHaveLength(2);
  expect(people[1]).toContain(`+${numbers[0]},`);

  await page.goto(`/link-management?search=clicks-${run}`);
  await expect(page.getByText('One for each of 2 recipients')).toBeVisible();
  const links = await exportShown(page, 'JSON Lines file', 'links');
  expect(JSON.parse(links)).toMatchObject({ destination: target, recipients: 2, clicks: 1 });

  await sandbox.write(numbers[1], '4917139200000', `Table ${run}`);
  await page.goto('/inbox/unassigned');
  await page.getByRole('searchbox', { name: 'Search the inbox' }).fill(numbers[1]);
  await expect(page.getByRole('button', { name: new RegExp(`Table ${run}`) })).toBeVisible();
  const conversations = (await exportShown(page, 'CSV file', 'conversations')).trim().split('\r\n');
  expect(conversations).toHaveLength(2);
  expect(conversations[1]).toContain(`Table ${run},inbound`);
});
