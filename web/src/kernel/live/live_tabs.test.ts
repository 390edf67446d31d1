/** @vitest-environment node */
/// <reference types="node" />
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getUser } from '@parley/contract/accounts/accounts.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

/**
 * The test server streams events as the real one does: first those since the given time, then new ones. Each tab loads
 * its own copy of the modules.
 */
interface StoredEvent {
  timestamp: string;
  n: number;
}
let events: StoredEvent[] = [];
let open = new Set<ServerResponse>();
let requests: IncomingMessage[] = [];
/** The server's current time, which each tab records when it loads its data. */
let clock = '';
let rejectsToken = false;
let token = '';
let stops: (() => void)[] = [];

const eventType = { id: 'thing.happened', modules: ['things'], needs: null, payload: z.object({ n: z.number() }) };
const timestampAt = (n: number) => `2026-11-21 09:00:${String(n).padStart(2, '0')}.000000`;
const write = (response: ServerResponse, event_type: string, timestamp: string, data: object) =>
  response.write(`data: ${JSON.stringify({ event_type, timestamp, seq: 1, modules: ['things'], data })}\n\n`);
const send = (response: ServerResponse, { timestamp, n }: StoredEvent) =>
  write(response, eventType.id, timestamp, { n });
function emitEvent(n: number): void {
  const event = { timestamp: timestampAt(n), n };
  events.push(event);
  for (const response of open) send(response, event);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname !== '/v1/events') {
    response.writeHead(200, { 'content-type': 'application/json', date: new Date(clock).toUTCString() });
    return void response.end('{"data":{}}');
  }
  requests.push(request);
  if (rejectsToken) return void response.writeHead(401).end('{}');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const last = searchParams.get('last_event_time');
  write(response, 'connection.ok', last ?? events.at(-1)?.timestamp ?? timestampAt(0), {});
  if (last) for (const event of events) if (event.timestamp > last) send(response, event);
  open.add(response);
  response.on('close', () => open.delete(response));
});

beforeEach(async () => {
  [events, requests, stops] = [[], [], []];
  open = new Set();
  rejectsToken = false;
  clock = '2026-11-21T09:00:05Z';
  token = randomUUID();
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'parley.token' ? token : null) });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('window', { top: null, self: null });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetchFrom = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => fetchFrom(new URL(path, url), init));
});
afterEach(async () => {
  for (const stop of stops) stop();
  // The last tab's modules remember this server's time, so the next test file must load its own modules.
  vi.resetModules();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const until = (check: () => boolean) =>
  vi.waitFor(() => check() || Promise.reject(new Error('not yet')), { timeout: 20_000 });

interface OpenTab {
  received: number[];
  states: string[];
  client: QueryClient;
  stale: () => boolean;
  stop: () => void;
}
/** Opens a tab that has loaded data before its stream starts, as every page does. */
async function openTab(options: { loaded?: boolean; holder_timeout_ms?: number } = {}): Promise<OpenTab> {
  vi.resetModules();
  const { connectLive, onLive } = await import('./live.ts');
  const { call } = await import('../http/client.ts');
  if (options.loaded ?? true) await call(getUser);
  const client = new QueryClient();
  client.setQueryData(['others', 'others.list', {}], 'loaded');
  const received: number[] = [];
  const states: string[] = [];
  onLive(eventType, ({ n }) => received.push(n));
  const { holder_timeout_ms } = options;
  const connection = connectLive(client, {
    onState: (state) => states.push(state),
    ...(holder_timeout_ms ? { holder_timeout_ms } : {}),
  });
  stops.push(connection.stop);
  const stale = () => client.getQueryState(['others', 'others.list', {}])?.isInvalidated ?? false;
  return { received, states, client, stale, stop: connection.stop };
}
const isOpen = ({ states }: OpenTab) => states.at(-1) === 'open';
const requestedTimes = () =>
  requests.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('last_event_time'));

test('three tabs share one stream, and the next tab continues it without gaps when the holder closes', async () => {
  const first = await openTab();
  await until(() => open.size === 1);
  const second = await openTab();
  const third = await openTab();
  await until(() => isOpen(second) && isOpen(third));
  emitEvent(11);
  await until(() => [first, second, third].every(({ received }) => received.length === 1));
  expect(requests).toHaveLength(1);

  first.stop();
  // This event happens before another tab has taken over.
  emitEvent(12);
  await until(() => requests.length === 2 && open.size === 1);
  emitEvent(13);
  await until(() => [second, third].every(({ received }) => received.includes(13)));
  expect(second.received).toEqual([11, 12, 13]);
  expect(third.received).toEqual([11, 12, 13]);
  expect(first.received).toEqual([11]);
  expect(requests).toHaveLength(2);
  // The position is that of the last event, even though another tab had received it.
  expect(requestedTimes()[1]).toBe(timestampAt(11));
  expect([second, third].map(({ stale }) => stale())).toEqual([false, false]);
});

test('a late tab receives the events since it loaded its data, or refetches if the history is too short', async () => {
  const first = await openTab();
  await until(() => open.size === 1);
  emitEvent(3);
  emitEvent(8);
  await until(() => first.received.length === 2);
  // The tab's position is five seconds before the first response, so it covers 09:00:06 and later.
  clock = '2026-11-21T09:00:11Z';
  const second = await openTab();
  await until(() => second.received.length === 1);
  expect(second.received).toEqual([8]);
  expect(second.stale()).toBe(false);
  clock = '2026-11-21T09:00:04Z';
  const older = await openTab();
  await until(() => older.stale());
  emitEvent(20);
  await until(() => [first, second, older].every(({ received }) => received.includes(20)));
  expect(older.received).toEqual([20]);
  expect(requests).toHaveLength(1);
});

test('a tab that has not received events continues from the holder’s position', async () => {
  const first = await openTab({ loaded: false });
  await until(() => open.size === 1);
  const second = await openTab({ loaded: false });
  await until(() => isOpen(second));
  first.stop();
  emitEvent(30);
  await until(() => second.received.length === 1);
  expect(requestedTimes()).toEqual([null, timestampAt(0)]);
});

test('a different user in another tab has a separate stream', async () => {
  const ownTab = await openTab();
  await until(() => open.size === 1);
  const [ownStream] = open;
  token = randomUUID();
  const otherTab = await openTab();
  await until(() => open.size === 2);
  send(ownStream!, { timestamp: timestampAt(40), n: 40 });
  await until(() => ownTab.received.length === 1);
  expect(new Set(requests.map(({ headers }) => headers.authorization)).size).toBe(2);
  emitEvent(41);
  await until(() => ownTab.received.includes(41) && otherTab.received.includes(41));
  expect(otherTab.received).toEqual([41]);
});

test('a rejected holder gives up the stream, the next tab tries once, and no tab retries', async () => {
  rejectsToken = true;
  await openTab();
  await openTab();
  await until(() => requests.length === 2);
  await vi.waitFor(async () => {
    const { held, pending } = await navigator.locks.query();
    const locks = [...held!, ...pending!].filter(({ name }) => name?.startsWith('parley.live.'));
    expect(locks).toEqual([]);
  }, 20_000);
  expect(requests).toHaveLength(2);
});

test('a suspended holder is replaced by another tab', async () => {
  const first = await openTab();
  await until(() => open.size === 1);
  const { held } = await navigator.locks.query();
  const name = held!.find((lock) => lock.name?.startsWith('parley.live.'))!.name!;
  first.stop();
  await until(() => open.size === 0);
  let isReplaced = false;
  let frozen = false;
  void navigator.locks
    .request(name, () => {
      frozen = true;
      return new Promise(() => {});
    })
    .catch(() => {
      isReplaced = true;
    });
  await until(() => frozen);
  const second = await openTab({ holder_timeout_ms: 100 });
  await until(() => isOpen(second));
  expect(isReplaced).toBe(true);
  emitEvent(50);
  await until(() => second.received.length === 1);
});

test('each tab has its own stream when the browser cannot share one', async () => {
  vi.stubGlobal('navigator', {});
  const tabs = [await openTab(), await openTab()];
  await until(() => open.size === 2);
  emitEvent(60);
  await until(() => tabs.every(({ received }) => received.length === 1));
});
