/** Files that are text and give no signature: valid UTF-8 without zero bytes, and what may not stand in them. */
import type { Content } from './content.ts';
import { corrupted, mismatched, unsafe } from './refusal.ts';

/** Longer than anything looked for: nothing hides on the border between two pieces. */
const OVERLAP = 512;

/** A stretch of a text. What begins at `settled` or later may be cut off by its end, and stands whole in the next stretch. */
export interface Stretch {
  text: string;
  settled: number;
}
export const holds = ({ text, settled }: Stretch, pattern: RegExp): boolean => {
  const place = text.search(pattern);
  return place >= 0 && place < settled;
};

/** Reads the text to its end. */
export async function readText(content: Content, look: (stretch: Stretch) => void = () => {}): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let before = '';
  const take = (more: string, last = false) => {
    if (more.includes('\0')) throw mismatched();
    const text = before + more;
    look({ text, settled: last ? text.length + 1 : text.length - OVERLAP });
    before = text.slice(-OVERLAP);
  };
  try {
    for await (const piece of content.pieces()) take(decoder.decode(piece, { stream: true }));
    take(decoder.decode(), true);
  } catch (error) {
    // TypeError: not UTF-8.
    if (error instanceof TypeError) throw mismatched();
    throw error;
  }
}

const PROLOG = /^\ufeff?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*/;

/** The name of the first element of an XML text; null when it is none. Entities of its own are refused: they expand without end. */
export async function rootOf(content: Content): Promise<string | null> {
  const head = (await content.read(0, 8_192)).toString('utf8');
  if (/<!ENTITY/i.test(head)) throw mismatched();
  const rest = head.replace(PROLOG, '').replace(/^<!DOCTYPE[^[>]{0,500}>\s*/i, '');
  return /^<([A-Za-z_][\w:.-]{0,60})[\s/>]/.exec(rest)?.[1] ?? null;
}

const MACROS = /<(?:script:event-listener|office:script|script:module)[\s>]/i;

/** A flat OpenDocument file: one XML text. */
export async function demandFlatDocument(content: Content): Promise<void> {
  if ((await rootOf(content)) !== 'office:document') throw mismatched();
  let last = '';
  await readText(content, (stretch) => {
    if (holds(stretch, /<!ENTITY/i)) throw mismatched();
    if (holds(stretch, MACROS)) throw unsafe('The document holds macros');
    last = stretch.text;
  });
  if (!/<\/office:document>\s*$/.test(last)) throw corrupted();
}
