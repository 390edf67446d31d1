import { expect, test } from 'vitest';
import { isCountry } from './country.ts';

test.each(['DE', 'US', 'XK', 'SS', 'TW', 'AX'])('%s is a country', (code) => expect(isCountry(code)).toBe(true));

// The codes are never assigned, a union, for tests, retired, too long, in lower case, or empty.
test.each(['XX', 'QQ', 'EU', 'ZZ', 'XA', 'DD', 'SU', 'YU', 'DEU', 'de', '', '1A'])('"%s" is not a country', (code) =>
  expect(isCountry(code)).toBe(false),
);
