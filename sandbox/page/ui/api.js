/** The HTTP API of the sandbox and its live stream. */

const resyncInterval = 1000;
const reconnectDelay = 1000;
const events = ['message', 'phone', 'mail', 'carrier', 'whatsapp', 'typing', 'bind', 'stats', 'viber', 'resync'];

export async function request(method, path, body) {
  const response = await fetch(`/api/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return response.status === 204 ? undefined : readJson(response);
}

export const get = (path) => request('GET', path);

/** Uploads a file and returns its URL, to be used in a message. */
export async function uploadFile(file) {
  const response = await fetch(`/api/files?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  });
  return (await readJson(response)).url;
}

async function readJson(response) {
  const content = await response.json();
  if (response.ok) return content;
  throw new Error(content.errors?.[0]?.message ?? `the sandbox responded with HTTP ${response.status}`);
}

const listeners = new Map();

/** Calls back for every event with this name until the returned function is called. */
export function on(event, callback) {
  const callbacks = listeners.get(event) ?? new Set();
  listeners.set(event, callbacks);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

const emit = (event, data) => {
  for (const callback of listeners.get(event) ?? []) callback(data);
};

let lastResync = 0;
let resyncTimer;

/** Reloading everything is expensive, so a burst of resync events is reduced to one per second. */
function resync() {
  clearTimeout(resyncTimer);
  const wait = Math.max(0, lastResync + resyncInterval - Date.now());
  resyncTimer = setTimeout(() => {
    lastResync = Date.now();
    emit('resync', {});
  }, wait);
}

let wasLost = false;

/** Opens the live stream and calls back with true or false whenever it opens or breaks. */
export function connect(onChange) {
  const source = new EventSource('/api/live');
  source.onopen = () => {
    // Events during the interruption are lost, so the views must reload.
    if (wasLost) resync();
    wasLost = false;
    onChange(true);
  };
  source.onerror = () => {
    wasLost = true;
    onChange(false);
    // The browser stops retrying after some errors, for example while the sandbox restarts.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => connect(onChange), reconnectDelay);
  };
  for (const event of events) {
    source.addEventListener(event, event === 'resync' ? resync : ({ data }) => emit(event, JSON.parse(data)));
  }
}
