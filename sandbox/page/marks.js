// WhatsApp's marks in a text: *bold*, _italic_, ~struck~, also within one another, and code between backticks. Never within a word.
import { h } from './dom.js';

const styled = (sign) =>
  `(?<![\\p{L}\\p{N}_*~])[${sign}](?![\\s${sign}])[^${sign}\\n]*?(?<!\\s)[${sign}](?![\\p{L}\\p{N}_*~])`;
const marks = new RegExp(`(\`\`\`[\\s\\S]+?\`\`\`|\`[^\`\\n]+\`|${['*', '_', '~'].map(styled).join('|')})`, 'u');
const tags = { '*': 'b', _: 'i', '~': 's' };

/** The text as nodes. */
export function marked(text) {
  return text.split(marks).map((part, at) => {
    if (at % 2 === 0) return part;
    if (part[0] === '`') return h('code', {}, part.replace(/^`+|`+$/g, ''));
    return h(tags[part[0]], {}, ...marked(part.slice(1, -1)));
  });
}
