/** The contact sync: connecting a CRM, the preview, the first sync, and a change in each direction. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

const EMIL = '491700456201';

test('contacts match on both sides after the preview is checked and the sync is turned on', async ({
  at,
  api,
  openAs,
}) => {
  const owner = await api(OWNER);
  const name = `CRM contacts ${Date.now()}`;
  await owner.post('audiences', { name, channel: 'SMS' });
  const crm = async (method: string, path: string, body?: unknown) => {
    const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
    const response = await fetch(`${at.sandbox}/api/hubspot${path}`, { method, ...init });
    return (await response.json()) as { contacts: { properties: Record<string, string> }[] };
  };
  const page = await openAs(OWNER, { path: '/settings/integrations' });
  const hubspot = page.getByRole('region', { name: 'HubSpot' });
  await hubspot.getByRole('button', { name: 'Connect HubSpot' }).click();
  await page.getByRole('button', { name: 'Connect app' }).click();
  await expect(hubspot.getByText('Connected', { exact: true })).toBeVisible();
  await hubspot.getByRole('link', { name: 'Contact sync and deals' }).click();
  await expect(page.getByText('The contact sync is off.')).toBeVisible();

  await page.getByLabel('Audience').selectOption({ label: name });
  await page.getByRole('button', { name: 'Show preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('list', { name: 'Examples' })).toContainText('Emil Strand');
  await expect(preview).toContainText('Nothing has been changed.');
  await page.getByRole('button', { name: 'Turn on sync' }).click();
  await expect(page.getByText('Everything is synced.')).toBeVisible({ timeout: 30_000 });

  const person = async () => (await owner.get<{ first_name: string }>(`people/${EMIL}`)).first_name;
  expect(await person()).toBe('Emil');
  await crm('PUT', '/contacts/101', { firstname: 'Emilio' });
  await expect.poll(person, { timeout: 30_000 }).toBe('Emilio');
  await owner.put(`people/${EMIL}`, { last_name: 'Strandberg' });
  const record = async () => (await crm('GET', '')).contacts[0]?.properties.lastname;
  await expect.poll(record, { timeout: 30_000 }).toBe('Strandberg');

  await page.getByRole('button', { name: 'Add message' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('When a deal enters').selectOption({ label: 'Sales Pipeline: Closed Won' });
  await dialog.getByLabel('Send from').selectOption({ label: 'Harbour Hamburg' });
  await dialog.getByLabel('Template').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await expect(page.getByRole('list', { name: 'Messages from deals' })).toContainText('Closed Won');

  await page.goto('/settings/integrations');
  await hubspot.getByRole('button', { name: 'Disconnect HubSpot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect HubSpot' }).click();
  await expect(hubspot.getByText('Not connected.')).toBeVisible();
});
