/** @vitest-environment node */
/// <reference types="node" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { connectLive, type LiveConnection, type LiveState, onLive, patchesCache } from './live.ts';

/** The tests use a real stream over a real socket. Each test defines how the server handles each connection. */
type Serve = (request: IncomingMessage, response: ServerResponse, nth: number) => void;
let serve: Serve;
let requests: IncomingMessage[] = [];
let url = '';
let connection: LiveConnection | null = null;
const states: LiveState[] = [];
const storage = new Map<string, string>();

const server = createServer((request, response) => {
  requests.push(request);
  serve(request, response, requests.length);
});

beforeEach(async () => {
  requests = [];
  states.length = 0;
  storage.set('parley.token', 'the-token');
  const localStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  };
  vi.stubGlobal('localStorage', localStorage);
  // The tab has no impersonated session.
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('window', { top: null, self: null });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  connection?.stop();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const writeEvent = (response: ServerResponse, event_type: string, timestamp: string, fields: object = {}) =>
  response.write(`data: ${JSON.stringify({ event_type, timestamp, seq: 1, ...fields })}\n\n`);
const connect = (client = new QueryClient()) => {
  connection = connectLive(client, { url, onState: (state) => states.push(state) });
  return client;
};
const until = (check: () => boolean, ms = 6_000) =>
  vi.waitFor(() => check() || Promise.reject(new Error('not yet')), ms);

const eventType = { id: 'thing.happened', modules: ['things'], needs: null, payload: z.object({ n: z.number() }) };

test('the first fetch is repeated when an event arrives before its response', async () => {
  const client = new QueryClient();
  let fetches = 0;
  let bring = (_: string) => {};
  const observer = new QueryObserver(client, {
    queryKey: ['things', 'things.list', {}],
    queryFn: () => {
      fetches += 1;
      return fetches === 1 ? new Promise<string>((resolve) => (bring = resolve)) : Promise.resolve('new');
    },
  });
  const leave = observer.subscribe(() => {});
  let isReceived = false;
  const unsubscribe = onLive(eventType, () => {
    isReceived = true;
  });
  serve = (_, response) => {
    open(response);
    writeEvent(response, 'thing.happened', '1', { modules: ['things'], data: { n: 1 } });
  };
  connect(client);
  await until(() => isReceived);
  expect(fetches).toBe(1);
  bring('from before');
  await until(() => observer.getCurrentResult().data === 'new');
  unsubscribe();
  leave();
});

test('the stream sends the token, receives events, and marks queries in their modules as stale', async () => {
  serve = (_, response) => {
    open(response);
    writeEvent(response, 'connection.ok', '2026-11-21 09:00:00.000001', { data: { session_id: 's' } });
    writeEvent(response, 'thing.happened', '2026-11-21 09:00:00.000002', { modules: ['things'], data: { n: 7 } });
  };
  const received: number[] = [];
  const unsubscribe = onLive(eventType, ({ n }) => received.push(n));
  const client = new QueryClient();
  client.setQueryData(['things', 'things.list', {}], 'old');
  client.setQueryData(['others', 'others.list', {}], 'old');
  connect(client);
  await until(() => received.length === 1);
  unsubscribe();
  expect(received).toEqual([7]);
  expect(requests[0]?.headers.authorization).toBe('Bearer the-token');
  expect(requests[0]?.headers['x-session-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(client.getQueryState(['things', 'things.list', {}])?.isInvalidated).toBe(true);
  expect(client.getQueryState(['others', 'others.list', {}])?.isInvalidated).toBe(false);
  expect(states).toEqual(['connecting', 'open']);
});

test('the stream resumes after the last event when it is cut off or refused with 503', async () => {
  serve = (_, response, nth) => {
    if (nth === 2) return void response.writeHead(503).end();
    open(response);
    if (nth > 2) return;
    writeEvent(response, 'thing.happened', '2026-11-21 09:00:00.000002', { modules: [], data: { n: 1 } });
    setTimeout(() => response.destroy(), 20);
  };
  const start = Date.now();
  connect();
  await until(() => requests.length === 3, 9_000);
  expect(Date.now() - start).toBeGreaterThan(4_000);
  const times = requests.map((request) => new URL(request.url ?? '', url).searchParams.get('last_event_time'));
  expect(times).toEqual([null, '2026-11-21 09:00:00.000002', '2026-11-21 09:00:00.000002']);
  expect(new Set(requests.map((request) => request.headers['x-session-id'])).size).toBe(1);
  expect(states.filter((state) => state === 'waiting')).toHaveLength(2);
}, 15_000);

test('a resync event marks all queries as stale and resets the position', async () => {
  serve = (_, response, nth) => {
    open(response);
    if (nth > 1) return;
    writeEvent(response, 'thing.happened', '2026-11-21 09:00:00.000002', { modules: [], data: { n: 1 } });
    writeEvent(response, 'resync', '2026-11-21 09:00:00.000003', { data: {} });
    setTimeout(() => response.destroy(), 20);
  };
  const client = new QueryClient();
  client.setQueryData(['others', 'others.list', {}], 'old');
  connect(client);
  await until(() => client.getQueryState(['others', 'others.list', {}])?.isInvalidated === true);
  await until(() => requests.length === 2);
  expect(new URL(requests[1]?.url ?? '', url).searchParams.get('last_event_time')).toBeNull();
});

test('a rejected token ends the stream without retries', async () => {
  serve = (_, response) => void response.writeHead(401).end('{}');
  connect();
  await until(() => requests.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(requests).toHaveLength(1);
}, 10_000);

test('a burst of events causes few fetches, cancels at most one, and ends with the current data', async () => {
  let response: ServerResponse | undefined;
  serve = (_, stream) => {
    response = open(stream);
  };
  const client = new QueryClient();
  let serverValue = 0;
  let fetched = 0;
  let canceled = 0;
  const observer = client.getQueryCache();
  const { QueryObserver } = await import('@tanstack/react-query');
  const watch = new QueryObserver(client, {
    queryKey: ['things', 'things.list', {}],
    queryFn: async ({ signal }) => {
      fetched++;
      const value = serverValue;
      signal.addEventListener('abort', () => canceled++);
      await new Promise((resolve) => setTimeout(resolve, 700));
      return value;
    },
  }).subscribe(() => {});
  connect(client);
  await until(() => response !== undefined);
  for (let n = 1; n <= 60; n++) {
    serverValue = n;
    writeEvent(response as ServerResponse, 'thing.happened', `2026-11-21 09:00:00.${String(n).padStart(6, '0')}`, {
      modules: ['things'],
      data: { n },
    });
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await until(() => client.getQueryData(['things', 'things.list', {}]) === 60);
  watch();
  expect(observer.find({ queryKey: ['things', 'things.list', {}] })?.state.data).toBe(60);
  expect(fetched).toBeLessThan(8);
  // The first event may arrive before the first fetch completes; every later fetch completes.
  expect(canceled).toBeLessThanOrEqual(1);
}, 15_000);

test('an event type that patches the cache does not cause a fetch', async () => {
  const patchEventType = { ...eventType, id: 'thing.patched' };
  patchesCache(patchEventType);
  const received: number[] = [];
  const unsubscribe = onLive(patchEventType, ({ n }) => received.push(n));
  serve = (_, response) => {
    open(response);
    writeEvent(response, 'thing.patched', '2026-11-21 09:00:00.000002', { modules: ['things'], data: { n: 1 } });
  };
  const client = new QueryClient();
  client.setQueryData(['things', 'things.list', {}], 'patched');
  connect(client);
  await until(() => received.length === 1);
  unsubscribe();
  expect(client.getQueryState(['things', 'things.list', {}])?.isInvalidated).toBe(false);
});
