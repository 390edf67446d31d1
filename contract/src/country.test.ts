import { expect, test } from 'vitest';
import { isCountry } from './country.ts';

test.each(['DE', 'US', 'XK', 'SS', 'TW', 'AX'])('%s is a country code', (code) => expect(isCountry(code)).toBe(true));

// These codes are unassigned, a union, for tests, retired, too long, lowercase, empty, or not letters.
test.each(['XX', 'QQ', 'EU', 'ZZ', 'XA', 'DD', 'SU', 'YU', 'DEU', 'de', '', '1A'])(
  '"%s" is not a country code',
  (code) => expect(isCountry(code)).toBe(false),
);
