import type { TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { countryName } from '../../ui/form/countries.ts';

/** "+447400…, United Kingdom" for a number range; otherwise just the country. */
export const stopPlace = ({ kind, place, country }: Pick<TrafficStop, 'kind' | 'place' | 'country'>): string =>
  `${kind === 'range' ? `+${place}…, ` : ''}${countryName(country)}`;
