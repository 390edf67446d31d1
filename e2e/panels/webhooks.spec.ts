/** A webhook in daily use: examples, failures, resending, pausing, and a new secret. The server fails at first. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

interface Received {
  type: string;
  signatures: number;
}

async function startServer() {
  const received: Received[] = [];
  const state = { status: 500 };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { type } = JSON.parse(Buffer.concat(pieces).toString()) as { type: string };
    const signatures = String(request.headers['webhook-signature'] ?? '').split(' ').length;
    received.push({ type, signatures });
    response.writeHead(state.status, { 'content-type': 'text/plain' }).end(`The server says ${state.status}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, received, state, stop: () => server.close() };
}

test('a developer tests a webhook, repairs the server, and resends failed deliveries', async ({ openAs, api }) => {
  const server = await startServer();
  const owner = await api(OWNER);
  const events = ['message.read', 'message.failed'];
  const { id } = await owner.post<{ id: string }>('webhooks', { url: server.url, events });
  const page = await openAs(OWNER, { path: `/apis/webhooks?open=${id}` });
  const panel = page.getByRole('complementary');
  const deliveries = panel.getByRole('region', { name: 'Deliveries' });
  const button = (name: string) => panel.getByRole('button', { name, exact: true });

  await test.step('an example of the chosen event fails, and its delivery shows the response', async () => {
    await button('Send example').click();
    await page.getByRole('menuitem', { name: 'message.failed' }).click();
    await expect.poll(() => server.received.at(-1)?.type).toBe('message.failed');
    await deliveries.getByRole('button', { name: /message\.failed/ }).click();
    await expect(deliveries).toContainText('The server says 500', { timeout: 15_000 });
    await expect(deliveries).toContainText('"type": "message.failed"');
  });
  await test.step('the repaired server gets the delivery again immediately', async () => {
    server.state.status = 200;
    const before = server.received.length;
    await deliveries.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => server.received.length, { timeout: 15_000 }).toBeGreaterThan(before);
    await expect(deliveries.getByRole('button', { name: /message\.failed/ })).toContainText('Delivered');
  });
  await test.step('failed deliveries since a time are sent again', async () => {
    await deliveries.getByText('Failed', { exact: true }).click();
    await expect(deliveries).toContainText('No failed deliveries');
    await deliveries.getByText('All', { exact: true }).click();
    await button('Resend failed deliveries').click();
    const dialog = page.getByRole('dialog', { name: 'Resend failed deliveries' });
    await dialog.getByText('Since', { exact: true }).click();
    await expect(dialog.getByLabel('Failed since')).not.toHaveValue('');
    await dialog.getByRole('button', { name: 'Resend deliveries' }).click();
    await expect(page.getByText('No deliveries have failed since then')).toBeVisible();
  });
  await test.step('a paused webhook sends no deliveries, and is shown as paused', async () => {
    await button('Pause webhook').click();
    await expect(panel).toContainText('Paused');
    await expect(button('Send example')).toHaveAttribute('aria-disabled', 'true');
    await expect(deliveries.getByRole('button', { name: 'Send again' })).toHaveAttribute('aria-disabled', 'true');
    await button('Resume webhook').click();
    await expect(panel).toContainText('Active');
  });
  await test.step('after the rotation, deliveries carry both signatures', async () => {
    await button('Rotate secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await expect(panel).toContainText('Previous secret used until');
    await button('Send example').click();
    await page.getByRole('menuitem', { name: 'message.read' }).click();
    await expect
      .poll(() => server.received.at(-1), { timeout: 15_000 })
      .toEqual({ type: 'message.read', signatures: 2 });
  });
  server.stop();
});
