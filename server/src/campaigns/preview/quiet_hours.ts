/**
 * Quiet hours: 21:00 to 08:00 in the time zone where most of a country's people live. This is a hint, not a legal rule.
 */
import { countryZone } from '../timing/zones.ts';

const FROM = 21;
const UNTIL = 8;

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
      const timeZone = countryZone(country);
      if (!timeZone) return [];
      const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      const hour = Number(time.slice(0, 2));
      return hour >= FROM || hour < UNTIL ? [{ name: names.of(country) ?? country, recipients, time }] : [];
    })
    .sort((a, b) => b.recipients - a.recipients);
}
