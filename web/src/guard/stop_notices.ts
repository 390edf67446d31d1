/** Notifications in the bell about signs of fraud in messages and codes, and about opened countries. */
import type { BlacklistChange } from '@parley/contract/guard/country_blacklist.ts';
import { MESSAGE_SIGNAL_LABELS, type TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { SIGNAL_WORDS, type VerificationStop } from '@parley/contract/verifications/stops.ts';
import { addNotice } from '../kernel/notices.ts';
import { COUNTRY_BLACKLIST, SMS_LIMITS, VERIFICATIONS } from '../paths.ts';
import { countryName } from '../ui/form/countries.ts';
import { stopPlace } from './stops/stop_words.ts';

export function reportStop(stop: TrafficStop): void {
  addNotice({
    id: `traffic_stop.${stop.id}`,
    title: stop.refuses ? `Messages to ${stopPlace(stop)} stopped` : `Unusual messages to ${stopPlace(stop)}`,
    text: `${MESSAGE_SIGNAL_LABELS[stop.signal]}: ${stop.reason}`,
    tone: stop.refuses ? 'fail' : 'wait',
    path: SMS_LIMITS,
  });
}

export function reportCodeStop(stop: VerificationStop): void {
  addNotice({
    id: `code_stop.${stop.id}`,
    title: stop.refuses ? `Codes to ${stopPlace(stop)} stopped` : `Unusual codes to ${stopPlace(stop)}`,
    text: `${SIGNAL_WORDS[stop.signal].label}: ${stop.reason}`,
    tone: stop.refuses ? 'fail' : 'wait',
    path: VERIFICATIONS,
  });
}

const NAMES = new Intl.ListFormat('en-US');

export function reportUnblocked({ opened = [] }: BlacklistChange): void {
  if (opened.length === 0) return;
  addNotice({
    id: 'country_blacklist',
    title: 'Countries unblocked',
    text: `Messages to ${NAMES.format(opened.map(countryName))} are no longer blocked.`,
    tone: 'wait',
    path: COUNTRY_BLACKLIST,
  });
}

export function reportAllowed(): void {
  addNotice({
    id: 'allowed_countries',
    title: 'Allowed countries changed',
    text: 'See where your company can send messages.',
    tone: 'wait',
    path: COUNTRY_BLACKLIST,
  });
}
