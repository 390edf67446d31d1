/** Tests how code that cannot be loaded is retried. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadCode, loadCodeEventually } from './load_code.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const failing = (times: number) => {
  let left = times;
  return vi.fn(() => (left-- > 0 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('code')));
};

test('code is loaded when one of three attempts succeeds', async () => {
  const load = failing(2);
  const loaded = loadCode(load);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await loaded).toBe('code');
  expect(load).toHaveBeenCalledTimes(3);
});

test('loading fails when all three attempts fail', async () => {
  const loaded = loadCode(failing(3));
  const rejected = expect(loaded).rejects.toThrow('Failed to fetch');
  await vi.advanceTimersByTimeAsync(1_500);
  await rejected;
});

test('a part of a page reports the failure once, and loads when the network returns', async () => {
  const load = failing(4);
  const onFailure = vi.fn();
  const loaded = loadCodeEventually(load, onFailure);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(onFailure).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(5_000);
  window.dispatchEvent(new Event('online'));
  expect(await loaded).toBe('code');
  expect(onFailure).toHaveBeenCalledOnce();
});

test('a style sheet that failed to load is requested again before the code', async () => {
  const append = vi.spyOn(document.head, 'append').mockImplementation((link) => {
    queueMicrotask(() => (link as HTMLLinkElement).onload?.(new Event('load')));
  });
  let attempts = 0;
  const load = () =>
    attempts++ === 0 ? Promise.reject(new Error('Unable to preload CSS for /assets/a.css')) : Promise.resolve('code');
  const loaded = loadCode(load);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await loaded).toBe('code');
  expect((append.mock.calls[0]![0] as HTMLLinkElement).getAttribute('href')).toBe('/assets/a.css');
  append.mockRestore();
});
