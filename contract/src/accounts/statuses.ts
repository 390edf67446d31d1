/** The statuses of accounts and users. */
import { type StatusWord, statusWord } from '../status.ts';

export const ACCOUNT_STATUSES = ['UNVERIFIED', 'FORM_SUBMITTED', 'VERIFIED', 'BLOCKED'] as const;
export const ACCOUNT_STATUS: Readonly<Record<(typeof ACCOUNT_STATUSES)[number], StatusWord>> = {
  UNVERIFIED: statusWord('Unverified', 'wait', 'dashed'),
  FORM_SUBMITTED: statusWord('In review', 'wait', 'clock'),
  VERIFIED: statusWord('Verified', 'ok', 'check'),
  BLOCKED: statusWord('Blocked', 'fail', 'ban'),
};
export const USER_STATUSES = ['NEW', 'EMAIL_VERIFIED', 'PHONE_VERIFIED', 'BLOCKED'] as const;
export const USER_STATUS: Readonly<Record<(typeof USER_STATUSES)[number], StatusWord>> = {
  NEW: statusWord('New', 'wait', 'dashed'),
  EMAIL_VERIFIED: statusWord('Active', 'ok', 'check'),
  PHONE_VERIFIED: statusWord('Active, phone verified', 'ok', 'check'),
  BLOCKED: statusWord('Blocked', 'fail', 'ban'),
};
