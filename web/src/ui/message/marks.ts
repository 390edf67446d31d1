/**
 * Splits a text into plain and marked spans for the layer behind the text area. Kept pure so that the marks can be
 * tested.
 */
export interface Span {
  start: number;
  end: number;
}

type Mark = 'known' | 'unknown' | 'flagged';

interface MarkedSpan {
  start: number;
  text: string;
  mark?: Mark;
}

/** `{first_name}`, or `{first_name:friend}` with a default for contacts without one. */
const VARIABLE = /\{[ \t]*([a-z][a-z0-9_]*)[ \t]*(?::[^{}\n]*)?\}/gi;

export function findUnknownVariables(text: string, keys: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const match of text.matchAll(VARIABLE)) {
    const name = match[1] as string;
    if (!keys.has(name.toLowerCase())) names.add(name);
  }
  return [...names];
}

/** `keys` is null if the text has no variables. A flagged span inside a variable is not marked twice. */
export function splitIntoSpans(text: string, keys: ReadonlySet<string> | null, flagged: readonly Span[]): MarkedSpan[] {
  const marked: (Span & { mark: Mark })[] = [];
  if (keys) {
    for (const match of text.matchAll(VARIABLE)) {
      const start = match.index;
      marked.push({
        start,
        end: start + match[0].length,
        mark: keys.has((match[1] as string).toLowerCase()) ? 'known' : 'unknown',
      });
    }
  }
  for (const span of flagged) {
    if (
      span.end > span.start &&
      span.end <= text.length &&
      !marked.some((other) => span.start < other.end && other.start < span.end)
    )
      marked.push({ ...span, mark: 'flagged' });
  }
  marked.sort((a, b) => a.start - b.start);

  const spans: MarkedSpan[] = [];
  let at = 0;
  for (const { start, end, mark } of marked) {
    if (start > at) spans.push({ start: at, text: text.slice(at, start) });
    spans.push({ start, text: text.slice(start, end), mark });
    at = end;
  }
  if (at < text.length) spans.push({ start: at, text: text.slice(at) });
  return spans;
}
