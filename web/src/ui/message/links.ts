/** Finds web addresses and phone numbers in a text that a person wrote. Pure, and never reads HTML. */

export interface TextPart {
  start: number;
  text: string;
  /** Null for plain text. Otherwise an `http:`, `https:`, or `tel:` address. */
  href: string | null;
}

// Characters that change the text direction end an address, so that a link cannot look like another one.
const ADDRESS = '(?<![\\p{L}\\p{N}@./])(?:https?:\\/\\/|www\\.)[^\\s<>"\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+';
const PHONE = '(?<![\\p{L}\\p{N}+])\\+\\d(?:[\\s().\\-]{0,2}\\d){6,14}(?![\\p{L}\\p{N}])';
const LINK = new RegExp(`${ADDRESS}|${PHONE}`, 'giu');
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const add = (end: number, href: string | null) => {
    if (end > at) parts.push({ start: at, text: text.slice(at, end), href });
    at = end;
  };
  for (const match of text.matchAll(LINK)) {
    const linkText = match[0].startsWith('+') ? match[0] : withoutPunctuation(match[0]);
    const href = linkText.startsWith('+') ? `tel:+${linkText.replace(/\D/g, '')}` : webAddress(linkText);
    if (!href) continue;
    add(match.index, null);
    add(match.index + linkText.length, href);
  }
  add(text.length, null);
  return parts;
}

/** Leaves out the punctuation of the sentence around an address: "(see https://x.example/a)." */
function withoutPunctuation(address: string): string {
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    const opening = PAIRS[last];
    const isUnbalanced = opening !== undefined && count(address, last, end) > count(address, opening, end);
    if (!isUnbalanced && !/[.,;:!?'"*_~\u2026\u2019\u201d\u00bb]/.test(last)) break;
  }
  return address.slice(0, end);
}

const count = (text: string, character: string, end: number): number => text.slice(0, end).split(character).length - 1;

/** Null for an address that a browser cannot open, or that hides its host behind a user name. */
function webAddress(text: string): string | null {
  const address = /^www\./i.test(text) ? `https://${text}` : text;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.username || url.password || !url.hostname.includes('.') ? null : url.href;
}
