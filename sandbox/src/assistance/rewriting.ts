/** Rewrites English texts by rules: shorter, friendlier, formal, and with corrected spelling. */
import { replacePhrases, sentences, tidy } from './sentences.ts';

const FILLERS = [
  ...['just', 'really', 'very', 'actually', 'basically', 'simply', 'quite', 'of course', 'as you may know', 'kind of'],
  ...['please note that', 'i would like to inform you that', 'we would like to inform you that', 'to be honest'],
  ...['i just wanted to let you know that', 'at this point in time', 'in my opinion', 'needless to say', 'literally'],
];
const SHORTER: [string, string][] = [
  ...FILLERS.map((filler): [string, string] => [filler, '']),
  ['in order to', 'to'],
  ['due to the fact that', 'because'],
  ['in the event that', 'if'],
  ['as soon as possible', 'soon'],
  ['at the moment', 'now'],
  ['with regard to', 'about'],
  ['a large number of', 'many'],
  ['is able to', 'can'],
  ['are able to', 'can'],
  ['thank you very much', 'thanks'],
  ['thank you', 'thanks'],
  ['do not hesitate to', ''],
  ['i am', "I'm"],
  ['we are', "we're"],
  ['we will', "we'll"],
  ['it is', "it's"],
  ['do not', "don't"],
  ['cannot', "can't"],
];
const POLITE_ENDING =
  /^(?:please )?(?:feel free|let (?:us|me) know|if you have any|have a (?:nice|great|good)|we look forward)/i;

/** Removes fillers, asides, and polite endings. A text without any of them loses its last sentence if it has three. */
export function shorten(text: string): string {
  const plain = tidy(replacePhrases(text.replace(/\s*\([^)]*\)/g, ''), SHORTER));
  const kept = sentences(plain).filter((sentence, n) => n === 0 || !POLITE_ENDING.test(sentence));
  const short = tidy(kept.join(' '));
  return short.length < text.trim().length || kept.length < 3 ? short : tidy(kept.slice(0, -1).join(' '));
}

const FRIENDLY: [string, string][] = [
  ['you must', 'could you please'],
  ['you have to', 'could you please'],
  ['you need to', 'could you please'],
  ['we cannot', "unfortunately, we can't"],
  ['we can not', "unfortunately, we can't"],
  ["we can't", "unfortunately, we can't"],
  ['not possible', "not possible right now, I'm sorry"],
  ['send me', 'could you send me'],
  ['wait', 'please bear with us'],
  ['regards', 'warm regards'],
  ['dear', 'hi'],
];
const GREETING = /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b/i;
const THANKS = /\b(?:thank|thanks)\b/i;

export function befriend(text: string): string {
  const body = tidy(replacePhrases(text, FRIENDLY).replace(/could you please ([^.!?]*)[.!]/gi, 'could you please $1?'));
  const start = GREETING.test(body) ? '' : 'Hi! ';
  const end = THANKS.test(body) ? '' : ' Thank you, and let us know if we can help with anything else!';
  return `${start}${body}${end}`;
}

const FORMAL: [string, string][] = [
  ...[
    ["can't", 'cannot'],
    ["won't", 'will not'],
    ["don't", 'do not'],
    ["doesn't", 'does not'],
    ["didn't", 'did not'],
    ["isn't", 'is not'],
    ["aren't", 'are not'],
    ["haven't", 'have not'],
    ["i'm", 'I am'],
    ["i'll", 'I will'],
    ["i've", 'I have'],
    ["we're", 'we are'],
    ["we'll", 'we will'],
    ["we've", 'we have'],
    ["you're", 'you are'],
    ["you'll", 'you will'],
    ["it's", 'it is'],
    ["that's", 'that is'],
    ["let's", 'let us'],
  ].map((pair) => pair as [string, string]),
  ['hi', 'Dear customer'],
  ['hey', 'Dear customer'],
  ['hi there', 'Dear customer'],
  ['thanks', 'thank you'],
  ['ok', 'very well'],
  ['okay', 'very well'],
  ['yeah', 'yes'],
  ['yep', 'yes'],
  ['nope', 'no'],
  ['asap', 'as soon as possible'],
  ['get back to you', 'reply to you'],
  ['sorry', 'we apologize'],
  ['wanna', 'would like to'],
  ['gonna', 'going to'],
  ['guys', 'team'],
  ['cheers', 'Kind regards'],
  ['bye', 'Kind regards'],
];
const EMOJI = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|\ufe0f)*/gu;

export const formalize = (text: string): string =>
  tidy(
    replacePhrases(text, FORMAL)
      .replace(EMOJI, '')
      .replace(/!+/g, '.')
      .replace(/\.{2,}/g, '.'),
  );
