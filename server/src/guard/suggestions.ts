/**
 * Suggests the number of a limit from the counted slots of the account's messages (decision 43). It reads no messages,
 * and has no suggestion for rules with details that the slots do not have.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { countsSpend, type LimitType } from '@parley/contract/guard/limits.ts';
import {
  COSTLY_TIMES,
  type LimitSuggestion,
  POOR_DELIVERY,
  SUGGESTION_DAYS,
  SUGGESTION_FACTORS,
  type suggestLimit,
} from '@parley/contract/guard/suggestions.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { customPlan, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';

type Rule = Parsed<typeof suggestLimit>['body'];

const MONTH_DAYS = 30;
const MAX_LIMIT = 1_000_000_000_000;
const CENT_MICROS = 10_000;

/** The dimension of the slots whose values a limit counts separately. */
const SEPARATE: Partial<Record<LimitType, string>> = {
  messages_per_sender: 'sender',
  messages_per_key: 'key',
  spend_per_key: 'key',
  spend_per_user: 'user',
  spend_per_campaign: 'campaign',
};

interface Figures {
  until_date: string | null;
  currency: LimitSuggestion['currency'];
  intervals: number;
  highest: number | null;
  highest_date: string | null;
}

export async function suggest(db: Queryable, actor: Actor, input: Rule): Promise<LimitSuggestion> {
  const { currency } = await db.one<Pick<Figures, 'currency'>>(
    sql`select currency from balances where account_id = ${actor.account_id}`,
  );
  const nothing = {
    days: SUGGESTION_DAYS,
    until_date: null,
    intervals: 0,
    currency,
    highest: null,
    highest_date: null,
    risk: null,
  };
  if (!isCounted(input)) return { ...nothing, suggested: null, reason: 'rule' };
  if (countsSpend(input.type) && !seesSpend(actor.permissions))
    return { ...nothing, suggested: null, reason: 'permission' };
  const figures = await db.one<Omit<Figures, 'currency'>>(customPlan(readFigures(actor.account_id, input)));
  if (figures.highest === null) return { ...nothing, ...figures, suggested: null, reason: 'no_traffic' };
  const risk = await readRisk(db, actor, input);
  const suggested = roundUp(figures.highest * SUGGESTION_FACTORS[risk?.level ?? 'low'], input.type);
  return { ...nothing, ...figures, suggested, reason: null, risk };
}

interface CountryFigures {
  country: string;
  messages: number;
  delivered: number;
  cost: number;
  usual_cost: number;
}

/** A country is riskier if its messages cost much more than the account's others, or are rarely delivered. */
async function readRisk(
  db: Queryable,
  { account_id, permissions }: Actor,
  { channels, countries = [] }: Rule,
): Promise<LimitSuggestion['risk']> {
  if (countries.length === 0) return null;
  const rows = await db.rows<CountryFigures>(
    customPlan(sql`
      with counted as (
        select c.value as country, sum(c.messages - c.received) as messages, sum(c.delivered) as delivered,
               sum(c.spend_micros) as spend
        from message_count_marks k
        join message_counts c on c.account_id = k.account_id and c.dimension = 'country'
          and c.slot >= k.counted_until - ${`${SUGGESTION_DAYS} days`}::interval and c.slot < k.counted_until
        where k.account_id = ${account_id} and c.channel = any(${channels ?? [PHONE_CHANNEL]}::text[])
        group by 1
      )
      select country, messages::int, delivered::int, spend::float8 / messages as cost,
             (select sum(spend)::float8 / sum(messages) from counted) as usual_cost
      from counted where country = any(${countries}::text[]) and messages > 0`),
  );
  const risks = rows.map(({ country, messages, delivered, cost, usual_cost }) => {
    const cost_times = usual_cost > 0 ? cost / usual_cost : 1;
    const share = delivered / messages;
    const signs = Number(cost_times >= COSTLY_TIMES) + Number(share < POOR_DELIVERY);
    return { signs, cost_times, country, delivered: share };
  });
  const [worst] = risks.sort((a, b) => b.signs - a.signs || b.cost_times - a.cost_times);
  if (!worst) return null;
  const { signs, cost_times, country, delivered } = worst;
  const level = (['low', 'elevated', 'high'] as const)[signs]!;
  return { level, country, cost_times: seesSpend(permissions) ? cost_times : null, delivered };
}

/** Slots are quarters of an hour, by one property of the messages at a time, without the recipient. */
const isCounted = ({ type, interval, countries = [], prefixes = [] }: Rule): boolean =>
  interval !== 'minute' &&
  type !== 'messages_per_recipient' &&
  type !== 'messages_per_address' &&
  prefixes.length === 0 &&
  (countries.length === 0 || SEPARATE[type] === undefined);

function readFigures(account_id: string, { type, interval, channels, countries = [] }: Rule): Sql {
  const separate = SEPARATE[type];
  const dimension = separate ?? (countries.length > 0 ? 'country' : 'source');
  const amount = countsSpend(type) ? raw('sum(c.spend_micros)') : raw('sum(c.messages - c.received)');
  const start =
    interval === 'month'
      ? sql`k.counted_until - ${`${SUGGESTION_DAYS} days`}::interval`
      : sql`date_trunc(${interval}, c.slot at time zone 'UTC') at time zone 'UTC'`;
  const scale = interval === 'month' ? MONTH_DAYS / SUGGESTION_DAYS : 1;
  return sql`
    with used as (
      select ${start} as start, ${amount} * ${scale}::int as used
      from message_count_marks k
      join message_counts c on c.account_id = k.account_id and c.dimension = ${dimension}
        and c.slot >= k.counted_until - ${`${SUGGESTION_DAYS} days`}::interval and c.slot < k.counted_until
      where k.account_id = ${account_id} and c.channel = any(${channels ?? [PHONE_CHANNEL]}::text[])
        and (${countries}::text[] = '{}' or c.value = any(${countries}::text[]))
        and ${separate ? sql`c.value <> ''` : sql`c.value <> 'phone_app'`}
      group by 1, ${separate ? raw('c.value') : raw(`''::text`)}
    )
    select (select counted_until from message_count_marks where account_id = ${account_id}) as until_date,
           count(*)::int as intervals, max(used)::bigint as highest,
           ${interval === 'month' ? raw('null') : raw('(array_agg(start order by used desc, start desc))[1]')}
             as highest_date
    from used where used > 0`;
}

/** Rounds up to two digits, and amounts of money to whole cents. */
export function roundUp(amount: number, type: LimitType): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1);
  const unit = countsSpend(type) ? Math.max(step, CENT_MICROS) : step;
  return Math.min(Math.ceil(amount / unit) * unit, MAX_LIMIT);
}
