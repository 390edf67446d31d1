import { expect, test } from 'vitest';
import { slidesFor } from './slides.ts';

const first = (path: string, search: Record<string, string> = {}) => slidesFor(path, search)[0]?.title;

test('public pages and their steps show matching slides', () => {
  expect(first('/sign-in')).toBe('One place for every conversation');
  for (const path of ['/sign-up', '/invitations', '/verification']) expect(first(path)).toBe('Start in minutes');
  const titles = [
    first('/phone-verification'),
    first('/phone-verification', { step: 'code' }),
    first('/email-verification/1', { username: 'x' }),
    first('/email-verification/1', { purpose: 'password_reset' }),
    first('/forgot-password'),
  ];
  expect(new Set(titles).size).toBe(titles.length);
  expect(first('/reset-password/x')).toBe(first('/forgot-password'));
});
