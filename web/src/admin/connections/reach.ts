/** Which numbers a route is for, in words. */
import type { Route } from '@parley/contract/admin/admin.ts';
import { countryName } from '../../ui/form/countries.ts';

export function reachOf({ prefix, country }: Pick<Route, 'prefix' | 'country'>): string {
  if (prefix) return country ? `+${prefix}… in ${countryName(country)}` : `+${prefix}…`;
  return country ? countryName(country) : 'Everywhere';
}
