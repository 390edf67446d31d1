/**
 * WhatsApp text formatting: *bold*, _italic_ and ~strikethrough~, which can be nested, and `code`. Marks within a word
 * are ignored.
 */
import { h } from '../ui/dom.js';

const stylePattern = (sign) =>
  `(?<![\\p{L}\\p{N}_*~])[${sign}](?![\\s${sign}])[^${sign}\\n]*?(?<!\\s)[${sign}](?![\\p{L}\\p{N}_*~])`;
const marks = new RegExp(`(\`\`\`[\\s\\S]+?\`\`\`|\`[^\`\\n]+\`|${['*', '_', '~'].map(stylePattern).join('|')})`, 'u');
const tags = { '*': 'b', _: 'i', '~': 's' };

/** Returns the formatted text as nodes. */
export function formatText(text) {
  return text.split(marks).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part[0] === '`') return h('code', {}, part.replace(/^`+|`+$/g, ''));
    return h(tags[part[0]], {}, ...formatText(part.slice(1, -1)));
  });
}
