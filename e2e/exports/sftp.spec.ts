/** A person accepts the host key of an SFTP server, tests the connection, and schedules an export to it. */
import { PASSWORD, startSftpPeer, USER } from '@parley/server/src/test/peers/sftp_server.ts';
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('a user adds an SFTP server and schedules an export to it', async ({ openAs }) => {
  const peer = await startSftpPeer();
  try {
    const page = await openAs(OWNER, { path: '/exports' });
    await page.getByRole('button', { name: 'Add SFTP server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add SFTP server' });
    await dialog.getByLabel('Name', { exact: true }).fill(`Store ${peer.port}`);
    await dialog.getByLabel('Host', { exact: true }).fill('127.0.0.1');
    await dialog.getByLabel('Port').fill(String(peer.port));
    await dialog.getByLabel('User', { exact: true }).fill(USER);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByText('Read and accept the host key first.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Read host key' }).click();
    await expect(dialog.getByText(/ssh-rsa SHA256:/)).toBeVisible();
    expect(peer.logins).toBe(0);
    await dialog.getByRole('checkbox', { name: 'This is the key of my server' }).check();
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByText('Signed in, and a test file was written and deleted.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Add SFTP server' }).click();
    await expect(dialog).toBeHidden();
    const server = page
      .getByRole('table', { name: 'Export destinations' })
      .getByRole('row')
      .filter({ hasText: `${peer.port}` });
    await expect(server).toContainText('Active');

    await page.goto('/insights?tab=log');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const group = page.getByRole('group', { name: `CSV file to Store ${peer.port}` });
    await group.getByRole('menuitem', { name: 'Every day' }).click();
    await page.getByRole('button', { name: 'View exports' }).click();
    const schedule = page.getByRole('table', { name: 'Scheduled exports' }).getByRole('row');
    await expect(schedule.filter({ hasText: `Store ${peer.port}` })).toContainText('Every day');
  } finally {
    await peer.stop();
  }
});
