/** Countries and numbers as the import will read them, for the preview. The rules are loaded with the first page that needs them. */
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
        for (const one of listeners) one();
      })
      // Without them the list of countries stays empty and numbers are shown as they are written.
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

/** Null: this would be refused. Undefined: not known yet. Less strict than the server, which knows every numbering plan in full. */
export function useNumberReader(): (text: string, country: string | null) => ReadNumber | null | undefined {
  const loaded = useRules();
  return (text, country) => {
    if (!loaded) return undefined;
    const read = (written: string, from?: CountryCode) => {
      const found = loaded.parsePhoneNumberFromString(written, from);
      return found?.isPossible() && found.country
        ? { text: found.formatInternational(), country: found.country }
        : null;
    };
    const plain = text.trim().replace(/^'/, '').replace(/^00/, '+');
    if (/[a-z]/i.test(plain)) return null;
    if (plain.startsWith('+')) return read(plain);
    return (country && loaded.isSupportedCountry(country) ? read(plain, country) : null) ?? read(`+${plain}`);
  };
}
