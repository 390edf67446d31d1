/** The numbering rules for all countries, loaded with the first phone field. Until then, a number is shown as typed. */
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
      // The server receives the number as typed and validates it; loading the rules is retried with the next field.
      () => {
        loading = false;
      },
    );
  }
  return () => listeners.delete(listener);
}

export const usePhoneRules = (): PhoneRules | null => useSyncExternalStore(subscribe, () => rules);
