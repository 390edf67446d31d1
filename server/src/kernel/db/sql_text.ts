/** Splits the text of a migration into its statements. */

/** A comment, a quoted name, a string, or a dollar-quoted string. A semicolon inside does not end a statement. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|'(?:[^']|'')*'|(\$(?:[a-z_]\w*)?\$)[\s\S]*?\1/gi;

/** Returns the statements without their semicolons. Text without code, such as a comment, is skipped. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let code = '';
  const add = (end: number) => {
    if (code.trim()) statements.push(text.slice(start, end).trim());
    start = end + 1;
    code = '';
  };
  const addCode = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      if (text[at] === ';') add(at);
      else code += text[at];
    }
  };
  let read = 0;
  for (const match of text.matchAll(OPAQUE)) {
    addCode(read, match.index);
    if (!/^(--|\/\*)/.test(match[0])) code += match[0];
    read = match.index + match[0].length;
  }
  addCode(read, text.length);
  add(text.length);
  return statements;
}

/** Removes comments and joins the lines, so that patterns can match a statement. */
export const withoutComments = (statement: string): string =>
  statement
    .replace(OPAQUE, (part) => (/^(--|\/\*)/.test(part) ? ' ' : part))
    .replace(/\s+/g, ' ')
    .trim();
