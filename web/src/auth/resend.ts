/**
 * Stores the time after which another code can be requested, so that it survives a reload. The wait is capped because
 * the browser and server clocks may differ.
 */

import { parseTimestamp } from '@parley/contract/common.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';

const MAX_WAIT_MS = 120_000;
const storageKey = (id: string) => `parley.code.${id}`;

export function storeResendDate({ id, resend_date }: Pick<Verification, 'id' | 'resend_date'>): void {
  sessionStorage.setItem(storageKey(id), String(parseTimestamp(resend_date).getTime()));
}

/** Milliseconds until a code can be requested; 0 if that is possible now or no time is stored. */
export function msUntilResend(id: string): number {
  const left = Number(sessionStorage.getItem(storageKey(id)) ?? 0) - Date.now();
  return Math.max(0, Math.min(left, MAX_WAIT_MS));
}
