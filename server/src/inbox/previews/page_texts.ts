/** Reads the title and the description of an HTML page. The page is untrusted: both become plain texts. */
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 300;

export interface PageTexts {
  title: string;
  description: string;
}

/** Returns null for a page without a title. `type` is the content type of the response. */
export function readPage(body: Uint8Array, type: string): PageTexts | null {
  const html = decode(body, type);
  const metas = new Map<string, string>();
  for (const [tag] of html.matchAll(/<meta\b[^>]{1,2000}>/gi)) {
    const name = (readAttribute(tag, 'property') ?? readAttribute(tag, 'name') ?? '').toLowerCase();
    const content = readAttribute(tag, 'content');
    if (name !== '' && content !== null && !metas.has(name)) metas.set(name, content);
  }
  const own = /<title\b[^>]{0,200}>([^<]{1,2000})/i.exec(html)?.[1];
  const title = toPlain(metas.get('og:title') || own || '', MAX_TITLE);
  if (title === '') return null;
  const description = metas.get('og:description') || metas.get('description') || '';
  return { title, description: toPlain(description, MAX_DESCRIPTION) };
}

function decode(body: Uint8Array, type: string): string {
  const label = /charset=["']?([\w-]{1,40})/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function readAttribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return found ? (found[1] ?? found[2] ?? found[3] ?? '') : null;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const toPlain = (text: string, max: number): string =>
  [
    ...text
      .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (all, decimal, hex, name) =>
        name ? (NAMED[String(name).toLowerCase()] ?? all) : toCharacter(decimal ? Number(decimal) : parseInt(hex, 16)),
      )
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .toWellFormed()
      .trim(),
  ]
    .slice(0, max)
    .join('');

const toCharacter = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ');
