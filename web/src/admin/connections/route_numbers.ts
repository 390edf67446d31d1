import type { Route } from '@parley/contract/admin/admin.ts';
import { countryName } from '../../ui/form/countries.ts';

/** The numbers a route applies to: "+4477… in United Kingdom", "Network 26201", "Germany", "All numbers". */
export function routeNumbers({ prefix, country, mccmnc }: Pick<Route, 'prefix' | 'country' | 'mccmnc'>): string {
  if (prefix) return country ? `+${prefix}… in ${countryName(country)}` : `+${prefix}…`;
  if (mccmnc) return `Network ${mccmnc}`;
  return country ? countryName(country) : 'All numbers';
}

const MICROS = 1_000_000;
/** The cost of a route in the form: an amount in the carrier's currency, or empty. */
export const toMicros = (cost: number | string): number | null =>
  cost === '' ? null : Math.round(Number(cost) * MICROS);
export const fromMicros = (cost_micros: number | null): number | string =>
  cost_micros === null ? '' : cost_micros / MICROS;
