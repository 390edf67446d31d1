/** Checks granted permissions. Users can grant only permissions that they have. */
import { FULL, type Permissions, RESOURCES } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';

/**
 * Throws PERMISSION_GRANT_NOT_ALLOWED. Only added permissions are checked, so users keep their permissions when a
 * colleague with fewer permissions edits them. An owner's session has all permissions.
 */
export function requireGrantable(own: Permissions, granted: Permissions, before: Permissions = {}): void {
  if (!canGrant(own, granted, before)) throw new Problem('PERMISSION_GRANT_NOT_ALLOWED');
}

export const canGrant = (own: Permissions, granted: Permissions, before: Permissions = {}): boolean =>
  RESOURCES.every((resource) => {
    const added = (granted[resource] ?? 0) & ~(before[resource] ?? 0);
    return (added & ~(own[resource] ?? 0)) === 0;
  });

/** Returns the permissions as they are stored: only known bits, and no empty entries. */
export const normalizePermissions = (permissions: Permissions): Permissions =>
  Object.fromEntries(
    RESOURCES.flatMap((resource) => {
      const bits = (permissions[resource] ?? 0) & FULL;
      return bits === 0 ? [] : [[resource, bits]];
    }),
  );
