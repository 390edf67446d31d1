/** Tests when the server counts as unreachable, and when requests are retried. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onConnection, probe, readConnection, reportNoResponse, reportResponse } from './connection.ts';
import { retryDelay } from './query.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  window.dispatchEvent(new Event('online'));
  reportResponse(200);
});

const stubNetwork = (respond: () => Promise<Response>) => {
  const fetch = vi.fn(respond);
  vi.stubGlobal('fetch', fetch);
  return fetch;
};
const setNetwork = (onLine: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
  window.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
};

test('the server counts as unreachable after the second request without a response', () => {
  stubNetwork(() => Promise.reject(new TypeError()));
  reportNoResponse();
  expect(readConnection()).toBe('online');
  reportNoResponse();
  expect(readConnection()).toBe('unreachable');
});

test('a response between two failures keeps the connection, but a proxy that answers for the server does not', () => {
  stubNetwork(() => Promise.reject(new TypeError()));
  reportNoResponse();
  reportResponse(404);
  reportNoResponse();
  expect(readConnection()).toBe('online');
  reportResponse(502);
  expect(readConnection()).toBe('unreachable');
  reportResponse(500);
  expect(readConnection()).toBe('online');
});

test('the client retries at growing intervals until the server responds', async () => {
  let isUp = false;
  const fetch = stubNetwork(() => (isUp ? Promise.resolve(new Response('{}')) : Promise.reject(new TypeError())));
  reportNoResponse();
  reportNoResponse();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(fetch).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(fetch).toHaveBeenCalledTimes(2);
  isUp = true;
  const changed = vi.fn();
  const stop = onConnection(changed);
  await vi.advanceTimersByTimeAsync(1_000);
  stop();
  expect(readConnection()).toBe('online');
  expect(changed).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch).toHaveBeenCalledTimes(3);
});

test('a device without a network is offline until the server responds again', async () => {
  stubNetwork(() => Promise.resolve(new Response('{}')));
  setNetwork(false);
  expect(readConnection()).toBe('offline');
  expect(await probe()).toBe(false);
  setNetwork(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(readConnection()).toBe('online');
});

test.each([
  [0, 200, 400],
  [1, 400, 800],
  [2, 800, 1_600],
  [20, 5_000, 10_000],
])('retry %i waits between %i and %i ms', (count, min, max) => {
  for (let round = 0; round < 20; round++) {
    expect(retryDelay(count)).toBeGreaterThanOrEqual(min);
    expect(retryDelay(count)).toBeLessThanOrEqual(max);
  }
});
