/** When another code may be asked for, kept over a reload. Our clock and the server's may differ, so it is never waited for longer than this. */

import { parseTimestamp } from '@parley/contract/common.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';

const LONGEST_MS = 120_000;
const keyOf = (id: string) => `parley.code.${id}`;

export function keepResend({ id, resend_date }: Pick<Verification, 'id' | 'resend_date'>): void {
  sessionStorage.setItem(keyOf(id), String(parseTimestamp(resend_date).getTime()));
}

/** Milliseconds until then; 0 when it may be asked for now, or nothing is known. */
export function resendIn(id: string): number {
  const left = Number(sessionStorage.getItem(keyOf(id)) ?? 0) - Date.now();
  return Math.max(0, Math.min(left, LONGEST_MS));
}
