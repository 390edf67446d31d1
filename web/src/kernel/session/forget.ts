/** The beginnings of the keys under which this browser stores opened records and unsaved input. */
const PREFIXES = ['parley.recent.', 'parley.typed.', 'parley.verification.'];

/** Removes the opened records and the unsaved input of every user, for the next user of this browser. */
export function forgetRecords(): void {
  for (const storage of [localStorage, sessionStorage]) {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
    for (const key of keys) if (PREFIXES.some((prefix) => key.startsWith(prefix))) storage.removeItem(key);
  }
}
