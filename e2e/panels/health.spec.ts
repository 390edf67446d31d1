/** The operators' start page and health page show the real state of the connections. */
import { OPERATOR } from '../api.ts';
import { expect, test } from '../test.ts';

interface Connection {
  id: string;
  name: string;
  desired_binds: number;
  binds: { state: string }[];
}

test('health counts the binds of every connection and names one that is down', async ({ openAs, api }) => {
  const operator = await api(OPERATOR);
  const connections = await operator.get<Connection[]>('connections');
  const desired = connections.reduce((sum, { desired_binds }) => sum + desired_binds, 0);
  const page = await openAs(OPERATOR, { host: 'admin', path: '/' });
  const binds = page.getByRole('link', { name: /^Carrier binds/ });
  await expect(binds).toHaveText(`${desired} of ${desired} up`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Carrier binds' })).not.toContainText(/Warning|Critical/);

  const down = await operator.post<Connection>('connections', {
    name: 'Closed port',
    adapter: 'viber',
    settings: { base_url: 'http://127.0.0.1:1' },
    enabled: true,
  });
  await page.goto('/health');
  const idle = page.getByRole('button', { name: /^Show \d+ idle queues$/ });
  await idle.click();
  await expect(page.getByRole('table', { name: 'Queues' }).getByText('mail.send', { exact: true })).toBeVisible();
  await expect(binds).toHaveText(`${desired + 1} of ${desired + 1} up`);
  await operator.put(`connections/${down.id}`, { enabled: false });
  await expect(binds).toHaveText(`${desired} of ${desired} up`);

  await binds.click();
  await expect(page).toHaveURL('/connections');
  await page.getByRole('row', { name: /Closed port/ }).click();
  await expect(page.getByRole('complementary', { name: 'Closed port' })).toContainText('Disabled');
});
