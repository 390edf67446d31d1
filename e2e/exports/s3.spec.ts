/** A person adds an S3 bucket, sees why a test fails, and schedules an export to it. */
import { STORE_KEYS, startObjectStore } from '@parley/server/src/test/peers/object_store.ts';
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('a user adds an S3 bucket and schedules an export to it', async ({ openAs, quiet }) => {
  const bucket = `exports-${Date.now().toString(36)}`;
  const store = await startObjectStore(bucket);
  try {
    const page = await openAs(OWNER, { path: '/exports' });
    await page.getByRole('button', { name: 'Add S3 bucket' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add S3 bucket' });
    await dialog.getByLabel('Name', { exact: true }).fill(`Lake ${bucket}`);
    await dialog.getByLabel('Endpoint').fill(store.url);
    await dialog.getByLabel('Bucket').fill(bucket);
    await dialog.getByLabel('Access key ID').fill(STORE_KEYS.access_key_id);
    const secret = dialog.getByRole('textbox', { name: 'Secret access key' });
    await secret.fill('wrong');
    quiet.expect(/^400 POST \/v1\/export_destination_tests/);
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByText(/The store refused the access key/)).toBeVisible();
    await secret.fill(STORE_KEYS.secret_access_key);
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByText('Signed in, and a test file was written and deleted.')).toBeVisible();
    expect([...store.objects.keys()]).toEqual([]);
    await dialog.getByRole('button', { name: 'Add S3 bucket' }).click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole('table', { name: 'Export destinations' }).getByRole('row').filter({ hasText: bucket });
    await expect(row).toContainText('Active');

    await page.goto('/insights?tab=log');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const group = page.getByRole('group', { name: `CSV file to Lake ${bucket}` });
    await group.getByRole('menuitem', { name: 'Every Monday' }).click();
    await page.getByRole('button', { name: 'View exports' }).click();
    const schedule = page.getByRole('table', { name: 'Scheduled exports' }).getByRole('row');
    await expect(schedule.filter({ hasText: `Lake ${bucket}` })).toContainText('Every Monday');
  } finally {
    await store.stop();
  }
});
