/** The time zones of a recipient: from the contact, the number, the country, or the account, in this order. */
import { AREA_STATES, AREA_ZONES } from './area_codes.ts';

/** For countries with several time zones, the zone where most people live. All other countries have one zone. */
const MAIN_ZONES: Record<string, string> = {
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/Chicago',
};

type WithZones = Intl.Locale & { getTimeZones?(): string[] | undefined };

const countryZones = new Map<string, string | null>();

export function countryZone(country: string): string | null {
  const known = countryZones.get(country);
  if (known !== undefined) return known;
  const zone = MAIN_ZONES[country] ?? onlyZone(country);
  countryZones.set(country, zone);
  return zone;
}

function onlyZone(country: string): string | null {
  try {
    return (new Intl.Locale('und', { region: country }) as WithZones).getTimeZones?.()?.[0] ?? null;
  } catch {
    return null;
  }
}

/** Maps each prefix to its value, from lists of area codes. */
function byPrefix(calling_code: string, lists: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(lists).flatMap(([value, areas]) =>
    areas.split(' ').map((area): [string, string] => [calling_code + area, value]),
  );
}

const ZONES_BY_PREFIX = new Map(Object.entries(AREA_ZONES).flatMap(([code, lists]) => byPrefix(code, lists)));
const US_STATES = new Map(byPrefix('1', AREA_STATES.US!));
const LONGEST_PREFIX = Math.max(...[...ZONES_BY_PREFIX.keys()].map(({ length }) => length));

/** Returns the US state of a number if its legal hours are stricter than those of the country. */
export const numberState = (number: string, country: string): string | null =>
  country === 'US' ? (US_STATES.get(number.slice(0, 4)) ?? null) : null;

export type ZoneSource = 'contact' | 'number' | 'country' | 'account';

export interface RecipientZone {
  /** One zone, or the zones that share the area code. A message must suit the clocks of all of them. */
  readonly zones: readonly string[];
  readonly source: ZoneSource;
}

export function recipientZone(
  { number, country, timezone }: { number: string; country: string; timezone?: string | undefined },
  account_zone: string,
): RecipientZone {
  if (timezone) return { zones: [timezone], source: 'contact' };
  for (let length = LONGEST_PREFIX; length > 2; length--) {
    const zones = ZONES_BY_PREFIX.get(number.slice(0, length));
    if (zones) return { zones: zones.split(' '), source: 'number' };
  }
  const zone = countryZone(country);
  if (!zone) return { zones: [account_zone], source: 'account' };
  // The number of a country with one zone decides the zone.
  return { zones: [zone], source: country in MAIN_ZONES ? 'country' : 'number' };
}
