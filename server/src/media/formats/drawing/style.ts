/**
 * Cleans style sheets and style attributes. Only known properties remain, and a value can refer only to elements of the
 * same drawing. Escapes are refused, because they hide names from every check.
 */
import { PROPERTIES } from './allowed.ts';
import { DrawingError } from './drawing_error.ts';

const FUNCTIONS = /^(?:rgba?|hsla?|matrix|translate[XY]?|scale[XY]?|rotate|skew[XY]?|url|calc|local)$/i;
const REFERENCE = /^\s*(["']?)#([\w.:-]{1,200})\1\s*$/;
const SELECTOR = /^[\w\s.#,*>+~:()[\]="'-]{1,2000}$/;
const MAX_RULES = 5_000;

export interface Rule {
  selector: string;
  declarations: string;
}

/** The identifiers to which a value refers with `url(#...)`. */
export const references = (value: string): string[] =>
  [...value.matchAll(/url\(\s*["']?#([\w.:-]+)["']?\s*\)/gi)].map((match) => match[1]!);

/** Returns the value, or null if it is unknown and must be dropped. Throws if it loads something. */
export function cleanValue(value: string): string | null {
  if (value.includes('\\')) throw new DrawingError('unsafe', 'a style contains an escape');
  const text = value.trim();
  if (/javascript\s*:|vbscript\s*:|expression\s*\(|-moz-binding|@import/i.test(text))
    throw new DrawingError('unsafe', 'a style runs code');
  if (/[<>{};@]|\/\*/.test(text)) return null;
  for (const [, name, target] of text.matchAll(/([\w-]+)\(([^()]*)/g)) {
    if (!FUNCTIONS.test(name!)) return null;
    if (/^url$/i.test(name!) && !REFERENCE.test(target!)) throw new DrawingError('unsafe', 'a style loads a file');
  }
  // `url(` that the loop above did not see, such as after a non-ASCII letter.
  if ((text.match(/url\s*\(/gi) ?? []).length !== references(text).length)
    throw new DrawingError('unsafe', 'a style loads a file');
  return text;
}

export function cleanDeclarations(text: string): string {
  const kept: string[] = [];
  for (const declaration of withoutComments(text).split(';')) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = cleanValue(declaration.slice(colon + 1));
    if (value && PROPERTIES.has(name)) kept.push(`${name}:${value}`);
  }
  return kept.join(';');
}

/** Reads a style sheet. Rules that begin with @ are dropped, except for imports, which are refused. */
export function cleanSheet(text: string): Rule[] {
  const css = withoutComments(text);
  if (css.includes('\\')) throw new DrawingError('unsafe', 'a style sheet contains an escape');
  if (/@import/i.test(css)) throw new DrawingError('unsafe', 'a style sheet imports another one');
  const rules: Rule[] = [];
  let at = 0;
  while (at < css.length) {
    const open = css.indexOf('{', at);
    const end = css.indexOf(';', at);
    if (/^\s*@/.test(css.slice(at, at + 200))) {
      // A statement ends with a semicolon, a block with its closing brace.
      at = open < 0 || (end >= 0 && end < open) ? (end < 0 ? css.length : end + 1) : closingBrace(css, open) + 1;
      continue;
    }
    if (open < 0) break;
    const close = closingBrace(css, open);
    const selector = css.slice(at, open).trim().replace(/\s+/g, ' ');
    const declarations = cleanDeclarations(css.slice(open + 1, close));
    if (SELECTOR.test(selector) && declarations) rules.push({ selector, declarations });
    if (rules.length > MAX_RULES) throw new DrawingError('cost', 'a style sheet has too many rules');
    at = close + 1;
  }
  return rules;
}

function closingBrace(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++;
    else if (css[at] === '}' && --depth === 0) return at;
  }
  return css.length;
}

/** Old programs hide style sheets from older browsers in comments of HTML. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const open = text.indexOf('/*', at);
    parts.push(text.slice(at, open < 0 ? undefined : open));
    if (open < 0) break;
    const close = text.indexOf('*/', open + 2);
    if (close < 0) break;
    at = close + 2;
  }
  return parts.join(' ').replace(/<!--|-->/g, ' ');
}
