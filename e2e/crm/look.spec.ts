import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('look', async ({ at, api, openAs }) => {
  const owner = await api(OWNER);
  await owner.post('audiences', { name: `Look contacts ${Date.now()}` });
  const crm = async (method: string, path: string, body?: unknown) => {
    const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
    await fetch(`${at.sandbox}/api/hubspot${path}`, { method, ...init });
  };
  const page = await openAs(OWNER, { path: '/settings/integrations' });
  const shot = async (name: string) => {
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [1280, 390]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `/tmp/crm/${name}-${scheme}-${width}.png`, fullPage: true });
      }
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  const hubspot = page.getByRole('region', { name: 'HubSpot' });
  await hubspot.getByRole('button', { name: 'Connect HubSpot' }).click();
  await page.getByRole('button', { name: 'Connect app' }).click();
  await expect(hubspot.getByText('Connected', { exact: true })).toBeVisible();
  await shot('integrations');
  await hubspot.getByRole('link', { name: 'Contact sync and deals' }).click();
  await expect(page.getByText('The contact sync is off.')).toBeVisible();
  await expect(page.getByLabel('Audience')).toBeVisible();
  await shot('off');
  await page.getByLabel('Audience').selectOption({ index: 1 });
  await page.getByLabel('Opt-outs').click({ force: true });
  await page
    .getByRole('group', { name: 'Opt-out field' })
    .getByLabel('Field in HubSpot')
    .selectOption({ label: 'Opted out' });
  await page.getByRole('button', { name: 'Add consent' }).click();
  const consent = page.getByRole('group', { name: 'Consent 1' });
  await consent.getByLabel('Field in HubSpot').selectOption({ label: 'Text message consent' });
  await consent.getByLabel('Text that people agreed to').fill('I want news by text message');
  await page.getByRole('button', { name: 'Show preview' }).click();
  await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
  await shot('preview');
  await crm('POST', '/contacts', { firstname: 'Double', lastname: 'Number', mobilephone: '+49 170 0456201' });
  await page.getByRole('button', { name: 'Turn on sync' }).click();
  await expect(page.getByText('Everything is synced.')).toBeVisible({ timeout: 40_000 });
  await page.reload();
  await page.getByRole('button', { name: 'Add message' }).click();
  await shot('dialog');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('When a deal enters').selectOption({ index: 1 });
  await dialog.getByLabel('Send from').selectOption({ index: 1 });
  await dialog.getByLabel('Template').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Add message' }).click();
  await expect(page.getByRole('list', { name: 'Messages from deals' })).toBeVisible();
  await shot('on');
  await page.goto('/settings/integrations');
  await hubspot.getByRole('button', { name: 'Disconnect HubSpot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect HubSpot' }).click();
  await page.goto('/settings/integrations?crm=hubspot');
  await page.waitForTimeout(1_500);
  await shot('missing');
});
