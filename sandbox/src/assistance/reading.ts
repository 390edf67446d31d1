/** Summarizes conversations, and writes replies that refer to the contact's messages. */
import { sentences, words } from './sentences.ts';

export interface Line {
  from: 'contact' | 'agent';
  text: string;
}

const FREQUENT = new Set(
  (
    'a an and are as at be but by can could do for from had has have hello hi i if in is it its me my no not of on ' +
    'or our please so thank thanks that the their them there they this to was we were what when where which will ' +
    'with would yes you your'
  ).split(' '),
);

/** Returns the sentences with the most common words, in their order, and the last sentence of the contact. */
export function summarize(thread: readonly Line[]): string {
  const all = thread.flatMap(({ from, text }, at) => sentences(text).map((sentence) => ({ from, sentence, at })));
  const counts = new Map<string, number>();
  for (const { sentence } of all)
    for (const word of words(sentence)) if (!FREQUENT.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const score = (sentence: string) => {
    const found = words(sentence).filter((word) => !FREQUENT.has(word));
    return found.reduce((sum, word) => sum + counts.get(word)!, 0) / Math.sqrt(found.length || 1);
  };
  const last = all.findLastIndex(({ from }) => from === 'contact');
  const ranked = all
    .map((one, index) => ({ ...one, index, value: score(one.sentence) + (index === last ? 1_000 : 0) }))
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, 4)
    .sort((a, b) => a.index - b.index);
  const open = all.at(-1)?.from === 'contact' ? 'Open: the contact waits for a reply.' : 'The last message is ours.';
  const lines = ranked.map(({ from, sentence }) => `- ${from === 'contact' ? 'Contact' : 'Agent'}: ${sentence}`);
  return [...lines, `- ${open}`].join('\n');
}

const TOPICS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:open|opening hours|close[ds]?)\b/i, 'our opening hours'],
  [/\b(?:refund|money back|return)\b/i, 'your refund'],
  [/\b(?:deliver\w*|shipment|shipping|parcel|package|arrive\w*)\b/i, 'your delivery'],
  [/\b(?:price|cost|how much)\b/i, 'the price'],
  [/\b(?:table|book\w*|reserv\w*|appointment)\b/i, 'your reservation'],
  [/\b(?:cancel\w*)\b/i, 'your cancellation'],
  [/\b(?:invoice|payment|paid|charge[ds]?)\b/i, 'your payment'],
  [/\border\w*\b/i, 'your order'],
];
const COMPLAINT =
  /\b(?:broken|wrong|bad|late|angry|disappoint\w*|not work\w*|problem|complain\w*|missing|damaged|still)\b/i;
const REFERENCE = /(?:#|\b(?:order|number|reference|no\.?)\s*#?)\s*(\[NUMBER_\d+\]|[A-Z]{0,4}-?\d{3,})/i;

export function suggest(thread: readonly Line[], draft: string): string {
  const reply = thread.findLastIndex(({ from }) => from === 'agent');
  const asked = thread
    .slice(reply + 1)
    .filter(({ from }) => from === 'contact')
    .map(({ text }) => text)
    .join(' ');
  const text = asked || (thread.findLast(({ from }) => from === 'contact')?.text ?? '');
  const topic = TOPICS.find(([pattern]) => pattern.test(text))?.[1];
  const reference = REFERENCE.exec(text)?.[1];
  const isThanks = /\b(?:thank|thanks|thx)\b/i.test(text) && !text.includes('?');
  if (draft.trim() !== '')
    return `${draft.trim().replace(/[,\s]+$/, '')}${/[.!?]$/.test(draft.trim()) ? '' : '.'} ${closing()}`;
  if (isThanks) return "You're welcome! Let us know if we can help with anything else.";
  const about = [topic ?? 'your message', reference ? `(${reference})` : ''].filter(Boolean).join(' ');
  const start = COMPLAINT.test(text)
    ? `We are sorry about the trouble with ${about}.`
    : `Thank you for asking about ${about}.`;
  const next = text.includes('?')
    ? 'We will check this and get back to you shortly.'
    : 'We have noted it and will take care of it.';
  const opening = topic || reference ? start : start.replace('asking about your message', 'writing to us');
  return `Hello! ${opening} ${next}`;
}

const closing = () => 'Let us know if you have any questions.';
