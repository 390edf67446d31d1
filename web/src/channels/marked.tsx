/** Text as WhatsApp shows it, by its own marks. The one reading of them: what is shown of a WhatsApp message anywhere goes through here. */
import type { ReactNode } from 'react';

const styled = (sign: string): string =>
  `(?<![\\p{L}\\p{N}_*~])[${sign}](?![\\s${sign}])[^${sign}\\n]*?(?<!\\s)[${sign}](?![\\p{L}\\p{N}_*~])`;
const AS_IT_IS = 'https?:\\/\\/\\S+';
const CODE = '```[\\s\\S]+?```|`[^`\\n]+`';
const MARKS = new RegExp(`(${[AS_IT_IS, CODE, ...['*', '_', '~'].map(styled)].join('|')})`, 'u');

/** `*bold*`, `_italic_`, `~struck~`, also within one another, and code between backticks; never within a word or an address. */
export function marked(text: string): ReactNode {
  const parts = text.split(MARKS);
  if (parts.length === 1) return text;
  return parts.map((part, at) => {
    if (at % 2 === 0 || part.startsWith('http')) return part;
    const key = `${at} ${part}`;
    const sign = part[0]!;
    if (sign === '`') return <code key={key}>{part.replace(/^`+|`+$/g, '')}</code>;
    const inside = marked(part.slice(1, -1));
    if (sign === '*') return <b key={key}>{inside}</b>;
    return sign === '_' ? <i key={key}>{inside}</i> : <s key={key}>{inside}</s>;
  });
}

/** Words of a message as its channel shows them. */
export const wordsOn = (channel: string, text: string): ReactNode => (channel === 'WHATSAPP' ? marked(text) : text);
