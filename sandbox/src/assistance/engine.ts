/**
 * A stand-in for a language model: a small program that works on the given text with word lists and rules, always with
 * the same result. It is not a language model and knows nothing beyond its lists. The first line of the system message
 * names the task, and the user message is JSON.
 */
import { type Line, suggest, summarize } from './reading.ts';
import { befriend, formalize, shorten } from './rewriting.ts';
import { correct } from './spelling.ts';
import { isKnownLanguage, translate } from './translating.ts';

export const MODEL = 'sandbox-text-rules';

export class EngineError extends Error {}

export function run(system: string, user: string): string {
  const [, task, language = ''] = /^Task: (\w+)(?: (\w+))?$/m.exec(system) ?? [];
  const { conversation, draft } = readInput(user);
  switch (task) {
    case 'suggest':
      return suggest(conversation, draft);
    case 'summarize':
      return summarize(conversation);
    case 'shorter':
      return shorten(draft);
    case 'friendlier':
      return befriend(draft);
    case 'formal':
      return formalize(draft);
    case 'spelling':
      return correct(draft);
    case 'translate_draft':
      return translate(draft, requireLanguage(language));
    case 'translate_thread':
      return conversation.map(({ text }) => translate(text, requireLanguage(language))).join('\n\n');
    default:
      throw new EngineError('The sandbox knows only the tasks of Parley: it is not a language model.');
  }
}

function requireLanguage(language: string) {
  if (isKnownLanguage(language)) return language;
  throw new EngineError('The sandbox translates only between English, German, Spanish, and French.');
}

function readInput(user: string): { conversation: Line[]; draft: string } {
  try {
    const { conversation = [], draft = '' } = JSON.parse(user) as { conversation?: Line[]; draft?: string };
    return { conversation: conversation.map(({ from, text }) => ({ from, text: String(text) })), draft: String(draft) };
  } catch {
    throw new EngineError('The user message must be JSON.');
  }
}

/** About four bytes are one token. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
