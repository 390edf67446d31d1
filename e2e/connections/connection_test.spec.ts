/** An operator tests a connection to a carrier that does not match the settings, and applies the proposed settings. */
import { OPERATOR } from '../api.ts';
import { expect, test } from '../test.ts';
import { startQuirkyCarrier } from './carrier.ts';

test('an operator applies the proposed settings when a connection test finds differences', async ({ api, openAs }) => {
  test.setTimeout(120_000);
  const carrier = await startQuirkyCarrier('1');
  const operator = await api(OPERATOR);
  const name = `Quirks ${Date.now().toString(36)}`;
  const settings = { host: '127.0.0.1', port: carrier.port, system_id: 'quirks' };
  const { id } = await operator.post<{ id: string }>('connections', { name, adapter: 'smpp', settings });
  try {
    const page = await openAs(OPERATOR, { host: 'admin', path: `/connections?open=${id}` });
    const panel = page.getByRole('complementary');
    await expect(panel.getByText('Bound', { exact: true }).first()).toBeVisible({ timeout: 20_000 });
    const section = panel.getByRole('region', { name: 'Test', exact: true });
    await section.getByRole('button', { name: 'Send test message' }).click();
    await expect(section.getByText('From is required!')).toBeVisible();
    await section.getByLabel('From').fill('Parley');
    await section.getByLabel('To').fill('+1 202 555 0188');
    await section.getByRole('button', { name: 'Send test message' }).click();
    await expect(section.getByText('Complete', { exact: true })).toBeVisible({ timeout: 30_000 });
    const proposal = section.getByRole('table', { name: 'Proposed settings' });
    await expect(proposal.getByRole('row', { name: /Message IDs/ })).toContainText('Hexadecimal in both');
    await expect(proposal.getByRole('row', { name: /UTC offset in receipts/ })).toContainText('UTC+5:30');
    await expect(proposal.getByRole('row', { name: /Country for national numbers/ })).toContainText('United States');
    await expect(proposal.getByRole('row', { name: /Message reference in receipts/ })).toContainText('No');
    await section.getByRole('button', { name: 'Apply proposed settings' }).click();
    await expect(section.getByText('All settings match this carrier.')).toBeVisible();
    await expect(panel.getByText('UTC+5:30')).toHaveCount(2);
  } finally {
    await operator.put(`connections/${id}`, { enabled: false });
    await carrier.stop();
  }
});
