/** The palette's entries for a text, in groups. */
import { type Entry, useLocalEntries } from './entries.ts';
import { matchText } from './fuzzy.ts';
import { useManualEntries } from './manual.ts';
import { useFoundRecords } from './records.ts';

export interface Listed {
  entry: Entry;
  /** The matched characters of the label; null without a search text. */
  positions: ReadonlySet<number> | null;
}

export interface Group {
  name: string;
  entries: Listed[];
}

/** The local entries shown for a text; the records of the server follow. */
const MAX_LOCAL = 12;

interface Matches {
  groups: Group[];
  searching: boolean;
  failed: boolean;
}

export function useMatches(text: string): Matches {
  const local = useLocalEntries();
  const { entries: records, searching, failed } = useFoundRecords(text);
  const manual = useManualEntries(text);
  const query = text.trim();
  if (!query) {
    const listed = local.filter(({ isHidden }) => !isHidden).map((entry) => ({ entry, positions: null }));
    return { groups: toGroups(listed), searching, failed };
  }
  const serverPaths = new Set(records.map(({ target }) => target?.path));
  const matches = local
    // A record that the server also finds is listed once, with the server's details.
    .filter(({ group, target }) => group !== 'Recent' || !serverPaths.has(target?.path))
    .flatMap((entry) => {
      const match = matchText(query, entry.label, searchWords(entry));
      return match ? [{ entry, ...match }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_LOCAL);
  const hits = records.map((entry) => ({ entry, positions: matchText(query, entry.label)?.positions ?? null }));
  // Kinds whose names match come before those that match elsewhere, such as in a template's text.
  const named = new Set(hits.filter(({ positions }) => positions).map(({ entry }) => entry.group));
  const ranked = hits.toSorted((a, b) => Number(named.has(b.entry.group)) - Number(named.has(a.entry.group)));
  const help = manual.map((entry) => ({ entry, positions: matchText(query, entry.label)?.positions ?? null }));
  return { groups: toGroups([...matches, ...ranked, ...help]), searching, failed };
}

const searchWords = ({ keywords, detail, group }: Entry): string =>
  [keywords, detail, group === 'Settings' || group === 'Appearance' ? group : ''].filter(Boolean).join(' ');

/** Groups keep the order of their first entries. An entry that is listed twice, as recent and as a page, stays once. */
function toGroups(listed: readonly Listed[]): Group[] {
  const groups = new Map<string, Listed[]>();
  const paths = new Set<string>();
  for (const one of listed) {
    const { target, group, detail } = one.entry;
    // Several settings share a page.
    if (target && !detail && paths.has(target.path)) continue;
    if (target) paths.add(target.path);
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return [...groups].map(([name, entries]) => ({ name, entries }));
}
