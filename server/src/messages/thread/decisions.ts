/** Explains why the gate accepted a message. The values come from the decision and from the message itself. */
import { CONTENT_KIND_WORDS, type ContentRuleKind } from '@parley/contract/guard/content_rules.ts';
import type { ReviewState } from '@parley/contract/guard/message_reviews.ts';
import { type BatchDecision, GATE_RULES, type GateRule, type RuleCheck } from '@parley/contract/messages/decisions.ts';
import type { MessageDetail } from '@parley/contract/messages/details.ts';
import { MAX_SEGMENTS } from '@parley/contract/messages/messages.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';

type Explained = Pick<
  MessageDetail,
  | 'account_id'
  | 'id'
  | 'create_date'
  | 'hold_id'
  | 'to'
  | 'country'
  | 'content'
  | 'encoding'
  | 'segments_count'
  | 'connection_name'
  | 'timeline'
  | 'mccmnc'
  | 'network'
  | 'schedule'
>;

/** Returns no rules for inbound messages and for messages that were accepted before decisions were stored. */
export async function readDecision(db: Queryable, message: Explained): Promise<RuleCheck[]> {
  if (message.hold_id === null) return [];
  const row = await db.maybeOne<{ decision: BatchDecision } & Review>(sql`
    select d.decision, r.kind, r.state from message_decisions d
    left join message_reviews r on r.account_id = d.account_id and r.message_id = ${message.id} and r.state <> 'noted'
    where d.account_id = ${message.account_id} and d.hold_id = ${message.hold_id}`);
  return row ? explain(row.decision, message, row) : [];
}

type Values = RuleCheck['values'];

interface Review {
  readonly kind: ContentRuleKind | null;
  readonly state: ReviewState | null;
}

function explain(decision: BatchDecision, message: Explained, { kind, state }: Review): RuleCheck[] {
  const purpose = message.content?.purpose ?? null;
  const network = explainNetwork(decision, message);
  const moves = message.timeline.flatMap(({ moved }) => moved ?? []);
  // The gate chose the first connection. The message may have moved since then.
  const connection = moves[0]?.from ?? message.connection_name;
  const reason = decision.routes?.[connection ?? ''];
  // Null: the rule does not apply.
  const values: Record<GateRule, Values | null> = {
    account: { status: decision.account_status, trial: decision.trial ? 'yes' : 'no' },
    sender: { ...decision.sender },
    recipient: { number: message.to, country: message.country },
    stop_list: decision.stop_list ? { number: message.to, sender: decision.sender.name } : null,
    session: purpose === null ? null : { purpose },
    length: { segments: message.segments_count, limit: MAX_SEGMENTS, encoding: message.encoding },
    content: kind === null || state === null ? {} : { contains: CONTENT_KIND_WORDS[kind].customer, review: state },
    route: {
      country: message.country,
      countries: [...decision.countries],
      connection,
      ...network,
      ...(reason === undefined ? {} : { reason }),
      ...(moves.length === 0 ? {} : { failover: moves.map(({ from, to }) => `${to}, because ${from} could not send`) }),
    },
    price: { ...network, country: message.country, segments: message.segments_count },
    balance: { messages: decision.messages },
    order: { class: decision.traffic_class, schedule: message.schedule },
  };
  return GATE_RULES.map((rule) => ({
    rule,
    result: values[rule] === null ? 'skipped' : rule === 'content' && kind !== null ? 'held' : 'passed',
    values: values[rule] ?? {},
  }));
}

/** The network that decided the route and the price, and how old the lookup was that found it. */
function explainNetwork({ network_dates }: BatchDecision, { id, mccmnc, network, create_date }: Explained): Values {
  const date = network_dates?.[id];
  if (date === undefined) return { network: network ?? mccmnc, network_from: mccmnc === null ? null : 'number range' };
  return { network: network ?? mccmnc, network_from: 'carrier lookup', lookup_age: formatAge(date, create_date) };
}

const HOUR_MS = 3_600_000;

function formatAge(from: string, to: string): string {
  const hours = Math.floor((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / HOUR_MS);
  const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day');
}
