/**
 * The SQL of each subject and operator of the contract's conditions. The types require an entry for each of them. `p`
 * is the person's row.
 */
import type { CONDITION_OPERATORS, ConditionKind, ConditionSubject } from '@parley/contract/audiences/conditions.ts';
import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { raw, type Sql, sql } from '../../kernel/db/db.ts';
import { likePattern, prefixPattern } from '../../kernel/db/list.ts';

/** The context of the expressions of one account. */
export interface Scene {
  account_id: string;
  now: Date;
  /** The account's time zone, which decides when a day begins. */
  timezone: string;
  /** The day in this time zone, as yyyy-MM-dd. */
  today: string;
}

/** The parts of a condition after its validation. */
export interface Comparison {
  value: unknown;
  channel: string | null;
}

const DAY_MS = 86_400_000;

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const text = ({ value }: Comparison): string => String(value).trim();
const texts = ({ value }: Comparison): string[] => (value as string[]).map((one) => one.trim());
const lower = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase());

type Operators<K extends ConditionKind> = Readonly<
  Record<keyof (typeof CONDITION_OPERATORS)[K], (comparison: Comparison, scene: Scene) => Sql>
>;

/** The operators of an expression that is an empty text if there is no value. */
const textOperators = (column: Sql): Operators<'text'> => ({
  is: (c) => sql`lower(${column}) = lower(${text(c)})`,
  is_not: (c) => sql`lower(${column}) <> lower(${text(c)})`,
  contains: (c) => sql`${column} ilike ${likePattern(text(c))}`,
  starts_with: (c) => sql`${column} ilike ${prefixPattern(text(c))}`,
  is_set: () => sql`${column} <> ''`,
  is_empty: () => sql`${column} = ''`,
});

const choiceOperators = (column: Sql, isOneOf: (words: string[]) => Sql): Operators<'choice'> => ({
  is_one_of: (c) => isOneOf(texts(c)),
  is_none_of: (c) => sql`not (${isOneOf(texts(c))})`,
  is_set: () => sql`${column} <> ''`,
  is_empty: () => sql`${column} = ''`,
});

const equalsAny = (column: Sql) => (words: string[]) => sql`${column} = any(${words}::text[])`;
const equalsAnyIgnoringCase = (column: Sql) => (words: string[]) =>
  sql`lower(${column}) = any(${lower(words)}::text[])`;

const placeOperators = (isOneOf: (words: string[]) => Sql): Operators<'place'> => ({
  is_one_of: (c) => isOneOf(texts(c)),
  is_none_of: (c) => sql`not coalesce((${isOneOf(texts(c))}), false)`,
});

/** Days from `from` until before `until`. */
interface Days {
  from?: string;
  until?: string;
}

const DAYS: Readonly<
  Record<keyof (typeof CONDITION_OPERATORS)['moment'] | 'in_next_days', (c: Comparison, s: Scene) => Days>
> = {
  on: ({ value }) => ({ from: String(value), until: addDays(String(value), 1) }),
  before: ({ value }) => ({ until: String(value) }),
  after: ({ value }) => ({ from: addDays(String(value), 1) }),
  in_last_days: ({ value }, { today }) => ({ from: addDays(today, -Number(value)), until: addDays(today, 1) }),
  in_next_days: ({ value }, { today }) => ({ from: today, until: addDays(today, Number(value) + 1) }),
};

function momentOperators(column: Sql): Operators<'moment'> {
  const during = (name: keyof typeof DAYS) => (comparison: Comparison, scene: Scene) => {
    const { from, until } = DAYS[name](comparison, scene);
    const start = (day: string) => sql`(${day}::date::timestamp at time zone ${scene.timezone}::text)`;
    const parts = [from && sql`${column} >= ${start(from)}`, until && sql`${column} < ${start(until)}`];
    return all(parts.filter((part): part is Sql => !!part));
  };
  return { on: during('on'), before: during('before'), after: during('after'), in_last_days: during('in_last_days') };
}

/** Dates are stored as texts, which sort like dates. */
function dateOperators(column: Sql): Operators<'date'> {
  const during = (name: keyof typeof DAYS) => (comparison: Comparison, scene: Scene) => {
    const { from, until } = DAYS[name](comparison, scene);
    const binary = raw('collate "C"');
    return all([
      sql`${column} <> ''`,
      ...(from ? [sql`${column} ${binary} >= ${from}`] : []),
      ...(until ? [sql`${column} ${binary} < ${until}`] : []),
    ]);
  };
  return {
    ...{ on: during('on'), before: during('before'), after: during('after') },
    ...{ in_last_days: during('in_last_days'), in_next_days: during('in_next_days') },
    is_set: () => sql`${column} <> ''`,
    is_empty: () => sql`${column} = ''`,
  };
}

const all = (parts: readonly Sql[]): Sql => parts.reduce((joined, part) => sql`${joined} and ${part}`);

const tagOperators: Operators<'tags'> = {
  has_any: (c) => anyTag(texts(c)),
  has_all: (c) => all(texts(c).map((tag) => anyTag([tag]))),
  has_none: (c) => sql`not ${anyTag(texts(c))}`,
};
/** Tags that differ only in case are the same. Most people have none, which is quick to see. */
const anyTag = (tags: readonly string[]): Sql => sql`
  (p.tags <> '{}' and exists (select from unnest(p.tags) as t(tag) where lower(t.tag) = any(${lower(tags)}::text[])))`;

const audienceOperators: Operators<'audiences'> = {
  in_any: (c, scene) => inAudiences(texts(c), scene),
  in_none: (c, scene) => sql`not ${inAudiences(texts(c), scene)}`,
};
const inAudiences = (ids: readonly string[], { account_id }: Scene): Sql => sql`
  exists (select from contacts k where k.account_id = ${account_id} and k.number = p.number
    and k.audience_id = any(${ids}::uuid[]))`;

const consentOperators: Operators<'consent'> = {
  given: (c, scene) => isGiven(c, scene),
  not_given: (c, scene) => sql`not ${isGiven(c, scene)}`,
};
/** The last entry for the channel and the purpose decides. A withdrawal from one sender does not withdraw all of it. */
const isGiven = ({ value, channel }: Comparison, { account_id, now }: Scene): Sql => sql`
  coalesce((select n.change = 'given' from consents n
    where n.account_id = ${account_id} and n.number = p.number and n.create_date <= ${now} and n.sender_id is null
      and (n.channel is null or n.channel = ${channel}) and (n.purpose is null or n.purpose = ${String(value)})
    order by n.create_date desc, n.id desc limit 1), false)`;

function activityOperators(
  happened: (comparison: Comparison, scene: Scene, since: Date | null) => Sql,
): Operators<'activity'> {
  const since = ({ value }: Comparison, { now }: Scene) => new Date(now.getTime() - Number(value) * DAY_MS);
  return {
    ever: (c, scene) => happened(c, scene, null),
    never: (c, scene) => sql`not ${happened(c, scene, null)}`,
    in_last_days: (c, scene) => happened(c, scene, since(c, scene)),
    not_in_last_days: (c, scene) => sql`not ${happened(c, scene, since(c, scene))}`,
  };
}

const messageOperators = (condition: Sql): Operators<'activity'> =>
  activityOperators(
    ({ channel }, { account_id }, since) => sql`
      exists (select from messages m where m.account_id = ${account_id} and m.number = p.number and ${condition}
        ${channel === null ? sql`` : sql`and m.channel = ${channel}`}
        ${since === null ? sql`` : createdSince(since)})`,
  );

const createdSince = (since: Date): Sql => sql`
  and m.id >= ${idAt(since.getTime() - ID_MARGIN_MS)}::uuid and m.create_date >= ${since}`;

const statusOperators = (statuses: readonly string[]): Operators<'activity'> =>
  messageOperators(sql`m.direction = 'MT' and m.status = any(${statuses}::text[])`);

const clickOperators = activityOperators(
  (_, { account_id }, since) => sql`
    exists (select from link_clicks c where c.account_id = ${account_id} and c.number = p.number and c.kind = 'person'
      ${since === null ? sql`` : sql`and c.click_date >= ${since}`})`,
);

type AnyOperators = Readonly<Record<string, (comparison: Comparison, scene: Scene) => Sql>>;

const network = (words: string[]): Sql => sql`
  (select n.mccmnc from network_prefixes n
   where n.prefix = any(array(select left(p.number, x) from generate_series(1, length(p.number)) x))
   order by length(n.prefix) desc limit 1) = any(${words}::text[])`;

export const SUBJECT_OPERATORS: Readonly<Record<ConditionSubject, AnyOperators>> = {
  first_name: textOperators(raw('p.first_name')),
  last_name: textOperators(raw('p.last_name')),
  custom1: textOperators(raw('p.custom1')),
  custom2: textOperators(raw('p.custom2')),
  country: placeOperators(equalsAny(raw('p.country'))),
  network: placeOperators(network),
  language: choiceOperators(
    raw('p.language'),
    // The language of en-GB is also en.
    (words) => sql`(lower(p.language) = any(${lower(words)}::text[])
      or split_part(lower(p.language), '-', 1) = any(${lower(words)}::text[]))`,
  ),
  timezone: choiceOperators(raw('p.timezone'), equalsAnyIgnoringCase(raw('p.timezone'))),
  create_date: momentOperators(raw('p.create_date')),
  tags: tagOperators,
  audiences: audienceOperators,
  consent: consentOperators,
  message_sent: messageOperators(sql`m.direction = 'MT'`),
  message_delivered: statusOperators(BUCKETS.delivered),
  message_read: statusOperators(['read']),
  message_failed: statusOperators(BUCKETS.failed),
  link_clicked: clickOperators,
  replied: messageOperators(sql`m.direction = 'MO'`),
};

/** The operators of one of the account's own fields. */
export function fieldOperators(key: string, kind: 'text' | 'number' | 'date' | 'boolean' | 'choice'): AnyOperators {
  const value = sql`coalesce(p.fields->>${key}::text, '')`;
  switch (kind) {
    case 'text':
      return textOperators(value);
    case 'number':
      return numberOperators(key);
    case 'date':
      return dateOperators(value);
    case 'boolean':
      return booleanOperators(value);
    case 'choice':
      return choiceOperators(value, equalsAnyIgnoringCase(value));
  }
}

function numberOperators(key: string): Operators<'number'> {
  // A value from before the field was deleted and added again may have another type.
  const value = sql`
    (case when jsonb_typeof(p.fields->${key}::text) = 'number' then (p.fields->>${key}::text)::float8 end)`;
  const compare = (sign: string) => (c: Comparison) =>
    sql`coalesce(${value} ${raw(sign)} ${Number(c.value)}::float8, false)`;
  return {
    ...{ equals: compare('='), at_least: compare('>='), at_most: compare('<=') },
    is_set: () => sql`${value} is not null`,
    is_empty: () => sql`${value} is null`,
  };
}

const booleanOperators = (value: Sql): Operators<'boolean'> => ({
  is_yes: () => sql`${value} = 'true'`,
  is_no: () => sql`${value} = 'false'`,
  is_empty: () => sql`${value} = ''`,
});
