/**
 * What’s new, from CHANGELOG.md. Customers see what was added for them. Operators see everything. The text loads
 * lazily; the build knows its fingerprint, so that the top bar can show whether a user has seen it.
 */

/** The fingerprint of the changelog in this build. */
export const NEWS_ID: string = import.meta.env.VITE_NEWS_ID;

export interface NewsGroup {
  title: string;
  /** Markdown. */
  items: readonly string[];
}

export interface NewsVersion {
  /** `1.2.0 (2026-11-02)`; the newest changes may have no version yet. */
  title: string;
  sections: readonly { title: string; groups: readonly NewsGroup[] }[];
}

export const loadNews = async (): Promise<readonly NewsVersion[]> =>
  readChangelog((await import('../../../../CHANGELOG.md?raw')).default);

/** Groups about running the installation. */
const FOR_OPERATORS: ReadonlySet<string> = new Set(['Running Parley', 'SMS providers', 'Content rules']);
/** Entries without a group. */
const GENERAL = 'General';

const split = (text: string, heading: RegExp): string[] => text.split(heading).slice(1);
const firstLine = (text: string): string => text.split('\n', 1)[0]!.trim();

export function readChangelog(text: string): NewsVersion[] {
  return split(text, /^## /m).map((version) => ({
    title: firstLine(version).replace(/[[\]]/g, ''),
    sections: split(version, /^### /m).map((section) => ({
      title: firstLine(section),
      groups: readGroups(section.slice(firstLine(section).length)),
    })),
  }));
}

function readGroups(text: string): NewsGroup[] {
  const [general = '', ...named] = text.split(/^(?=\*\*[^*]+\*\*$)/m);
  const group = (title: string, lines: string): NewsGroup => ({ title, items: readItems(lines) });
  return [
    group(GENERAL, general),
    ...named.map((part) => group(firstLine(part).replaceAll('*', ''), part.slice(firstLine(part).length))),
  ].filter(({ items }) => items.length > 0);
}

/** Links to documents of the source do not work in the app, so only their labels stay. */
const readItems = (text: string): string[] =>
  split(text, /^- /m).map((item) =>
    item
      .replace(/\s+/g, ' ')
      .replace(/\[([^\]]+)\]\(docs\/[^)]*\)/g, '$1')
      .trim(),
  );

/** The versions as this user sees them. */
export function visibleNews(versions: readonly NewsVersion[], isOperator: boolean): NewsVersion[] {
  if (isOperator) return [...versions];
  return versions
    .map(({ title, sections }) => ({
      title,
      sections: sections
        .filter((section) => section.title === 'Added')
        .map(({ title: name, groups }) => ({
          title: name,
          groups: groups.filter((group) => !FOR_OPERATORS.has(group.title)),
        })),
    }))
    .filter(({ sections }) => sections.some(({ groups }) => groups.length > 0));
}

/** The heading of a version that has no number yet. */
export const versionTitle = ({ title }: NewsVersion): string =>
  title.toLowerCase() === 'unreleased' ? 'This version' : title;

/** A page of the manual with all versions. */
export function newsMarkdown(versions: readonly NewsVersion[]): string {
  const parts = versions.flatMap((version) => [
    `## ${versionTitle(version)}`,
    ...version.sections.flatMap(({ title, groups }) =>
      groups.flatMap((group) => [
        `### ${title === 'Added' ? '' : `${title}: `}${group.title}`,
        group.items.map((item) => `- ${item}`).join('\n'),
      ]),
    ),
  ]);
  return `# What’s new\n\nThe changes in each version, newest first.\n\n${parts.join('\n\n')}\n`;
}

/** The first sentence of an entry. A period within a number, an address, or code does not end it. */
export const firstSentence = (item: string): string => /^(?:`[^`]*`|[^`])*?[.:](?= [A-Z(`]|$)/.exec(item)?.[0] ?? item;

const QUIET_DAYS = 14;
const DAY_MS = 86_400_000;

/** True if the user has not seen this news. For users of the first two weeks, everything is new. */
export function hasUnseenNews({ news_seen, create_date }: { news_seen: string | null; create_date: string }): boolean {
  if (news_seen !== null) return news_seen !== NEWS_ID;
  return Date.now() - new Date(`${create_date.replace(' ', 'T')}Z`).getTime() > QUIET_DAYS * DAY_MS;
}
