/** Splits a text into plain and marked spans for the layer behind the text area. Pure, so that what is marked can be tested. */
export interface Span {
  start: number;
  end: number;
}

export type Mark = 'known' | 'unknown' | 'flagged';

export interface MarkedSpan {
  start: number;
  text: string;
  mark?: Mark;
}

/** `{first_name}`, or `{first_name:friend}` with a word for those who have none. */
export const VARIABLE = /\{[ \t]*([a-z][a-z0-9_]*)[ \t]*(?::[^{}\n]*)?\}/gi;

export function unknownIn(text: string, known: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const match of text.matchAll(VARIABLE)) {
    const name = match[1] as string;
    if (!known.has(name.toLowerCase())) names.add(name);
  }
  return [...names];
}

/** `known` null: variables mean nothing here. Flagged spans inside a variable are not marked twice. */
export function marksIn(text: string, known: ReadonlySet<string> | null, flagged: readonly Span[]): MarkedSpan[] {
  const found: (Span & { mark: Mark })[] = [];
  if (known) {
    for (const match of text.matchAll(VARIABLE)) {
      const start = match.index;
      found.push({
        start,
        end: start + match[0].length,
        mark: known.has((match[1] as string).toLowerCase()) ? 'known' : 'unknown',
      });
    }
  }
  for (const span of flagged) {
    if (
      span.end > span.start &&
      span.end <= text.length &&
      !found.some((other) => span.start < other.end && other.start < span.end)
    )
      found.push({ ...span, mark: 'flagged' });
  }
  found.sort((a, b) => a.start - b.start);

  const spans: MarkedSpan[] = [];
  let at = 0;
  for (const { start, end, mark } of found) {
    if (start > at) spans.push({ start: at, text: text.slice(at, start) });
    spans.push({ start, text: text.slice(start, end), mark });
    at = end;
  }
  if (at < text.length) spans.push({ start: at, text: text.slice(at) });
  return spans;
}
