/**
 * Replaces personal data with placeholders before a text leaves for a language model, and puts it back into the
 * response. The same value always gets the same placeholder, so that the model can tell people apart.
 */

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
/** Five or more digits with separators between them: phone numbers, cards, accounts, and long references. */
const NUMBER = /\+?(?:\d[ .()/\u00a0-]{0,2}){4,}\d/gu;
/** A text that looks like a placeholder is masked like any other value. */
const PLACEHOLDER = /\[(?:NAME|NUMBER|EMAIL|TEXT)_\d{1,4}\]/gu;
/** The longest placeholder. */
const LONGEST = '[NUMBER_9999]'.length;
const MIN_NAME = 2;

export class Masker {
  private readonly places = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly names: RegExp | null;

  /** `names` are the people in the conversation. Their parts are also masked. */
  constructor(names: readonly string[]) {
    const parts = names.flatMap((name) => [name, ...name.split(/[\s,]+/)]).map((name) => name.trim());
    const known = [...new Set(parts)].filter((name) => /\p{L}/u.test(name) && [...name].length >= MIN_NAME);
    known.sort((a, b) => b.length - a.length);
    this.names = known.length === 0 ? null : new RegExp(known.map(namePattern).join('|'), 'giu');
  }

  mask(text: string): string {
    // Each step leaves the placeholders of earlier steps alone, because they are cut out first.
    const steps: [RegExp, string][] = [
      [PLACEHOLDER, 'TEXT'],
      [EMAIL, 'EMAIL'],
      ...(this.names ? [[this.names, 'NAME'] as [RegExp, string]] : []),
      [NUMBER, 'NUMBER'],
    ];
    let parts: { text: string; isPlace: boolean }[] = [{ text, isPlace: false }];
    for (const [pattern, kind] of steps)
      parts = parts.flatMap((part) => (part.isPlace ? [part] : this.split(part.text, pattern, kind)));
    return parts.map((part) => part.text).join('');
  }

  private split(text: string, pattern: RegExp, kind: string): { text: string; isPlace: boolean }[] {
    const parts = [];
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      parts.push({ text: text.slice(at, match.index), isPlace: false });
      parts.push({ text: this.place(match[0], kind), isPlace: true });
      at = match.index + match[0].length;
    }
    parts.push({ text: text.slice(at), isPlace: false });
    return parts;
  }

  private place(value: string, kind: string): string {
    const key = `${kind} ${value}`;
    const known = this.places.get(key);
    if (known) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const place = `[${kind}_${count}]`;
    this.places.set(key, place);
    this.values.set(place, value);
    return place;
  }

  restore(text: string): string {
    return text.replace(PLACEHOLDER, (place) => this.values.get(place) ?? place);
  }
}

/** Some scripts have no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const namePattern = (name: string): string =>
  UNSPACED.test(name) ? escapeText(name) : `(?<![\\p{L}\\p{N}])${escapeText(name)}(?![\\p{L}\\p{N}])`;
const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Restores a text that arrives in parts, which can cut through a placeholder. */
export class StreamRestorer {
  private readonly restore: (text: string) => string;
  private held = '';

  constructor(restore: (text: string) => string) {
    this.restore = restore;
  }

  push(part: string): string {
    const text = this.held + part;
    const open = text.lastIndexOf('[');
    const isOpen = open >= 0 && !text.includes(']', open) && text.length - open < LONGEST;
    this.held = isOpen ? text.slice(open) : '';
    return this.restore(isOpen ? text.slice(0, open) : text);
  }

  end(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }
}
