/** Derives the role from permissions, and applies clicks in the permission table. Roles are never stored. */
import { BITS, type Level, type Permissions, RESOURCES, type Resource } from '@parley/contract/permission.ts';
import { ROLES } from '@parley/contract/team/team.ts';

export const CUSTOM = 'custom';
export type Bits = Partial<Record<Resource, number>>;

const resourceBits = (permissions: Permissions, resource: Resource): number => permissions[resource] ?? 0;
const isSame = (one: Permissions, other: Permissions): boolean =>
  RESOURCES.every((resource) => resourceBits(one, resource) === resourceBits(other, resource));

/** The role's key in ROLES, or `custom`. */
export const roleKey = (permissions: Permissions, roles = ROLES): string =>
  Object.entries(roles).find(([, role]) => isSame(role.permissions, permissions))?.[0] ?? CUSTOM;

export const roleLabel = (permissions: Permissions, is_owner = false): string =>
  is_owner ? 'Owner' : (ROLES[roleKey(permissions)]?.label ?? 'Custom');

/** The part of the permissions that the giver has, because users cannot grant more than they have. */
export const limitTo = (permissions: Permissions, giver: Permissions): Bits =>
  Object.fromEntries(
    RESOURCES.map(
      (resource) => [resource, resourceBits(permissions, resource) & resourceBits(giver, resource)] as const,
    ).filter(([, bits]) => bits > 0),
  );

/** Adding, editing, and deleting include viewing. Removing the view permission removes all others. */
export function togglePermission(permissions: Permissions, resource: Resource, level: Level): Bits {
  const current = resourceBits(permissions, resource);
  const bit = BITS[level];
  let bits = current ^ bit;
  if (bits & bit) bits |= BITS.view;
  else if (level === 'view') bits = 0;
  const { [resource]: _, ...others } = permissions;
  return bits === 0 ? others : { ...others, [resource]: bits };
}

/** The reason why the giver cannot grant this permission; null if they can. */
export const missingReason = (giver: Permissions, resource: Resource, level: Level): string | null =>
  resourceBits(giver, resource) & BITS[level] ? null : 'You do not have this permission yourself.';
