/** A rule in one line: "SMS, contains "refund": assign to Orders in turns, reply". */
import type { InboxRule } from '@parley/contract/inbox/rules.ts';
import { channelLabel } from '../../channels/index.ts';
import { formatCount } from '../../ui/data/format.ts';

export interface Names {
  teams: ReadonlyMap<string, string>;
  users: ReadonlyMap<string, string>;
}

export const METHOD_WORDS = { round_robin: 'in turns', least_busy: 'least busy first' } as const;

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

export const languageName = (code: string): string => languages.of(code) ?? code;

export function ruleLine({ conditions, actions }: Pick<InboxRule, 'conditions' | 'actions'>, names: Names): string {
  const { channels, sender_ids, texts, languages: codes, campaign_ids, office_hours } = conditions;
  const when = [
    ...(channels.length > 0 ? [channels.map(channelLabel).join(' or ')] : []),
    ...(sender_ids.length > 0 ? [formatCount(sender_ids.length, 'sender')] : []),
    ...(texts.length > 0 ? [`contains ${texts.map((text) => `"${text}"`).join(' or ')}`] : []),
    ...(codes.length > 0 ? [`in ${codes.map(languageName).join(' or ')}`] : []),
    ...(campaign_ids.length > 0 ? [`replies to ${formatCount(campaign_ids.length, 'campaign')}`] : []),
    ...(office_hours ? [`${office_hours} office hours`] : []),
  ];
  const { assign, label_ids, reply, close } = actions;
  const what = [
    ...(assign ? [assignWords(assign, names)] : []),
    ...(label_ids.length > 0 ? [`add ${formatCount(label_ids.length, 'label')}`] : []),
    ...(reply === null ? [] : ['reply']),
    ...(close ? ['close'] : []),
  ];
  return `${when.join(', ') || 'Every conversation'}: ${what.join(', ') || 'do nothing'}`;
}

function assignWords(assign: NonNullable<InboxRule['actions']['assign']>, { teams, users }: Names): string {
  const { user_id, team_id, method } = assign;
  if (user_id !== null) return `assign to ${users.get(user_id) ?? 'a deleted user'}`;
  return `assign to ${teams.get(team_id ?? '') ?? 'a deleted team'} ${METHOD_WORDS[method]}`;
}
