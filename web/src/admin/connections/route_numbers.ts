import type { Route } from '@parley/contract/admin/admin.ts';
import { countryName } from '../../ui/form/countries.ts';

/** The numbers a route applies to: "+4477… in United Kingdom", "Germany", "All numbers". */
export function routeNumbers({ prefix, country }: Pick<Route, 'prefix' | 'country'>): string {
  if (prefix) return country ? `+${prefix}… in ${countryName(country)}` : `+${prefix}…`;
  return country ? countryName(country) : 'All numbers';
}
