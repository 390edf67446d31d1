// The sandbox's HTTP API and its live stream, for every view.

export async function request(method, path, body) {
  const answer = await fetch(`/api/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.status === 204) return undefined;
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.errors?.[0]?.message ?? `The sandbox answered ${answer.status}`);
  return content;
}

/** The bytes go up first; the message that carries them names them by the address given back. */
export async function uploadFile(file) {
  const answer = await fetch(`/api/files?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.errors?.[0]?.message ?? `The sandbox answered ${answer.status}`);
  return content.url;
}

export const get = (path) => request('GET', path);

const listeners = new Map();
const connection = { open: false, told: () => {} };

/** Calls back for every event of this name until the returned function is called. */
export function on(event, act) {
  const set = listeners.get(event) ?? new Set();
  listeners.set(event, set);
  set.add(act);
  return () => set.delete(act);
}

const emit = (event, data) => {
  for (const act of listeners.get(event) ?? []) act(data);
};

const resyncEvery = 1000;
let resynced = 0;
let resyncing;

/** Reading everything again is dear, and in a burst it is asked for many times a second. */
function resync() {
  clearTimeout(resyncing);
  const wait = Math.max(0, resynced + resyncEvery - Date.now());
  resyncing = setTimeout(() => {
    resynced = Date.now();
    emit('resync', {});
  }, wait);
}

export function connect(told) {
  connection.told = told;
  const source = new EventSource('/api/live');
  source.onopen = () => {
    // What happened while the line was down is only known by reading again.
    if (connection.open === null) resync();
    connection.open = true;
    told(true);
  };
  source.onerror = () => {
    connection.open = null;
    told(false);
    // The browser gives up on some answers; a sandbox that restarts must be found again.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => connect(told), 1000);
  };
  for (const event of [
    'message',
    'phone',
    'mail',
    'carrier',
    'whatsapp',
    'typing',
    'bind',
    'stats',
    'viber',
    'resync',
  ]) {
    const tell = event === 'resync' ? resync : ({ data }) => emit(event, JSON.parse(data));
    source.addEventListener(event, tell);
  }
}
