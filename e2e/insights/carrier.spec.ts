/** The exchange of a message with its carrier, from the switch to the payloads. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('a recorded message shows the exchange with the carrier', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const stamp = Date.now().toString(36);
  const send = (to: string, text: string) =>
    owner.post('messages', { channel: 'SMS', from: 'Harbour Hamburg', to: [to], text });
  await send('447400561778', 'Sent before the recording');
  const page = await openAs(OWNER, { path: '/insights?tab=log' });
  // Beside the panel, the table shows only the status and the number.
  const open = (number: string) => page.getByRole('row').filter({ hasText: number }).first().click();
  const panel = page.getByRole('complementary');

  await test.step('an earlier message has no payloads, and the recording starts from it', async () => {
    await open('+44 7400 561778');
    await panel.getByRole('tab', { name: 'Carrier' }).click();
    await expect(panel).toContainText('Nothing recorded for this message');
    await panel.getByRole('button', { name: 'Record for 1 hour' }).click();
    await expect(panel).toContainText('0 of 500 messages');
    await expect(panel).toContainText('It was sent before the recording started');
    // The worker reads the recordings once a second.
    await page.waitForTimeout(2_500);
  });
  await test.step('the next message shows its exchange in order, without the code in its text', async () => {
    await send('447400561788', `Code 48213 ${stamp}`);
    await open('+44 7400 561788');
    const payloads = panel.getByRole('list', { name: 'Carrier exchange' }).getByRole('listitem');
    await expect(payloads).toHaveCount(3, { timeout: 20_000 });
    await expect(payloads.nth(0)).toContainText('submit_sm');
    await expect(payloads.nth(0)).toContainText(`short_message: Code ***** ${stamp}`);
    await expect(payloads.nth(1)).toContainText('command_status: ESME_ROK (0)');
    await expect(payloads.nth(2)).toContainText('stat:DELIVRD');
    await expect(panel).toContainText('1 of 500 messages');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await payloads.nth(1).getByRole('button', { name: 'Copy submit_sm_resp' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('ESME_ROK');
  });
  await test.step('a message from a phone shows what the carrier delivered', async () => {
    await sandbox.write('447400561798', '4917139200000', 'Is table 48213 free?');
    await open('+44 7400 561798');
    const payloads = panel.getByRole('list', { name: 'Carrier exchange' }).getByRole('listitem');
    await expect(payloads).toHaveCount(1, { timeout: 20_000 });
    await expect(payloads).toContainText('deliver_sm');
    await expect(payloads).toContainText('short_message: Is table ***** free?');
    await expect(panel).toContainText('2 of 500 messages');
  });
  await test.step('the arrow keys move between the tabs, and the recording stops', async () => {
    await panel.getByRole('tab', { name: 'Carrier' }).press('ArrowLeft');
    await expect(panel.getByRole('tab', { name: 'Details' })).toBeFocused();
    await expect(panel).toContainText('Timeline');
    await page.keyboard.press('ArrowRight');
    await panel.getByRole('button', { name: 'Stop recording' }).click();
    await expect(panel).not.toContainText('of 500 messages');
  });
});
