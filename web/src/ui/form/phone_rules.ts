/** The numbering rules of all countries, loaded with the first field that asks for a number. Until then a number is what was typed. */
import type * as Rules from 'libphonenumber-js/min';
import { useSyncExternalStore } from 'react';

type PhoneRules = typeof Rules;
let rules: PhoneRules | null = null;
let loading = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!rules && !loading) {
    loading = true;
    import('libphonenumber-js/min').then(
      (loaded) => {
        rules = loaded;
        for (const one of listeners) one();
      },
      // The plain number goes to the server, which knows the rules; the next field tries again.
      () => {
        loading = false;
      },
    );
  }
  return () => listeners.delete(listener);
}

export const usePhoneRules = (): PhoneRules | null => useSyncExternalStore(subscribe, () => rules);
