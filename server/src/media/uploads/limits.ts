/** The size and type limits of an upload, as problems. */
import { type MediaRefusal, sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';

export const demandAllowed = (refusal: MediaRefusal | null): void => {
  if (refusal) throw new Problem(refusal.code, { field: 'file', message: refusal.message });
};

/** The problem of a body that is longer than the limit. */
export function tooLarge(limit: Parameters<typeof sizeRefusal>[1]): Problem {
  const { code, message } = sizeRefusal(limit.max_bytes + 1, limit)!;
  return new Problem(code, { field: 'file', message });
}
