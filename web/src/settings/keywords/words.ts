/** Keywords in words: "JOIN, join us · opts in, replies · 2 senders, Germany". */
import type { KeywordEffect, KeywordMatch, KeywordMatching } from '@parley/contract/audiences/keyword_matching.ts';
import type { KeywordKind } from '@parley/contract/audiences/keyword_words.ts';
import type { Keyword } from '@parley/contract/audiences/keywords.ts';
import { formatCount } from '../../ui/data/format.ts';
import { countryName } from '../../ui/form/countries.ts';

export const KIND_TITLES: Record<KeywordKind, string> = { stop: 'STOP', start: 'START', help: 'HELP' };

export const MATCH_LABELS: Record<KeywordMatching, string> = {
  exact: 'The message is the keyword',
  starts_with: 'The message starts with the keyword',
  contains: 'The message contains the keyword',
};
const MATCH_WORDS: Record<KeywordMatching, string> = {
  exact: '',
  starts_with: 'at the start',
  contains: 'anywhere in the message',
};

export const EFFECT_LABELS: Record<KeywordEffect, string> = {
  none: 'Only reply or add labels',
  opt_out: 'Opt out: add to the sender’s stop list',
  opt_in: 'Opt in: remove from the stop list and record the consent',
  automation: 'Only start automations, without a reply',
};

export const keywordName = ({ words }: Pick<Keyword, 'words'>): string => words.join(', ');

const EFFECT_WORDS: Record<KeywordEffect, string[]> = {
  none: [],
  opt_out: ['opts out'],
  opt_in: ['opts in'],
  automation: ['starts automations'],
};

/** The effect of the keyword and its conditions. */
export function keywordLine({ match, effect, reply, label_ids, sender_ids, countries }: Keyword): string {
  const what = [
    ...EFFECT_WORDS[effect],
    ...(reply !== null || effect === 'opt_out' || effect === 'opt_in' ? ['replies'] : []),
    ...(label_ids.length > 0 ? [`adds ${formatCount(label_ids.length, 'label')}`] : []),
  ].join(', ');
  const where = [
    MATCH_WORDS[match],
    sender_ids.length > 0 ? formatCount(sender_ids.length, 'sender') : '',
    countries.length > 3
      ? formatCount(countries.length, 'country', 'countries')
      : countries.map(countryName).join(', '),
  ].filter((part) => part !== '');
  return [what.charAt(0).toUpperCase() + what.slice(1), ...where].join(' · ');
}

/** The effect on a message. */
export function matchText({ kind, rule }: KeywordMatch<Keyword>): { title: string; text: string } {
  const title = rule ? `Your keyword “${keywordName(rule)}”` : KIND_TITLES[kind as KeywordKind];
  const change = {
    stop: 'The person is added to the sender’s stop list.',
    start: rule
      ? 'The person opts in: their own opt-out is removed, and the consent is recorded.'
      : 'The person’s own opt-out is removed.',
    help: 'Nothing changes.',
    custom: 'The stop list does not change.',
  }[kind];
  const reply = rule?.reply ?? null;
  const answer =
    reply !== null
      ? `The reply is: ${reply}`
      : kind === 'custom'
        ? 'There is no reply.'
        : `The reply is the sender’s text for ${KIND_TITLES[kind]}.`;
  return { title, text: `${change} ${answer}` };
}
