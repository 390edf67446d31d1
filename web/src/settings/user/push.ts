/** Notifications of this browser: the service worker and its subscription. */

export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

const WORKER = '/push_worker.js';

/** Browsers on iOS have these interfaces only in an app on the home screen. */
const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await findSubscription()) ? 'on' : 'off';
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

const toBytes = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

export interface BrowserSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Asks for permission. Call it from a click. Returns null if the user declines. */
export async function subscribe(public_key: string): Promise<BrowserSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with the keys of another installation cannot be used here.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: toBytes(public_key),
  });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth! };
}

export async function unsubscribe(): Promise<void> {
  await (await findSubscription())?.unsubscribe();
}
