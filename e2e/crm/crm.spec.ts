/** Pipedrive, from the installation of the app to a logged reply. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

const ADA = '491700456101';

test('a person connects Pipedrive, messages a deal from its panel, and finds the reply logged there', async ({
  at,
  openAs,
  sandbox,
}) => {
  const page = await openAs(OWNER, { path: '/settings/integrations' });
  await page.getByRole('button', { name: 'Connect Pipedrive' }).click();
  await page.getByRole('button', { name: 'Allow and install' }).click();
  await expect(page.getByText('Pipedrive is connected')).toBeVisible();
  const pipedrive = page.getByRole('region', { name: 'Pipedrive' });
  await expect(pipedrive.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Connected users' })).toContainText('Sam Field');

  await page.goto(`${at.sandbox.replace('127.0.0.1', 'localhost')}/pipedrive/deal/1`);
  const panel = page.frameLocator('iframe[title="Parley"]');
  await expect(panel.getByLabel('To', { exact: true })).toContainText('Ada Winter');
  await panel.getByLabel('From').selectOption({ label: 'Harbour Hamburg · SMS' });
  const text = `Your machine arrives on Friday ${Date.now()}`;
  await panel.getByRole('textbox', { name: 'Message' }).fill(text);
  await panel.getByRole('button', { name: 'Send message' }).click();
  await expect(panel.getByRole('region', { name: 'Messages' })).toContainText(text);
  await expect(panel.getByText('Logged', { exact: true }).last()).toBeVisible();

  const [received] = (await sandbox.messages(ADA)).filter((message) => message.text === text);
  await sandbox.write(ADA, received!.from, 'Friday is fine');
  await expect(panel.getByRole('region', { name: 'Messages' })).toContainText('Friday is fine');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Activities' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: `SMS sent: ${text.slice(0, 30)}` })).toBeVisible({
      timeout: 1_000,
    });
    await expect(page.getByRole('listitem').filter({ hasText: 'SMS received: Friday is fine' })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();

  // The inbox shows the deal beside the conversation.
  await page.goto(`${at.app}/inbox/unassigned`);
  await page.getByRole('region', { name: 'Conversations' }).getByText('Friday is fine').click();
  const deals = page.getByRole('region', { name: 'Deals in Pipedrive' });
  await expect(deals.getByText('€4,200.00')).toBeVisible();
  await expect(deals.getByText('Contact made')).toBeVisible();
  const deal = deals.getByRole('link', { name: /^Espresso machine for Café Winter/ });
  expect(await deal.getAttribute('href')).toMatch(/\/pipedrive\/deal\/1$/);

  // Only this page may be shown in a frame, and only by the CRM.
  const policy = async (path: string) =>
    (await fetch(at.app + path)).headers.get('content-security-policy')?.match(/frame-ancestors [^;]+/)?.[0];
  expect(await policy('/settings')).toBe("frame-ancestors 'none'");
  expect(await policy('/pipedrive')).toContain('frame-ancestors http://localhost:');

  await page.goto(`${at.app}/settings/integrations`);
  await page.getByRole('button', { name: 'Disconnect Pipedrive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect Pipedrive' }).click();
  await expect(pipedrive.getByText('Not connected.')).toBeVisible();
});
