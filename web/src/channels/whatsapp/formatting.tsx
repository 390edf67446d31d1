/** WhatsApp's text formatting. Used by every component that shows the text of a WhatsApp message. */
import { Fragment, type ReactNode } from 'react';

const styled = (mark: string): string =>
  `(?<![\\p{L}\\p{N}_*~])[${mark}](?![\\s${mark}])[^${mark}\\n]*?(?<!\\s)[${mark}](?![\\p{L}\\p{N}_*~])`;
const ADDRESS = '(?:https?:\\/\\/|www\\.)\\S+';
const CODE = '```[\\s\\S]+?```|`[^`\\n]+`';
const MARKS = new RegExp(`(${[ADDRESS, CODE, ...['*', '_', '~'].map(styled)].join('|')})`, 'u');

/**
 * Renders `*bold*`, `_italic_`, and `~struck~`, which can be nested, and code between backticks. Marks inside words and
 * URLs are left unchanged. `plain` renders the text without marks, for example to add links.
 */
export function formatText(text: string, plain: (text: string) => ReactNode = (part) => part): ReactNode {
  const parts = text.split(MARKS);
  if (parts.length === 1) return plain(text);
  return parts.map((part, at) => {
    const key = `${at} ${part}`;
    if (at % 2 === 0 || /^(https?:|www\.)/.test(part)) return <Fragment key={key}>{plain(part)}</Fragment>;
    const mark = part[0]!;
    if (mark === '`') return <code key={key}>{part.replace(/^`+|`+$/g, '')}</code>;
    const inside = formatText(part.slice(1, -1), plain);
    if (mark === '*') return <b key={key}>{inside}</b>;
    return mark === '_' ? <i key={key}>{inside}</i> : <s key={key}>{inside}</s>;
  });
}
