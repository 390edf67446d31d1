/** The warnings about content rules: messages that will wait for review, or will not be accepted. */
import { CONTENT_KIND_WORDS } from '@parley/contract/guard/content_rules.ts';
import {
  byWeight,
  type CheckedText,
  contentTexts,
  type RuleMatch,
  readRulesFor,
  TextMatcher,
} from '../../guard/guard.ts';
import type { Db, Queryable } from '../../kernel/db/db.ts';
import type { ReadyStep } from '../draft/fallbacks.ts';
import type { Writer } from '../draft/writer.ts';
import type { Estimate } from './estimate.ts';

/** A message in one of the countries that the strictest rule holds or refuses. */
export interface HeldContent {
  readonly match: RuleMatch;
  readonly recipients: number;
}

interface Checked {
  readonly account_id: string;
  readonly channel: string;
  readonly writer: Writer | null;
  readonly steps: readonly ReadyStep[];
  readonly sender: { readonly create_date: string } | null;
}

const DAY_MS = 86_400_000;

/**
 * Matches the text that all recipients share, without their own data. A rule about new senders counts the messages of
 * this campaign only.
 */
export async function findHeldContent(
  db: Queryable,
  kernel: { db: Db },
  { account_id, channel, writer, steps, sender }: Checked,
  { cost }: Pick<Estimate, 'cost'>,
  now: Date,
): Promise<HeldContent[]> {
  if (!writer || cost.length === 0) return [];
  const messages = [{ channel, writer }, ...steps];
  const checks: { matcher: TextMatcher; text: CheckedText }[] = [];
  for (const { channel: name, writer: own } of messages) {
    const { text, content } = own.message;
    const rules = await readRulesFor(kernel, db, account_id, name);
    if (rules.length > 0)
      checks.push({ matcher: new TextMatcher(rules), text: { text, others: contentTexts(content) } });
  }
  const age_days = sender ? (now.getTime() - Date.parse(`${sender.create_date.replace(' ', 'T')}Z`)) / DAY_MS : 0;
  const total = cost.reduce((all, { recipients }) => all + recipients, 0);
  const applies = ({ rule: { kind, action, sender_days, links_per_hour } }: RuleMatch) =>
    action !== 'notify' && (kind !== 'new_sender' || (age_days < (sender_days ?? 0) && total > (links_per_hour ?? 0)));
  return cost.flatMap(({ country, recipients }) => {
    const found = checks.flatMap(({ matcher, text }) => matcher.find(text, country)).filter(applies);
    const [match] = found.sort(byWeight);
    return match ? [{ match, recipients }] : [];
  });
}

const OUTCOMES = { hold: 'will wait until an operator reviews it', refuse: 'will not be accepted' } as const;

/** One text for each kind of rule and each action. */
export function describeHeldContent(held: readonly HeldContent[], total: number): string[] {
  const groups = Map.groupBy(held, ({ match: { rule } }) => `${rule.action} ${rule.kind}`);
  return [...groups.values()].map((same) => {
    const { rule } = same[0]!.match;
    const count = same.reduce((all, { recipients }) => all + recipients, 0);
    const whom = count === total ? '' : ` to ${count.toLocaleString('en-US')} of the recipients`;
    const outcome = OUTCOMES[rule.action === 'refuse' ? 'refuse' : 'hold'];
    return `The message${whom} ${outcome}, because it contains ${CONTENT_KIND_WORDS[rule.kind].customer}`;
  });
}
