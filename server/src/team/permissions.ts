/** What one person may give to another: never more than they have. */
import { FULL, type Permissions, RESOURCES } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';

/**
 * Problem PERMISSION_GRANT_NOT_ALLOWED. Bit by bit, and only for what is new: somebody who has more may keep it while a
 * lesser colleague changes their name. An owner's session has all bits.
 */
export function demandGivable(own: Permissions, given: Permissions, before: Permissions = {}): void {
  if (!isGivable(own, given, before)) throw new Problem('PERMISSION_GRANT_NOT_ALLOWED');
}

export const isGivable = (own: Permissions, given: Permissions, before: Permissions = {}): boolean =>
  RESOURCES.every((resource) => {
    const added = (given[resource] ?? 0) & ~(before[resource] ?? 0);
    return (added & ~(own[resource] ?? 0)) === 0;
  });

/** As it is kept: every bit known, nothing that is nothing. */
export const tidy = (permissions: Permissions): Permissions =>
  Object.fromEntries(
    RESOURCES.flatMap((resource) => {
      const bits = (permissions[resource] ?? 0) & FULL;
      return bits === 0 ? [] : [[resource, bits]];
    }),
  );
