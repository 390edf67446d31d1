/** Breaks long lines of SQL. Quoted text, function bodies, and comments stay unchanged. */
const WIDTH = 120;

/** Words that start a new line, with the best break first. The last entry allows a break at any space. */
const BREAKS = [/^(?:where|using|check|references|foreign key|as|for each)\b/, /^(?:and|or)\b/, /^/];

export function wrapLines(text: string): string {
  let isBody = false;
  const lines = text.split('\n').map((line) => {
    const isPlain = !isBody && !/^\s*--/.test(line);
    if ((line.match(/\$\w*\$/g) ?? []).length % 2 === 1) isBody = !isBody;
    return isPlain ? wrap(line, `${/^ */.exec(line)![0]}  `) : line;
  });
  return lines.join('\n');
}

function wrap(line: string, indent: string): string {
  if (line.length <= WIDTH) return line;
  const spaces = findSpaces(line).filter((at) => at > indent.length && at <= WIDTH);
  for (const words of BREAKS) {
    const at = spaces.findLast((space) => words.test(line.slice(space + 1)));
    if (at !== undefined) return `${line.slice(0, at)}\n${wrap(indent + line.slice(at + 1), indent)}`;
  }
  return line;
}

/** Returns the positions of spaces outside quotes. */
const findSpaces = (line: string): number[] =>
  [...line.matchAll(/'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$.*?(?:\$\1\$|$)| /g)]
    .filter(([match]) => match === ' ')
    .map(({ index }) => index);
