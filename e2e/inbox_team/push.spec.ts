/** Notifications: a user turns them on, and one arrives and opens its conversation while the page is closed. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

const BUSINESS = '4917139200000';

interface Subscription {
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
}

test('web push arrives with the page closed, and a click opens the conversation', async ({
  at,
  api,
  openAs,
  sandbox,
}) => {
  const read = async <T>(path: string, init?: RequestInit): Promise<T> =>
    (await (await fetch(`${at.sandbox}/api/push${path}`, init)).json()) as T;
  const { id, ...subscription } = await read<Subscription>('', { method: 'POST' });
  const owner = await api(OWNER);
  await owner.put('push_settings', { new_messages: true, quiet_hours: null });
  const device = await owner.post<{ id: string }>('push_devices', subscription);
  const phone = `120258${freshDigits(5)}`;
  const text = `Is this still available ${phone}?`;
  await sandbox.write(phone, BUSINESS, text);
  const sent = async () => (await read<{ text: string }[]>(`/${id}/messages`)).find((one) => one.text.includes(phone));
  await expect.poll(sent, { timeout: 30_000 }).toBeTruthy();
  const { text: data } = (await sent())!;
  expect(JSON.parse(data)).toMatchObject({ body: text });

  const page = await openAs(OWNER, { path: '/settings/user' });
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Devices' })).toBeVisible();
  const context = page.context();
  await context.grantPermissions(['notifications'], { origin: at.app });
  await page.evaluate(`navigator.serviceWorker.register('/push_worker.js').then(() => navigator.serviceWorker.ready)`);

  const pageClient = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    pageClient.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await pageClient.send('ServiceWorker.enable');
  const registrationId = await registered;
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  // A headless browser shows no notifications and opens no windows, so the test records both.
  await worker.evaluate(`
    self.shown = [];
    self.registration.showNotification = async (title, { body, data }) => self.shown.push({ title, body, ...data });
    self.clients.openWindow = async (url) => self.shown.push(url)`);
  // The page of the app is closed; an empty page keeps the browser open.
  await page.goto('about:blank');
  await pageClient.send('ServiceWorker.deliverPushMessage', { origin: at.app, registrationId, data });
  const { path } = JSON.parse(data) as { path: string };
  await expect.poll(() => worker.evaluate('self.shown')).toEqual([expect.objectContaining({ body: text, path })]);
  // The browser removes the closed page a moment later. Until then, a click would show that page.
  const countWindows = () =>
    worker.evaluate(
      `self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(({ length }) => length)`,
    );
  await expect.poll(countWindows).toBe(0);
  await worker.evaluate(`
    const click = new ExtendableEvent('notificationclick');
    click.notification = { close() {}, data: { path: ${JSON.stringify(path)} } };
    self.dispatchEvent(click)`);
  await expect.poll(() => worker.evaluate('self.shown[1]')).toBe(at.app + path);
  await fetch(`${at.app}/v1/push_devices/${device.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${owner.token}` },
  });
});
