/** Which preset a set of permissions is, and what a click in the table makes of it. Pure: nothing is stored but the bits. */
import { BITS, type Level, type Permissions, RESOURCES, type Resource } from '@parley/contract/permission.ts';
import { ROLES } from '@parley/contract/team/team.ts';

export const CUSTOM = 'custom';
export type Bits = Partial<Record<Resource, number>>;

const bitsOf = (permissions: Permissions, resource: Resource): number => permissions[resource] ?? 0;
const same = (one: Permissions, other: Permissions): boolean =>
  RESOURCES.every((resource) => bitsOf(one, resource) === bitsOf(other, resource));

/** The key in ROLES, or `custom`. */
export const roleOf = (permissions: Permissions): string =>
  Object.entries(ROLES).find(([, role]) => same(role.permissions, permissions))?.[0] ?? CUSTOM;

export const roleLabel = (permissions: Permissions, is_owner = false): string =>
  is_owner ? 'Owner' : (ROLES[roleOf(permissions)]?.label ?? 'Custom');

/** Nobody can give what they do not have: what the giver lacks is left out. */
export const within = (permissions: Permissions, giver: Permissions): Bits =>
  Object.fromEntries(
    RESOURCES.map((resource) => [resource, bitsOf(permissions, resource) & bitsOf(giver, resource)] as const).filter(
      ([, bits]) => bits > 0,
    ),
  );

/** Whoever may add, edit or delete may look; whoever may not look may do nothing. */
export function toggled(permissions: Permissions, resource: Resource, level: Level): Bits {
  const had = bitsOf(permissions, resource);
  const bit = BITS[level];
  let bits = had ^ bit;
  if (bits & bit) bits |= BITS.view;
  else if (level === 'view') bits = 0;
  const { [resource]: _, ...others } = permissions;
  return bits === 0 ? others : { ...others, [resource]: bits };
}

/** Why this box cannot be ticked by this person. */
export const lacks = (giver: Permissions, resource: Resource, level: Level): string | null =>
  bitsOf(giver, resource) & BITS[level] ? null : 'You do not have this permission yourself.';
