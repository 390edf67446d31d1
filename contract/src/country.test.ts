import { expect, test } from 'vitest';
import { isCountry } from './country.ts';

test.each(['DE', 'US', 'XK', 'SS', 'TW', 'AX'])('%s is a country', (code) => expect(isCountry(code)).toBe(true));

// Never given, a union, invented for tests, retired, too long, small, nothing.
test.each(['XX', 'QQ', 'EU', 'ZZ', 'XA', 'DD', 'SU', 'YU', 'DEU', 'de', '', '1A'])('"%s" is none', (code) =>
  expect(isCountry(code)).toBe(false),
);
