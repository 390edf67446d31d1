/** Countries and phone numbers for the preview of an import. The numbering rules load when they are first needed. */
import type { CountryCode } from 'libphonenumber-js/min';
import { useSyncExternalStore } from 'react';

type Rules = typeof import('libphonenumber-js/min');
let rules: Rules | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!rules)
    void import('libphonenumber-js/min')
      .then((loaded) => {
        rules = loaded;
        for (const notify of listeners) notify();
      })
      // Without the rules, the list of countries is empty and numbers are shown unformatted.
      .catch(() => {});
  return () => listeners.delete(listener);
}
const useRules = (): Rules | null => useSyncExternalStore(subscribe, () => rules);

export interface CountryOption {
  value: string;
  label: string;
}

const names = new Intl.DisplayNames('en', { type: 'region' });
export const countryName = (code: string): string => names.of(code) ?? code;

let options: CountryOption[] | null = null;
export function useCountries(): CountryOption[] {
  const loaded = useRules();
  if (!loaded) return [];
  options ??= loaded
    .getCountries()
    .map((code) => ({ value: code as string, label: `${countryName(code)} (+${loaded.getCountryCallingCode(code)})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return options;
}

export interface ReadNumber {
  text: string;
  country: string;
}

/**
 * Returns null for an invalid number, and undefined until the rules are loaded. Less strict than the server, which has
 * the complete numbering plans.
 */
export function useNumberReader(): (text: string, country: string | null) => ReadNumber | null | undefined {
  const loaded = useRules();
  return (text, country) => {
    if (!loaded) return undefined;
    const read = (written: string, from?: CountryCode) => {
      const number = loaded.parsePhoneNumberFromString(written, from);
      return number?.isPossible() && number.country
        ? { text: number.formatInternational(), country: number.country }
        : null;
    };
    const plain = text.trim().replace(/^'/, '').replace(/^00/, '+');
    if (/[a-z]/i.test(plain)) return null;
    if (plain.startsWith('+')) return read(plain);
    return (country && loaded.isSupportedCountry(country) ? read(plain, country) : null) ?? read(`+${plain}`);
  };
}
