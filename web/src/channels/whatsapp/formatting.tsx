/** WhatsApp's text formatting. Used by every component that shows the text of a WhatsApp message. */
import type { ReactNode } from 'react';

const styled = (mark: string): string =>
  `(?<![\\p{L}\\p{N}_*~])[${mark}](?![\\s${mark}])[^${mark}\\n]*?(?<!\\s)[${mark}](?![\\p{L}\\p{N}_*~])`;
const ADDRESS = 'https?:\\/\\/\\S+';
const CODE = '```[\\s\\S]+?```|`[^`\\n]+`';
const MARKS = new RegExp(`(${[ADDRESS, CODE, ...['*', '_', '~'].map(styled)].join('|')})`, 'u');

/**
 * Renders `*bold*`, `_italic_`, and `~struck~`, which can be nested, and code between backticks. Marks inside words and
 * URLs are left unchanged.
 */
export function formatText(text: string): ReactNode {
  const parts = text.split(MARKS);
  if (parts.length === 1) return text;
  return parts.map((part, at) => {
    if (at % 2 === 0 || part.startsWith('http')) return part;
    const key = `${at} ${part}`;
    const mark = part[0]!;
    if (mark === '`') return <code key={key}>{part.replace(/^`+|`+$/g, '')}</code>;
    const inside = formatText(part.slice(1, -1));
    if (mark === '*') return <b key={key}>{inside}</b>;
    return mark === '_' ? <i key={key}>{inside}</i> : <s key={key}>{inside}</s>;
  });
}
