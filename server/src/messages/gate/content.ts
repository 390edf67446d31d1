/**
 * Applies the operators' content rules where messages are accepted. A message whose rule holds it is accepted and
 * charged like any other, but its queue row has the stage `review`, so that no worker claims it before an operator
 * releases it.
 */
import { CONTENT_KIND_WORDS } from '@parley/contract/guard/content_rules.ts';
import { messageReviewsChanged, messagesHeld } from '@parley/contract/guard/review_events.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import {
  byWeight,
  type CompiledRule,
  contentTexts,
  countLinks,
  type RuleMatch,
  readRulesFor,
  TextMatcher,
} from '../../guard/guard.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { FallbackStep } from '../model/fallback_steps.ts';
import { timelineTime } from '../model/status_fold.ts';
import { type Passed, type Refused, refusalProblem } from './recipients.ts';

interface Checking {
  readonly request: {
    readonly account_id: string;
    readonly channel: string;
    readonly refusal: 'throw' | 'skip';
    readonly recipients: readonly { readonly to: string }[];
  };
  readonly sender: { readonly id: string; readonly create_date: string };
  readonly content: Content | null;
  readonly message: { readonly personal?: readonly { readonly content: Content | null }[] | undefined };
}

/** Three lists in the same order. */
interface Checked<O> {
  readonly passed: readonly Passed[];
  readonly origins: readonly O[] | null;
  readonly steps: FallbackStep[][] | null;
}

/** Throws CONTENT_REFUSED if the request must be accepted as a whole and a rule refuses a message. */
export async function checkContent<O>(
  tx: Tx,
  kernel: { db: Db },
  { request, sender, content, message }: Checking,
  checked: Checked<O>,
): Promise<Checked<O> & { refused: Refused[] }> {
  const { account_id, channel } = request;
  const { passed, origins, steps } = checked;
  if (passed.length === 0) return { ...checked, refused: [] };
  const matchers = await loadMatchers(tx, kernel, account_id, [channel, ...stepChannels(steps)]);
  if (matchers.size === 0) return { ...checked, refused: [] };
  const shared = contentTexts(content);
  const found = passed.map(({ index, text, written, country }, n) => {
    const own = message.personal?.[index]?.content;
    const others = [...(written === undefined ? [] : [written]), ...(own ? contentTexts(own) : shared)];
    const matches = matchers.get(channel)?.find({ text, others }, country) ?? [];
    const later = (steps?.[n] ?? []).flatMap(
      (step) => matchers.get(step.channel)?.find({ text: '', others: stepTexts(step) }, country) ?? [],
    );
    return later.length === 0 ? matches : mergeMatches([...matches, ...later]);
  });
  if (found.every((matches) => matches.length === 0)) return { ...checked, refused: [] };
  const counted = await keepCounted(tx, account_id, sender, found);
  const strictest = counted.map((matches) => matches.sort(byWeight)[0] ?? null);
  const refused = passed.flatMap(({ index }, n): Refused[] => {
    const first = strictest[n];
    if (first?.rule.action !== 'refuse') return [];
    return [{ index, number: request.recipients[index]?.to ?? passed[n]!.number, ...refusal(first) }];
  });
  if (refused.length > 0 && request.refusal === 'throw') throw refusalProblem(refused);
  const kept = [...passed.keys()].filter((n) => strictest[n]?.rule.action !== 'refuse');
  return {
    passed: kept.map((n) => {
      const first = strictest[n];
      return first
        ? { ...passed[n]!, review: { rule: first.rule, matches: counted[n]!.flatMap(({ matches }) => matches) } }
        : passed[n]!;
    }),
    origins: origins && kept.map((n) => origins[n]!),
    steps: steps && kept.map((n) => steps[n]!),
    refused,
  };
}

const refusal = ({ rule: { kind }, matches: [first] }: RuleMatch): Pick<Refused, 'code' | 'message'> => {
  const what = kind === 'links' || kind === 'words' ? ` (${first!.what})` : '';
  return { code: 'CONTENT_REFUSED', message: `The message contains ${CONTENT_KIND_WORDS[kind].customer}${what}` };
};

const stepChannels = (steps: FallbackStep[][] | null): string[] =>
  (steps ?? []).flatMap((own) => own.map(({ channel }) => channel));
const stepTexts = ({ text, content }: FallbackStep): string[] => [text, ...contentTexts(content)];

/** Returns the matcher of each channel that has rules. */
export async function loadMatchers(
  tx: Tx,
  kernel: { db: Db },
  account_id: string,
  channels: readonly string[],
): Promise<Map<string, TextMatcher>> {
  const matchers = new Map<string, TextMatcher>();
  for (const channel of new Set(channels)) {
    const rules: readonly CompiledRule[] = await readRulesFor(kernel, tx, account_id, channel);
    if (rules.length > 0) matchers.set(channel, new TextMatcher(rules));
  }
  return matchers;
}

/** The same rule can match the text and a fallback. */
function mergeMatches(all: readonly RuleMatch[]): RuleMatch[] {
  const byRule = Map.groupBy(all, ({ rule }) => rule.id);
  return [...byRule.values()].map((same) => ({
    rule: same[0]!.rule,
    matches: same.flatMap(({ matches }) => matches),
  }));
}

const DAY_MS = 86_400_000;

/** Counts the messages with links of a new sender, and drops the matches below the number that a rule allows. */
async function keepCounted(
  tx: Tx,
  account_id: string,
  { id, create_date }: Checking['sender'],
  found: readonly RuleMatch[][],
): Promise<RuleMatch[][]> {
  const age_days = (tx.now.getTime() - Date.parse(`${create_date.replace(' ', 'T')}Z`)) / DAY_MS;
  const isNew = ({ rule }: RuleMatch) => rule.kind === 'new_sender' && age_days < (rule.sender_days ?? 0);
  const linked = found.filter((matches) => matches.some(isNew)).length;
  const before = linked === 0 ? 0 : (await countLinks(tx, account_id, id, linked)) - linked;
  let place = before;
  return found.map((matches) => {
    if (matches.some(isNew)) place++;
    return matches.filter(
      (match) => match.rule.kind !== 'new_sender' || (isNew(match) && place > (match.rule.links_per_hour ?? 0)),
    );
  });
}

interface StoredBatch {
  readonly account_id: string;
  readonly campaign_id?: string | null;
  readonly ids: readonly string[];
  readonly people: readonly Pick<Passed, 'review'>[];
}

/** Holds the batch's messages awaiting review, and lists those that a rule only reports. */
export async function storeReviews(tx: Tx, batch: StoredBatch): Promise<void> {
  const matched = batch.people.flatMap(({ review }, n) => (review ? [{ ...review, id: batch.ids[n]! }] : []));
  if (matched.length === 0) return;
  const held = matched.filter(({ rule }) => rule.action === 'hold');
  const noted = [
    ...Map.groupBy(
      matched.filter(({ rule }) => rule.action === 'notify'),
      ({ rule }) => rule.id,
    ).values(),
  ].map((same) => ({ ...same[0]!, count: same.length }));
  await insertReviews(tx, batch, [
    ...held.map((one) => ({ ...one, count: 1, state: 'waiting' })),
    ...noted.map((one) => ({ ...one, state: 'noted' })),
  ]);
  if (held.length > 0) {
    await hold(tx, batch.account_id, held);
    emit(tx, messagesHeld, batch.account_id, {
      ...{ count: held.length, campaign_id: batch.campaign_id ?? null },
      message_ids: held.map(({ id }) => id),
    });
  }
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, messageReviewsChanged, id, { held: held.length });
}

type NewReview = NonNullable<Passed['review']> & { id: string; count: number; state: string };

const insertReviews = (tx: Tx, { account_id, campaign_id = null }: StoredBatch, rows: readonly NewReview[]) =>
  tx.run(sql`
    insert into message_reviews (account_id, message_id, rule_id, rule_name, kind, state, message_count, campaign_id,
      matches, create_date)
    select ${account_id}::uuid, id, rule_id, rule_name, kind, state, count, ${campaign_id}::uuid, matches, ${tx.now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ rule }) => rule.id)}::uuid[],
                ${rows.map(({ rule }) => rule.name)}::text[], ${rows.map(({ rule }) => rule.kind)}::text[],
                ${rows.map(({ state }) => state)}::text[], ${rows.map(({ count }) => count)}::int[],
                ${rows.map(({ matches }) => JSON.stringify(matches))}::jsonb[])
      as t(id, rule_id, rule_name, kind, state, count, matches)
    on conflict (account_id, message_id) do update set
      rule_id = excluded.rule_id, rule_name = excluded.rule_name, kind = excluded.kind, state = excluded.state,
      matches = excluded.matches, reason = null, reviewer_id = null, create_date = excluded.create_date,
      decide_date = null, mail_date = null`);

/** A fallback must not start while its message waits, so its timer starts with the release. */
async function hold(tx: Tx, account_id: string, held: readonly { id: string; rule: RuleMatch['rule'] }[]) {
  const ids = held.map(({ id }) => id);
  const texts = held.map(
    ({ rule }) => `Held for review: the message contains ${CONTENT_KIND_WORDS[rule.kind].customer}`,
  );
  await tx.run(sql`
    with queue as (
      update dispatch set stage = 'review'
      where account_id = ${account_id} and message_id = any(${ids}::uuid[]) and stage = 'queued'
    ), timers as (
      update fallbacks set due_date = null where account_id = ${account_id} and message_id = any(${ids}::uuid[])
    )
    update messages m set marks = coalesce(m.marks, '{}') || '{"review": "waiting"}',
      timeline = m.timeline || jsonb_build_array(jsonb_build_object(
        'at', ${timelineTime(tx.now)}::text, 'status', m.status, 'source', 'gate', 'text', t.text))
    from unnest(${ids}::uuid[], ${texts}::text[]) as t(id, text)
    where m.account_id = ${account_id} and m.id = t.id`);
}
