/** The outcomes of verification codes. */
import { type StatusWord, statusWord } from '../status.ts';

export const VERIFICATION_STATUSES = ['pending', 'verified', 'failed', 'expired', 'replaced'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];
export const VERIFICATION_STATUS: Readonly<Record<VerificationStatus, StatusWord>> = {
  pending: statusWord('Pending', 'flight', 'progress'),
  verified: statusWord('Verified', 'ok', 'check'),
  failed: statusWord('Too many attempts', 'fail', 'cross'),
  expired: statusWord('Expired', 'off', 'clock'),
  replaced: statusWord('Replaced', 'off', 'returned'),
};
