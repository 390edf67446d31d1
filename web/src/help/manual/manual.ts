/** The manual as data: its pages, their sections, and the search in them. */
import { brandName } from '../../ui/brand.ts';
import { loadNews, newsMarkdown, visibleNews } from '../news/changelog.ts';
import { CONTENTS, type ManualGroup, OPERATOR_CONTENTS } from './contents.ts';

export interface ManualSection {
  /** The anchor of the heading; empty for the text before the first heading. */
  id: string;
  title: string;
  /** The text without its markup. */
  text: string;
}

export interface ManualPage {
  id: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  markdown: string;
  sections: readonly ManualSection[];
}

export interface Manual {
  groups: readonly ManualGroup[];
  pages: ReadonlyMap<string, ManualPage>;
}

/** Loads the manual; operators also get the pages for operators. */
export async function loadManual(isOperator: boolean): Promise<Manual> {
  const [customers, operators, news] = await Promise.all([
    import('./texts.ts'),
    isOperator ? import('./operator_texts.ts') : null,
    loadNews(),
  ]);
  const groups = operators ? [OPERATOR_CONTENTS, ...CONTENTS] : CONTENTS;
  const whatsNew = newsMarkdown(visibleNews(news, isOperator));
  const texts = { ...customers.TEXTS, ...operators?.TEXTS, 'manual/whats-new.md': whatsNew };
  const pages = new Map(
    Object.entries(texts).map(([path, markdown]) => {
      const id = pageId(path);
      // The manual describes the product under the name that the reader knows.
      return [id, readPage(id, markdown.replaceAll('Parley', brandName()))];
    }),
  );
  return { groups, pages };
}

/** The ID of a page by its path: `audiences`, or `operators-setup` for `manual/operators/setup.md`. */
export const pageId = (path: string): string =>
  path
    .replace(/^.*manual\//, '')
    .replace('/', '-')
    .replace(/\.md$/, '');

/** The anchor of a heading. */
export const headingAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The text without marks for links, code, and emphasis. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/[*`|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export function readPage(id: string, markdown: string): ManualPage {
  const [head = '', ...rest] = markdown.split(/^(?=##+ )/m);
  const [first = '', ...intro] = head.split('\n');
  const title = plainText(first.replace(/^# /, ''));
  const section = (part: string): ManualSection => {
    const [heading = '', ...lines] = part.split('\n');
    const words = plainText(heading.replace(/^#+ /, ''));
    return { id: headingAnchor(words), title: words, text: plainText(lines.join('\n')) };
  };
  return {
    ...{ id, title, markdown },
    summary: plainText(intro.join('\n').trim().split('\n\n')[0] ?? ''),
    sections: [{ id: '', title, text: plainText(intro.join('\n')) }, ...rest.map(section)],
  };
}

export interface Hit {
  page: ManualPage;
  section: ManualSection;
  /** The text around the first word that was found. */
  snippet: string;
}

const MAX_HITS = 30;
const SNIPPET_LENGTH = 120;

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Finds the sections that contain the beginnings of all words. Titles come before texts. */
export function searchManual({ groups, pages }: Manual, query: string): Hit[] {
  const words = fold(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (words.length === 0) return [];
  const starts = (text: string, word: string) => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${word}`);
  const hits = groups
    .flatMap((group) => group.pages.map((id) => pages.get(id)))
    .flatMap((page) => (page ? page.sections.map((section) => ({ page, section })) : []))
    .flatMap(({ page, section }) => {
      const title = fold(section.title);
      const text = fold(`${page.title} ${section.title} ${section.text}`);
      if (!words.every((word) => starts(text, word))) return [];
      const inTitle = words.filter((word) => starts(title, word)).length;
      return [
        { page, section, snippet: cutSnippet(section.text, words[0]!), score: inTitle * 2 + (section.id ? 0 : 1) },
      ];
    });
  return hits
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ page, section, snippet }) => ({ page, section, snippet }));
}

function cutSnippet(text: string, word: string): string {
  const at = Math.max(0, fold(text).indexOf(word));
  const start = at < SNIPPET_LENGTH / 2 ? 0 : text.lastIndexOf(' ', at - SNIPPET_LENGTH / 3) + 1;
  const cut = text.slice(start, start + SNIPPET_LENGTH);
  const isCut = start + SNIPPET_LENGTH < text.length;
  return `${start > 0 ? '… ' : ''}${isCut ? cut.replace(/\s\S*$/, '') : cut}${isCut ? ' …' : ''}`;
}
