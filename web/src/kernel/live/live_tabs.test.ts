/** @vitest-environment node */
/// <reference types="node" />
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getUser } from '@parley/contract/accounts/accounts.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

/** A stream as the server keeps it: what came after the time one names first, then what comes. Each tab is the modules loaded anew. */
interface Happened {
  timestamp: string;
  n: number;
}
let happened: Happened[] = [];
let open = new Set<ServerResponse>();
let requests: IncomingMessage[] = [];
/** The first tab loaded its data at this time, by the server's clock. */
let clock = '';
let refuses = false;
let token = '';
let stops: (() => void)[] = [];

const thing = { id: 'thing.happened', modules: ['things'], needs: null, payload: z.object({ n: z.number() }) };
const stamp = (n: number) => `2026-11-21 09:00:${String(n).padStart(2, '0')}.000000`;
const write = (response: ServerResponse, event_type: string, timestamp: string, data: object) =>
  response.write(`data: ${JSON.stringify({ event_type, timestamp, seq: 1, modules: ['things'], data })}\n\n`);
const tell = (response: ServerResponse, { timestamp, n }: Happened) => write(response, thing.id, timestamp, { n });
function happen(n: number): void {
  const event = { timestamp: stamp(n), n };
  happened.push(event);
  for (const response of open) tell(response, event);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname !== '/v1/events') {
    response.writeHead(200, { 'content-type': 'application/json', date: new Date(clock).toUTCString() });
    return void response.end('{"data":{}}');
  }
  requests.push(request);
  if (refuses) return void response.writeHead(401).end('{}');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const last = searchParams.get('last_event_time');
  write(response, 'connection.ok', last ?? happened.at(-1)?.timestamp ?? stamp(0), {});
  if (last) for (const event of happened) if (event.timestamp > last) tell(response, event);
  open.add(response);
  response.on('close', () => open.delete(response));
});

beforeEach(async () => {
  [happened, requests, stops] = [[], [], []];
  open = new Set();
  refuses = false;
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
  // The modules of the last tab have heard this server's clock; the next test file loads its own.
  vi.resetModules();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const until = (check: () => boolean) =>
  vi.waitFor(() => check() || Promise.reject(new Error('not yet')), { timeout: 20_000 });

interface OpenTab {
  heard: number[];
  states: string[];
  client: QueryClient;
  stale: () => boolean;
  stop: () => void;
}
/** It has loaded something before its stream begins, as every page has. */
async function openTab(options: { loaded?: boolean; patience_ms?: number } = {}): Promise<OpenTab> {
  vi.resetModules();
  const { connectLive, onLive } = await import('./live.ts');
  const { call } = await import('../http/client.ts');
  if (options.loaded ?? true) await call(getUser);
  const client = new QueryClient();
  client.setQueryData(['others', 'others.list', {}], 'loaded');
  const heard: number[] = [];
  const states: string[] = [];
  onLive(thing, ({ n }) => heard.push(n));
  const { patience_ms } = options;
  const connection = connectLive(client, {
    onState: (state) => states.push(state),
    ...(patience_ms ? { patience_ms } : {}),
  });
  stops.push(connection.stop);
  const stale = () => client.getQueryState(['others', 'others.list', {}])?.isInvalidated ?? false;
  return { heard, states, client, stale, stop: connection.stop };
}
const isOpen = ({ states }: OpenTab) => states.at(-1) === 'open';
const askedFor = () => requests.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('last_event_time'));

test('three tabs hold one stream and all of them hear; when its holder closes, the next goes on without a gap and nobody hears twice', async () => {
  const first = await openTab();
  await until(() => open.size === 1);
  const second = await openTab();
  const third = await openTab();
  await until(() => isOpen(second) && isOpen(third));
  happen(11);
  await until(() => [first, second, third].every(({ heard }) => heard.length === 1));
  expect(requests).toHaveLength(1);

  first.stop();
  // Before anybody has taken its place.
  happen(12);
  await until(() => requests.length === 2 && open.size === 1);
  happen(13);
  await until(() => [second, third].every(({ heard }) => heard.includes(13)));
  expect(second.heard).toEqual([11, 12, 13]);
  expect(third.heard).toEqual([11, 12, 13]);
  expect(first.heard).toEqual([11]);
  expect(requests).toHaveLength(2);
  // What was heard last, though it came by way of another tab.
  expect(askedFor()[1]).toBe(stamp(11));
  expect([second, third].map(({ stale }) => stale())).toEqual([false, false]);
});

test('who comes late is told what was said since it loaded its data; who loaded before all that is remembered asks anew', async () => {
  const first = await openTab();
  await until(() => open.size === 1);
  happen(3);
  happen(8);
  await until(() => first.heard.length === 2);
  // Its data may be as old as five seconds before the first answer: from 09:00:06 on.
  clock = '2026-11-21T09:00:11Z';
  const late = await openTab();
  await until(() => late.heard.length === 1);
  expect(late.heard).toEqual([8]);
  expect(late.stale()).toBe(false);
  clock = '2026-11-21T09:00:04Z';
  const older = await openTab();
  await until(() => older.stale());
  happen(20);
  await until(() => [first, late, older].every(({ heard }) => heard.includes(20)));
  expect(older.heard).toEqual([20]);
  expect(requests).toHaveLength(1);
});

test('who has heard nothing yet goes on from where the holder was', async () => {
  const first = await openTab({ loaded: false });
  await until(() => open.size === 1);
  const second = await openTab({ loaded: false });
  await until(() => isOpen(second));
  first.stop();
  happen(30);
  await until(() => second.heard.length === 1);
  expect(askedFor()).toEqual([null, stamp(0)]);
});

test('another person in another tab has a stream of their own and hears nothing of this one', async () => {
  const mine = await openTab();
  await until(() => open.size === 1);
  const [ownStream] = open;
  token = randomUUID();
  const theirs = await openTab();
  await until(() => open.size === 2);
  tell(ownStream!, { timestamp: stamp(40), n: 40 });
  await until(() => mine.heard.length === 1);
  expect(new Set(requests.map(({ headers }) => headers.authorization)).size).toBe(2);
  happen(41);
  await until(() => mine.heard.includes(41) && theirs.heard.includes(41));
  expect(theirs.heard).toEqual([41]);
});

test('a refused holder leaves; the next one asks for itself, and nobody knocks again', async () => {
  refuses = true;
  await openTab();
  await openTab();
  await until(() => requests.length === 2);
  await vi.waitFor(async () => {
    const { held, pending } = await navigator.locks.query();
    const ours = [...held!, ...pending!].filter(({ name }) => name?.startsWith('parley.live.'));
    expect(ours).toEqual([]);
  }, 20_000);
  expect(requests).toHaveLength(2);
});

test('a holder that stands still loses its place', async () => {
  const first = await openTab();
  await until(() => open.size === 1);
  const { held } = await navigator.locks.query();
  const name = held!.find((lock) => lock.name?.startsWith('parley.live.'))!.name!;
  first.stop();
  await until(() => open.size === 0);
  let stolen = false;
  let frozen = false;
  void navigator.locks
    .request(name, () => {
      frozen = true;
      return new Promise(() => {});
    })
    .catch(() => {
      stolen = true;
    });
  await until(() => frozen);
  const second = await openTab({ patience_ms: 100 });
  await until(() => isOpen(second));
  expect(stolen).toBe(true);
  happen(50);
  await until(() => second.heard.length === 1);
});

test('where a browser cannot share, each tab has its own', async () => {
  vi.stubGlobal('navigator', {});
  const tabs = [await openTab(), await openTab()];
  await until(() => open.size === 2);
  happen(60);
  await until(() => tabs.every(({ heard }) => heard.length === 1));
});
