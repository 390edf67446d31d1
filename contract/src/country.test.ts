import { expect, test } from 'vitest';
import { isCountry } from './country.ts';

test.each(['DE', 'US', 'XK', 'SS', 'TW', 'AX'])('%s is a country', (code) => expect(isCountry(code)).toBe(true));

// Never assigned, a union, for tests, retired, too long, lower case, empty.
test.each(['XX', 'QQ', 'EU', 'ZZ', 'XA', 'DD', 'SU', 'YU', 'DEU', 'de', '', '1A'])('"%s" is not a country', (code) =>
  expect(isCountry(code)).toBe(false),
);
