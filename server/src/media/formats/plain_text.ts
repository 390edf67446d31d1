/**
 * Checks text formats, which have no signature. The text must be valid UTF-8 without zero bytes or forbidden content.
 */
import type { Content } from './content.ts';
import { corrupted, mismatched, unsafe } from './refusal.ts';

/** Longer than any of the patterns searched for, so that a match across two chunks is found. */
const OVERLAP = 512;

/** A section of a text. A match that begins at `limit` or later may be cut off; the next section contains all of it. */
interface Section {
  text: string;
  limit: number;
}
export const contains = ({ text, limit }: Section, pattern: RegExp): boolean => {
  const index = text.search(pattern);
  return index >= 0 && index < limit;
};

/** Reads the whole text and passes it on in overlapping sections. */
export async function readText(content: Content, onSection: (section: Section) => void = () => {}): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let before = '';
  const add = (more: string, last = false) => {
    if (more.includes('\0')) throw mismatched();
    const text = before + more;
    onSection({ text, limit: last ? text.length + 1 : text.length - OVERLAP });
    before = text.slice(-OVERLAP);
  };
  try {
    for await (const chunk of content.chunks()) add(decoder.decode(chunk, { stream: true }));
    add(decoder.decode(), true);
  } catch (error) {
    // A TypeError means that the text is not UTF-8.
    if (error instanceof TypeError) throw mismatched();
    throw error;
  }
}

const PROLOG = /^\ufeff?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*/;

/**
 * Returns the root element of an XML file, or null. A file with its own entities is refused, because entities can
 * expand endlessly.
 */
export async function readRootName(content: Content): Promise<string | null> {
  const head = (await content.read(0, 8_192)).toString('utf8');
  if (/<!ENTITY/i.test(head)) throw mismatched();
  const rest = head.replace(PROLOG, '').replace(/^<!DOCTYPE[^[>]{0,500}>\s*/i, '');
  return /^<([A-Za-z_][\w:.-]{0,60})[\s/>]/.exec(rest)?.[1] ?? null;
}

/** Prefixes can be renamed, so only the name after the prefix counts. Presentations have harmless listeners. */
const MACROS = /<(?:[^\s<>/:!?]+:)?(?:script|module|(?<!<presentation:)event-listener)[\s/>]/i;

/** Checks a flat OpenDocument file, which is a single XML text. */
export async function requireFlatDocument(content: Content): Promise<void> {
  if ((await readRootName(content)) !== 'office:document') throw mismatched();
  let last = '';
  await readText(content, (section) => {
    if (contains(section, /<!ENTITY/i)) throw mismatched();
    if (contains(section, MACROS)) throw unsafe('The document contains macros');
    last = section.text;
  });
  if (!/<\/office:document>\s*$/.test(last)) throw corrupted();
}
