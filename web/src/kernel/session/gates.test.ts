import { expect, test } from 'vitest';
import { ACCOUNT, USER } from '../../test/draw.tsx';
import { isReturnPath } from '../http/token.ts';
import { gateRedirect, pendingReason } from './gates.ts';

const as = (pending: typeof USER.pending, trial_period_expired = false) => ({
  user: { ...USER, pending },
  account: { ...ACCOUNT, trial_period_expired },
});

test.each([
  ['/', null, false, null],
  ['/insights', 'phone', false, '/phone-verification'],
  ['/settings', 'phone', false, '/phone-verification'],
  ['/phone-verification', 'phone', false, null],
  ['/insights', 'second_factor', false, '/settings/security'],
  ['/settings/security', 'second_factor', false, null],
  ['/settings/users', 'second_factor', false, '/settings/security'],
  ['/insights', null, true, '/expired'],
  ['/expired', null, true, null],
  ['/expiredness', null, true, '/expired'],
  ['/add-funds', null, true, null],
  ['/add-funds/thank-you', null, true, null],
  ['/settings/account', null, true, null],
  ['/change-phone', null, true, null],
  ['/logout', null, true, null],
  ['/logout', 'phone', true, null],
  ['/', 'phone', true, '/phone-verification'],
] as const)('the redirect from %s (pending step: %s, trial expired: %s) is %s', (path, pending, expired, target) => {
  expect(gateRedirect(as(pending, expired), path)).toBe(target);
});

test('a pending step is given as the reason that other pages are closed', () => {
  expect(pendingReason(as(null))).toBeNull();
  expect(pendingReason(as('phone'))).toBe('Verify your phone number first.');
  expect(pendingReason(as('second_factor'))).toBe('Set up two-factor authentication first.');
});

test.each([
  ['/insights?page=2', true],
  ['/verification', true],
  ['/', false],
  ['/logout', false],
  ['/sign-in?returnUrl=%2F', false],
  ['/email-verification/1/2', false],
  ['/invitations?token=x', false],
  ['/phone-verification?step=code', false],
])('the return path check for %s returns %s', (path, expected) => {
  expect(isReturnPath(path)).toBe(expected);
});
