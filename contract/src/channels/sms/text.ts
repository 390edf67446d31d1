/**
 * Segments a text for SMS: finds its alphabet, length, and segments for the counter, pricing, and SMPP. It counts code
 * units as networks do, never grapheme clusters. A change here changes the prices that customers pay.
 */
import { GSM7_EXTENDED, gsm7Septet } from './gsm7.ts';

/** The alphabet of data coding 0, which is used for texts without other characters. */
type DefaultAlphabet = 'gsm7' | 'latin1' | 'ascii';
const ENCODINGS = { gsm7: 'GSM-7', latin1: 'Latin-1', ascii: 'ASCII' } as const;
export type SmsEncoding = (typeof ENCODINGS)[DefaultAlphabet] | 'UCS-2';

export type SegmentOptions = {
  /** GSM-7 by default. */
  alphabet?: DefaultAlphabet;
  /** Characters of Latin-1 or ASCII in one segment: 140 (default), or 160 if the carrier packs them into 7 bits. */
  capacity?: 140 | 160;
  /**
   * `gsm7` first converts the text to GSM-7, with `?` for characters without an equivalent. `auto` never changes the
   * text.
   */
  encoding?: 'auto' | 'gsm7' | 'ucs2';
  /** Width of the concatenation reference: 8 bits need a header of 6 octets per segment, 16 bits one of 7. */
  reference?: 8 | 16;
};

export type UnicodeCharacter = {
  /** Position in the input text, in UTF-16 units. */
  index: number;
  character: string;
  /** The obvious equivalent in the default alphabet, if there is one. Empty if the character is invisible. */
  replacement?: string;
};

export type Segmentation = {
  encoding: SmsEncoding;
  /** Septets in GSM-7, UTF-16 units in the other alphabets. */
  length: number;
  segments: string[];
  /** Capacity of each segment of this text. */
  per_segment: number;
  /** Units still free in the last segment. */
  remaining: number;
  /** All characters outside the default alphabet. Each of them forces UCS-2. */
  unicode_characters: UnicodeCharacter[];
};

const SEPTETS = { single: 160, 8: 153, 16: 152 } as const;
const OCTETS = { single: 140, 8: 134, 16: 133 } as const;
const UNITS = { single: 70, 8: 67, 16: 66 } as const;

function limitsFor(encoding: SmsEncoding, { capacity }: SegmentOptions) {
  if (encoding === 'UCS-2') return UNITS;
  return encoding === 'GSM-7' || capacity === 160 ? SEPTETS : OCTETS;
}

export function segment(text: string, options: SegmentOptions = {}): Segmentation {
  const mode = options.encoding ?? 'auto';
  const alphabet = mode === 'gsm7' ? 'gsm7' : (options.alphabet ?? 'gsm7');
  const unicode = unicodeCharacters(text, alphabet);
  const wire = mode === 'gsm7' && unicode.length > 0 ? forceGsm(text) : text;
  const encoding = mode === 'ucs2' || (mode === 'auto' && unicode.length > 0) ? 'UCS-2' : ENCODINGS[alphabet];
  const limits = limitsFor(encoding, options);
  const length = textLength(wire, encoding);
  const single = length <= limits.single;
  const per_segment = single ? limits.single : limits[options.reference ?? 8];
  const cuts = single ? [] : cutPoints(wire, encoding, per_segment);
  const segments: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    segments.push(wire.slice(from, cut));
    from = cut;
  }
  const last = wire.slice(from);
  segments.push(last);
  const used = textLength(last, encoding);
  return { encoding, length, segments, per_segment, remaining: per_segment - used, unicode_characters: unicode };
}

/**
 * Equals `segment(text, options).segments.length`, but does not build the segments. This allows campaigns to be priced
 * row by row.
 */
export const segmentCount = (text: string, options: SegmentOptions = {}): number => countSegments(text, options).count;

/** Returns the number of segments and their encoding, without building them. */
export function countSegments(text: string, options: SegmentOptions = {}): { count: number; encoding: SmsEncoding } {
  const mode = options.encoding ?? 'auto';
  const alphabet = mode === 'gsm7' ? 'gsm7' : (options.alphabet ?? 'gsm7');
  const units = alphabet === 'gsm7' ? septets(text) : plainLength(text, alphabet);
  if (units < 0 && mode === 'gsm7') return countSegments(forceGsm(text), { ...options, encoding: 'auto' });
  const encoding = mode === 'ucs2' || units < 0 ? 'UCS-2' : ENCODINGS[alphabet];
  const limits = limitsFor(encoding, options);
  if ((encoding === 'UCS-2' ? text.length : units) <= limits.single) return { count: 1, encoding };
  return { count: cutPoints(text, encoding, limits[options.reference ?? 8]).length + 1, encoding };
}

const textLength = (text: string, encoding: SmsEncoding): number =>
  encoding === 'GSM-7' ? septets(text) : text.length;

/** Returns the length of a text in an alphabet with one octet per character, or -1 if a character is outside. */
function plainLength(text: string, alphabet: 'latin1' | 'ascii'): number {
  for (let i = 0; i < text.length; i++) if (!fits(text.charCodeAt(i), alphabet)) return -1;
  return text.length;
}

function fits(unit: number, alphabet: DefaultAlphabet): boolean {
  if (alphabet === 'gsm7') return gsm7Septet(unit) >= 0;
  return unit < (alphabet === 'ascii' ? 0x80 : 0x100);
}

/**
 * Replaces characters that have an obvious equivalent in the default alphabet, GSM-7 unless stated otherwise. Other
 * characters (emoji, other scripts) stay unchanged.
 */
export function toGsmSafe(text: string, alphabet: DefaultAlphabet = 'gsm7'): string {
  if (isPlain(text, alphabet)) return text;
  let out = '';
  // The text is composed first so that "e" with a combining acute becomes the é of GSM-7.
  for (const character of text.normalize('NFC')) {
    out += isPlain(character, alphabet) ? character : (plainReplacement(character, alphabet) ?? character);
  }
  return out;
}

const isPlain = (text: string, alphabet: DefaultAlphabet): boolean =>
  alphabet === 'gsm7' ? septets(text) >= 0 : plainLength(text, alphabet) >= 0;

/** Returns the GSM-7 length in septets, or -1 if a character is outside the alphabet. */
export function septets(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const septet = gsm7Septet(text.charCodeAt(i));
    if (septet < 0) return -1;
    length += septet & GSM7_EXTENDED ? 2 : 1;
  }
  return length;
}

/**
 * The positions where a long text is split. Escape pairs and surrogate pairs stay whole, so a segment can be one unit
 * short.
 */
function cutPoints(text: string, encoding: SmsEncoding, capacity: number): number[] {
  const cuts: number[] = [];
  if (encoding !== 'GSM-7') {
    for (let at = capacity; at < text.length; at += capacity) {
      if (isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))) at--;
      cuts.push(at);
    }
    return cuts;
  }
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    const cost = gsm7Septet(text.charCodeAt(i)) & GSM7_EXTENDED ? 2 : 1;
    if (used + cost > capacity) {
      cuts.push(i);
      used = 0;
    }
    used += cost;
  }
  return cuts;
}

function unicodeCharacters(text: string, alphabet: DefaultAlphabet): UnicodeCharacter[] {
  const characters: UnicodeCharacter[] = [];
  for (let index = 0; index < text.length; index++) {
    if (fits(text.charCodeAt(index), alphabet)) continue;
    const pair = isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1));
    const character = pair ? text.slice(index, index + 2) : text[index]!;
    const replacement = plainReplacement(character, alphabet);
    characters.push(replacement === undefined ? { index, character } : { index, character, replacement });
    if (pair) index++;
  }
  return characters;
}

function forceGsm(text: string): string {
  let out = '';
  for (const character of toGsmSafe(text)) out += septets(character) < 0 ? '?' : character;
  return out;
}

const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;

const REPLACEMENTS = new Map<string, string>();
const replace = (characters: string, by: string) => {
  for (const character of characters) REPLACEMENTS.set(character, by);
};
replace('\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bb\u02bc\u02bd\u00b4`\u2039\u203a', "'");
replace('\u201c\u201d\u201e\u201f\u2033\u2036\u02ba\u00ab\u00bb\u301d\u301e', '"');
replace('\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\u2022\u00b7', '-');
replace('\u2026', '...');
replace('\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' ');
replace('\u2028\u2029\u0085\u000b', '\n');
replace('\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff', '');
replace('\u2044\u2215', '/');
replace('\u02c6', '^');
replace('\u02dc\u223c', '~');
replace('\u00d7', 'x');
replace('\u2217', '*');
replace('\u00a9', '(c)');
replace('\u00ae', '(R)');
replace('\u2122', '(TM)');
replace('\u00bd', '1/2');
replace('\u00bc', '1/4');
replace('\u00be', '3/4');
replace('Ł', 'L');
replace('ł', 'l');
replace('ĐÐ', 'D');
replace('đ', 'd');
replace('ı', 'i');
replace('Œ', 'OE');
replace('œ', 'oe');

/** The equivalents are GSM-7. In an alphabet that lacks some of them, a letter becomes its base letter. */
function plainReplacement(character: string, alphabet: DefaultAlphabet): string | undefined {
  const replacement = gsmReplacement(character);
  if (replacement !== undefined && isPlain(replacement, alphabet)) return replacement;
  const base = character.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  return base !== '' && isPlain(base, alphabet) ? base : undefined;
}

function gsmReplacement(character: string): string | undefined {
  const replacement = REPLACEMENTS.get(character);
  if (replacement !== undefined) return replacement;
  const code = character.codePointAt(0)!;
  // A combining mark that remains after composition has no equivalent in GSM-7.
  if (code >= 0x300 && code <= 0x36f) return '';
  // Full-width forms of ASCII, as typed with East Asian keyboards.
  if (code >= 0xff01 && code <= 0xff5e) return gsmOrNothing(String.fromCharCode(code - 0xfee0));
  // Latin letters with marks that GSM-7 lacks become the base letter (á -> a, ç -> c, ş -> s).
  if ((code >= 0xc0 && code <= 0x24f) || (code >= 0x1e00 && code <= 0x1eff)) {
    return gsmOrNothing(character.normalize('NFD').replace(/[\u0300-\u036f]/g, ''));
  }
  return undefined;
}

const gsmOrNothing = (text: string) => {
  const safe = REPLACEMENTS.get(text) ?? text;
  return septets(safe) >= 0 ? safe : undefined;
};

/** Variables in a text, written in braces: `{first_name}`, or `{first_name:friend}` with a fallback. */
export const VARIABLES = ['first_name', 'last_name', 'custom1', 'custom2', 'sms_opt_out'] as const;
export type Variable = (typeof VARIABLES)[number];
/** Values by name: of the variables, and of the account's own fields. */
export type VariableValues = Readonly<Record<string, string | null | undefined>>;

export type VariableTag = { index: number; tag: string; name: string; fallback: string; known: boolean };

const TAG = /\{[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*(?::([^{}\n]*))?\}/g;
const KNOWN: ReadonlySet<string> = new Set(VARIABLES);

/**
 * Returns every tag in order, known or unknown, so that a composer can highlight them. `fields` are the keys of the
 * account's own fields, which are also known.
 */
export function tagsIn(text: string, fields: readonly string[] = []): VariableTag[] {
  return Array.from(text.matchAll(TAG), (match) => {
    const name = match[1]!.toLowerCase();
    return {
      index: match.index,
      tag: match[0],
      name,
      fallback: match[2] ?? '',
      known: KNOWN.has(name) || fields.includes(name),
    };
  });
}

/** Returns the known variables that a text uses, each once, in the order they first appear. */
export function variablesIn(text: string): Variable[] {
  return [...new Set(tagsIn(text).flatMap((tag) => (tag.known ? [tag.name as Variable] : [])))];
}

/** Returns the unknown names in braces, as written, each once. A campaign refuses them, because no contact has them. */
export function unknownVariables(text: string, fields: readonly string[] = []): string[] {
  const names = tagsIn(text, fields).flatMap((tag) => (tag.known ? [] : [tag.tag.slice(1, -1).split(':')[0]!.trim()]));
  return [...new Set(names)];
}

/**
 * Replaces every tag with its value. All texts are filled here, for previews and for messages. It makes a single pass,
 * so a value that looks like a tag is not filled again.
 */
export function replaceTags(text: string, fill: (tag: VariableTag, at: number) => string): string {
  let out = '';
  let from = 0;
  tagsIn(text).forEach((tag, at) => {
    out += text.slice(from, tag.index) + fill(tag, at);
    from = tag.index + tag.tag.length;
  });
  return out + text.slice(from);
}

/** Fills the variables for one contact. Unknown tags without a value stay, so that a preview shows them. */
export function render(text: string, values: VariableValues): string {
  if (!text.includes('{')) return text;
  return replaceTags(text, ({ name, tag, fallback, known }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!known && value === undefined) return tag;
    return value === undefined || value === null || value.trim() === '' ? fallback : value;
  });
}
