/** The records and pages that the user opened last, stored on this device under the user. */
interface Recent {
  kind: string;
  id: string;
  title: string;
  path: string;
}

const MAX_RECENTS = 8;
const storageKey = (user_id: string) => `parley.recent.${user_id}`;

export function readRecents(user_id: string): readonly Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(user_id)) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  ['kind', 'id', 'title', 'path'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

/** Puts the entry first; an entry with the same kind and id is replaced. */
export function rememberRecent(user_id: string, { kind, id, title, path }: Recent): void {
  const others = readRecents(user_id).filter((other) => other.kind !== kind || other.id !== id);
  localStorage.setItem(
    storageKey(user_id),
    JSON.stringify([{ kind, id, title, path }, ...others].slice(0, MAX_RECENTS)),
  );
}
