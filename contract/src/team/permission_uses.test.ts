import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../index.ts';
import { BITS, type Level, type Need, permits, RESOURCES } from '../permission.ts';
import { permissionUses } from './permission_uses.ts';

const LEVELS = Object.keys(BITS) as Level[];
const NEEDS = RESOURCES.flatMap((resource) => LEVELS.map((level) => [resource, level] as const));

describe('the uses of a permission', () => {
  test.each([true, false])('are exactly the calls that it allows (operators: %s)', (operator) => {
    const uses = permissionUses(ENDPOINTS, { operator });
    for (const [resource, level] of NEEDS) {
      const need: Need = `${resource}:${level}`;
      const allowed = ENDPOINTS.filter(
        ({ needs, audience }) =>
          needs !== null &&
          needs !== 'public' &&
          (operator || audience !== 'operator') &&
          permits({ [resource]: BITS[level] }, needs),
      ).map(({ summary }) => summary);
      expect([need, uses[need] ?? []]).toEqual([need, allowed]);
    }
  });

  test('include buying a number for users who can add numbers', () => {
    expect(permissionUses(ENDPOINTS, { operator: false })['NUMBERS:add']).toContainEqual(
      expect.stringMatching(/number/i),
    );
  });
});
