import { ENDPOINTS } from '@parley/contract/index.ts';
import { allPermissions, RESOURCES } from '@parley/contract/permission.ts';
import { permissionUses } from '@parley/contract/team/permission_uses.ts';
import { ROLES } from '@parley/contract/team/team.ts';
import { describe, expect, it } from 'vitest';
import { limitTo, missingReason, roleKey, roleLabel, togglePermission } from './roles.ts';
import { GROUPS } from './words.ts';

describe('roles', () => {
  it('are derived from permission bits and ignore resources with zero bits', () => {
    for (const [key, role] of Object.entries(ROLES)) expect(roleKey({ ...role.permissions })).toBe(key);
    expect(roleKey({ ...ROLES.agent!.permissions, KEYS: 0 })).toBe('agent');
    expect(roleKey({ ...ROLES.agent!.permissions, KEYS: 1 })).toBe('custom');
    expect(roleLabel({ KEYS: 1 })).toBe('Custom');
    expect(roleLabel({}, true)).toBe('Owner');
  });
  it('have a permission table that lists every resource exactly once', () => {
    const listed = GROUPS.flatMap(({ resources }) => resources.map(({ resource }) => resource));
    expect([...listed].sort()).toEqual([...RESOURCES].sort());
  });
});

describe('the permission table', () => {
  it('describes every level that allows a call, so that every checkbox has a description', () => {
    for (const operator of [true, false]) {
      const uses = permissionUses(ENDPOINTS, { operator });
      const described = GROUPS.flatMap(({ resources }) =>
        resources.flatMap(({ resource, levels }) => Object.keys(levels).map((level) => `${resource}:${level}`)),
      );
      expect(Object.keys(uses).filter((need) => !described.includes(need))).toEqual([]);
    }
  });
});

describe('a click in the permission table', () => {
  it('grants view with any other level and removes all levels when it removes view', () => {
    expect(togglePermission({}, 'KEYS', 'delete')).toEqual({ KEYS: 9 });
    expect(togglePermission({ KEYS: 9 }, 'KEYS', 'delete')).toEqual({ KEYS: 1 });
    expect(togglePermission({ KEYS: 15, MEDIA: 3 }, 'KEYS', 'view')).toEqual({ MEDIA: 3 });
    expect(togglePermission({ KEYS: 1 }, 'KEYS', 'edit')).toEqual({ KEYS: 5 });
  });
  it('cannot grant a permission that the granting user lacks', () => {
    const giver = { USERS: 3, MESSAGES: 1 };
    expect(limitTo(allPermissions(), giver)).toEqual(giver);
    expect(missingReason(giver, 'USERS', 'edit')).toBe('You do not have this permission yourself.');
    expect(missingReason(giver, 'USERS', 'add')).toBeNull();
  });
});
