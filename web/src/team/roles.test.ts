import { allPermissions, RESOURCES } from '@parley/contract/permission.ts';
import { ROLES } from '@parley/contract/team/team.ts';
import { describe, expect, it } from 'vitest';
import { lacks, roleLabel, roleOf, toggled, within } from './roles.ts';
import { GROUPS } from './words.ts';

describe('roles', () => {
  it('are recognised by their bits alone; zeros say nothing', () => {
    for (const [key, role] of Object.entries(ROLES)) expect(roleOf({ ...role.permissions })).toBe(key);
    expect(roleOf({ ...ROLES.agent!.permissions, KEYS: 0 })).toBe('agent');
    expect(roleOf({ ...ROLES.agent!.permissions, KEYS: 1 })).toBe('custom');
    expect(roleLabel({ KEYS: 1 })).toBe('Custom');
    expect(roleLabel({}, true)).toBe('Owner');
  });
  it('every resource has its words, once', () => {
    const listed = GROUPS.flatMap(({ resources }) => resources.map(({ resource }) => resource));
    expect([...listed].sort()).toEqual([...RESOURCES].sort());
  });
});

describe('a click in the table', () => {
  it('gives the look with whatever needs it, and takes everything with the look', () => {
    expect(toggled({}, 'KEYS', 'delete')).toEqual({ KEYS: 9 });
    expect(toggled({ KEYS: 9 }, 'KEYS', 'delete')).toEqual({ KEYS: 1 });
    expect(toggled({ KEYS: 15, MEDIA: 3 }, 'KEYS', 'view')).toEqual({ MEDIA: 3 });
    expect(toggled({ KEYS: 1 }, 'KEYS', 'edit')).toEqual({ KEYS: 5 });
  });
  it('cannot give what the giver has not', () => {
    const giver = { USERS: 3, MESSAGES: 1 };
    expect(within(allPermissions(), giver)).toEqual(giver);
    expect(lacks(giver, 'USERS', 'edit')).toBe('You do not have this permission yourself.');
    expect(lacks(giver, 'USERS', 'add')).toBeNull();
  });
});
