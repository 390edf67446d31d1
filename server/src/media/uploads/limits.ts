/** Checks the size and type limits of an upload. */
import { type MediaRefusal, sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';

export const requireAllowed = (refusal: MediaRefusal | null): void => {
  if (refusal) throw new Problem(refusal.code, { field: 'file', message: refusal.message });
};

/** Returns the problem for a body that exceeds the limit. */
export function tooLarge(limit: Parameters<typeof sizeRefusal>[1]): Problem {
  const { code, message } = sizeRefusal(limit.max_bytes + 1, limit)!;
  return new Problem(code, { field: 'file', message });
}
