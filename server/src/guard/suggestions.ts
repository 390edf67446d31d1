/**
 * Suggests the number of a limit from the counted slots of the account's messages (decision 43). It reads no messages,
 * and has no suggestion for rules with details that the slots do not have.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { countsSpend, type LimitType } from '@parley/contract/guard/limits.ts';
import {
  type LimitSuggestion,
  SUGGESTION_DAYS,
  SUGGESTION_FACTOR,
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
  };
  if (!isCounted(input)) return { ...nothing, suggested: null, reason: 'rule' };
  if (countsSpend(input.type) && !seesSpend(actor.permissions))
    return { ...nothing, suggested: null, reason: 'permission' };
  const figures = await db.one<Omit<Figures, 'currency'>>(customPlan(readFigures(actor.account_id, input)));
  if (figures.highest === null) return { ...nothing, ...figures, suggested: null, reason: 'no_traffic' };
  return { ...nothing, ...figures, suggested: roundUp(figures.highest * SUGGESTION_FACTOR, input.type), reason: null };
}

/** Slots are quarters of an hour, by one property of the messages at a time, without the recipient. */
const isCounted = ({ type, interval, countries = [], prefixes = [] }: Rule): boolean =>
  interval !== 'minute' &&
  type !== 'messages_per_recipient' &&
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
