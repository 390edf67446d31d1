/**
 * Quiet hours: 21:00 to 08:00 in the time zone where most of a country's people live. This is a hint, not a legal rule.
 */
const FROM = 21;
const UNTIL = 8;

/** For countries with several time zones, the zone where most people live. All other countries have one zone. */
const ZONES: Record<string, string> = {
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

function findTimeZone(country: string): string | null {
  const zone = ZONES[country];
  if (zone) return zone;
  try {
    return (new Intl.Locale('und', { region: country }) as WithZones).getTimeZones?.()?.[0] ?? null;
  } catch {
    return null;
  }
}

interface QuietCountry {
  name: string;
  recipients: number;
  time: string;
}

/** Returns the countries that are in quiet hours at that time, sorted by recipients in descending order. */
export function quietCountries(
  at: Date,
  countries: readonly { country: string; recipients: number }[],
): QuietCountry[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return countries
    .flatMap(({ country, recipients }) => {
      const timeZone = findTimeZone(country);
      if (!timeZone) return [];
      const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      const hour = Number(time.slice(0, 2));
      return hour >= FROM || hour < UNTIL ? [{ name: names.of(country) ?? country, recipients, time }] : [];
    })
    .sort((a, b) => b.recipients - a.recipients);
}
