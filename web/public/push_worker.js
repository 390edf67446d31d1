// Shows notifications while Parley is closed or in the background, and opens their conversation.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const listWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data));
});

async function show(data) {
  let content;
  try {
    content = data.json();
  } catch {
    return;
  }
  // The open page notifies its user itself.
  if ((await listWindows()).some((page) => page.focused)) return;
  await self.registration.showNotification(content.title, {
    body: content.body,
    tag: content.tag,
    renotify: true,
    icon: content.icon,
    data: { path: content.path },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

async function open(path) {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin);
  if (url.origin !== self.location.origin) return;
  const [page] = await listWindows();
  if (!page) return void (await self.clients.openWindow(url.href));
  await page.focus().catch(() => {});
  page.postMessage({ open: url.pathname + url.search });
}
