import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allPermissions,
  BITS,
  type Level,
  type Need,
  needReason,
  permits,
  RESOURCES,
  type Resource,
  split,
} from './permission.ts';

const LEVELS = Object.keys(BITS) as Level[];
const anyResource = fc.constantFrom(...RESOURCES);
const anyLevel = fc.constantFrom(...LEVELS);

test('each level of a permission has its own bit, and together they are all bits', () => {
  expect(BITS).toEqual({ view: 1, add: 2, edit: 4, delete: 8 });
  expect(Object.keys(allPermissions()).sort()).toEqual([...RESOURCES].sort());
  expect(new Set(Object.values(allPermissions()))).toEqual(new Set([15]));
});

test('a need consists of a resource and a level', () => {
  expect(split('SHORT_URLS:delete')).toEqual({ resource: 'SHORT_URLS', level: 'delete' });
});

describe('permissions', () => {
  test('allow a need only when its bit is set for its resource', () => {
    fc.assert(
      fc.property(anyResource, anyLevel, anyResource, fc.nat(15), (resource, level, other, bits) => {
        const expected = other === resource && (bits & BITS[level]) > 0;
        expect(permits({ [other]: bits }, `${resource}:${level}`)).toBe(expected);
      }),
    );
  });

  test('allow nothing when they are empty, and everything when they are complete', () => {
    for (const resource of RESOURCES)
      for (const level of LEVELS) {
        expect(permits({}, `${resource}:${level}`)).toBe(false);
        expect(permits(allPermissions(), `${resource}:${level}`)).toBe(true);
      }
  });

  test('allow a list of needs when any of them is allowed', () => {
    const needs: Need[] = ['PAYMENTS:view', 'INVOICES:view'];
    expect(permits({ PAYMENTS: 1 }, needs)).toBe(true);
    expect(permits({ INVOICES: 1 }, needs)).toBe(true);
    expect(permits({ INVOICES: 14, PAYMENTS: 14 }, needs)).toBe(false);
    expect(permits(allPermissions(), [])).toBe(false);
  });

  test('allow calls that need no permission', () => {
    expect(permits({}, null)).toBe(true);
    expect(permits({}, undefined)).toBe(true);
  });
});

test.each<[Need | Need[], string]>([
  ['MESSAGES:add', 'You need Add Message permission.'],
  ['SHORT_URLS:delete', 'You need Delete Link permission.'],
  ['SMS_LIMITS:edit', 'You need Edit SMS limit permission.'],
  ['KEYS:view', 'You need View API key permission.'],
  ['MEDIA:view', 'You need View Media permission.'],
  [['PAYMENTS:view', 'INVOICES:view'], 'You need View Payment permission.'],
])('the reason for %j names the level and the resource', (needs, text) => {
  expect(needReason(needs)).toBe(text);
});

test('the reason names every resource in the singular', () => {
  const names = RESOURCES.map((resource: Resource) => needReason(`${resource}:view`).slice(14, -12));
  expect(new Set(names).size).toBe(RESOURCES.length);
  expect(names.filter((name) => name.endsWith('s') || name === '')).toEqual([]);
});
