import { expect, test } from 'vitest';
import { burstWatch, visitDevice, visitKind, visitReferrer } from './visitors.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';
const TABLET = 'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/131.0 Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36';

const kind = (
  agent: string,
  headers: Record<string, string> = {},
  method = 'GET',
  message_age_ms: number | null = null,
) => visitKind({ method, headers: { 'user-agent': agent, ...headers }, message_age_ms });

test.each([IPHONE, ANDROID, TABLET, DESKTOP])('a browser is a person: %s', (agent) => {
  expect(kind(agent)).toBe('person');
  expect(kind(agent, {}, 'GET', 60_000)).toBe('person');
});

test('a request is a preview when it is a HEAD request, a prefetch, or comes too soon after the message', () => {
  expect(kind(IPHONE, {}, 'HEAD')).toBe('preview');
  expect(kind(IPHONE, { 'sec-purpose': 'prefetch;prerender' })).toBe('preview');
  expect(kind(IPHONE, {}, 'GET', 500)).toBe('preview');
  expect(kind('WhatsApp/2.24.20.89 A')).toBe('preview');
  expect(kind('facebookexternalhit/1.1')).toBe('preview');
});

test.each(['', 'curl/8.5.0', 'Mozilla/5.0 (compatible; Googlebot/2.1)', 'python-requests/2.32', 'Go-http-client/2.0'])(
  'a program is a bot: "%s"',
  (agent) => {
    expect(kind(agent)).toBe('bot');
  },
);

test('a visitor is a bot when it opens three links within a second', () => {
  let now = 0;
  const isBurst = burstWatch(() => now);
  expect([isBurst('one', 'a'), isBurst('one', 'b'), isBurst('one', 'b'), isBurst('two', 'c')]).not.toContain(true);
  expect(isBurst('one', 'c')).toBe(true);
  now = 2_000;
  expect(isBurst('one', 'd')).toBe(false);
});

test('devices and referring hosts are read from the headers', () => {
  expect([IPHONE, ANDROID, TABLET, DESKTOP, ''].map(visitDevice)).toEqual([
    ...['phone', 'phone', 'tablet', 'computer', 'other'],
  ]);
  expect(['https://a.example/secret?b=c', 'android-app://com.example', 'no url', undefined].map(visitReferrer)).toEqual(
    [...['a.example', '', '', '']],
  );
});
