/**
 * Limits on traffic. A limit counts accepted messages, or what they cost, in fixed intervals in UTC. When it is
 * reached, it blocks messages until the interval ends, or only notifies.
 */
import { z } from 'zod';
import { channelRules, PHONE_CHANNEL } from '../channels/index.ts';
import { CHANNELS } from '../channels/names.ts';
import { country, enumInput, idParams, listQuery, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const MAX_LIMITS = 50;
export const MAX_PREFIXES = 50;
export const MAX_WARNINGS = 5;

/**
 * The traffic that a limit counts. All but the first two count each recipient, sender, API key, user, or campaign
 * separately.
 */
export const LIMIT_TYPES = [
  'messages',
  'spend',
  'messages_per_recipient',
  'messages_per_sender',
  'messages_per_key',
  'messages_per_address',
  'spend_per_key',
  'spend_per_user',
  'spend_per_campaign',
] as const;
export type LimitType = (typeof LIMIT_TYPES)[number];

/** Returns whether a limit counts amounts of money instead of messages. */
export const countsSpend = (type: LimitType): boolean => type.startsWith('spend');

export const LIMIT_TYPE_WORDS: Readonly<Record<LimitType, { label: string; description: string }>> = {
  messages: { label: 'Messages', description: 'All messages that the account sends.' },
  spend: { label: 'Spend', description: 'The cost of all messages when they are accepted.' },
  messages_per_recipient: { label: 'Messages per recipient', description: 'Messages to one phone number.' },
  messages_per_sender: { label: 'Messages per sender', description: 'Messages from one of your senders.' },
  messages_per_key: { label: 'Messages per API key', description: 'Messages sent with one API key.' },
  messages_per_address: { label: 'Messages per IP address', description: 'Single messages sent from one IP address.' },
  spend_per_key: { label: 'Spend per API key', description: 'The cost of messages sent with one API key.' },
  spend_per_user: { label: 'Spend per user', description: 'The cost of one user’s messages and campaigns.' },
  spend_per_campaign: { label: 'Spend per campaign', description: 'The cost of one campaign’s messages.' },
};

export const LIMIT_INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/**
 * Whether a limit also applies to the sub-accounts: to none, to each of them separately, or to the company and all of
 * them together.
 */
export const SUB_ACCOUNT_MODES = ['none', 'each', 'together'] as const;
export type SubAccountMode = (typeof SUB_ACCOUNT_MODES)[number];

export const LIMIT_STATES = ['active', 'warning', 'reached', 'disabled'] as const;
export const LIMIT_STATUS: Readonly<Record<(typeof LIMIT_STATES)[number], StatusWord>> = {
  active: statusWord('Active', 'ok', 'check'),
  warning: statusWord('Near limit', 'wait', 'alert'),
  reached: statusWord('Reached', 'fail', 'alert'),
  disabled: statusWord('Disabled', 'off', 'paused'),
};

const Rule = z.object({
  type: z.enum(LIMIT_TYPES),
  /** Messages with a fallback count if any of their channels is in the list. */
  channels: z.array(z.enum(CHANNELS)),
  /** Empty means all countries. */
  countries: z.array(z.string()),
  /** The beginnings of the phone numbers that count, without a plus sign. Empty means all numbers. */
  prefixes: z.array(z.string()),
  /** Messages, or micro-units of the account’s currency for spend types. */
  limit: z.int(),
  interval: z.enum(LIMIT_INTERVALS),
  /** False if the limit only notifies when it is reached. */
  block_traffic: z.boolean(),
});

export const Limit = Rule.extend({
  id: z.string(),
  /** The account that set the limit. */
  account_id: z.string(),
  enabled: z.boolean(),
  /** `each`: sub-accounts count separately. `together`: the company and its sub-accounts share one count. */
  sub_accounts: z.enum(SUB_ACCOUNT_MODES),
  /** The name of the company that set the limit for this sub-account. Null for the account's own limits. */
  inherited_from: z.string().nullable(),
  /** The percentages of the limit at which the account is warned, in ascending order. */
  warn_at: z.array(z.int()),
  /** `warning`: a percentage of `warn_at` is reached in the current interval. */
  state: z.enum(LIMIT_STATES),
  /** The highest percentage of `warn_at` that is reached in the current interval. */
  warning: z.int().nullable(),
  /**
   * Counted in the current interval. For limits per sender, API key, user, or campaign, the highest count. Null for
   * limits per recipient.
   */
  used: z.int().nullable(),
  /** The end of the current interval. */
  reset_date: timestamp,
  /** Messages that were blocked in the current interval. */
  blocked: z.int(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Limit = z.output<typeof Limit>;

const invalidValue = { error: problem('LIMIT_VALUE_INVALID') };
const ruleInput = {
  type: enumInput(LIMIT_TYPES, 'LIMIT_TYPE_INVALID'),
  channels: z
    .array(enumInput(CHANNELS, 'MESSAGE_CHANNEL_INVALID'))
    .min(1, { error: problem('MESSAGE_CHANNEL_INVALID') })
    .max(CHANNELS.length)
    .optional()
    .meta({ description: `The default is \`["${PHONE_CHANNEL}"]\`.` }),
  countries: z.array(country()).max(300).optional().meta({ description: 'Empty means all countries.' }),
  prefixes: z
    .array(
      z
        .string()
        .trim()
        .transform((text) => text.replace(/^\+/, ''))
        .pipe(z.string().regex(/^[1-9]\d{0,14}$/, { error: problem('LIMIT_PREFIX_INVALID') })),
    )
    .max(MAX_PREFIXES, { error: problem('LIMIT_PREFIX_INVALID') })
    .optional()
    .meta({ description: 'Counts only phone numbers that start with these digits. Empty means all numbers.' }),
  limit: z.int(invalidValue).min(1, invalidValue).max(1_000_000_000_000, invalidValue),
  interval: enumInput(LIMIT_INTERVALS, 'LIMIT_INTERVAL_INVALID'),
  block_traffic: z.boolean().optional(),
};
/** The rule of a limit, without its state. */
export const limitRule = z.object(ruleInput);
const invalidWarnings = { error: problem('LIMIT_WARNINGS_INVALID') };
const limitInput = limitRule.extend({
  enabled: z.boolean().optional(),
  sub_accounts: enumInput(SUB_ACCOUNT_MODES, 'LIMIT_SUB_ACCOUNTS_INVALID')
    .optional()
    .meta({
      description:
        'Also limits the sub-accounts. `each`: they count separately. `together`: the company and all of them share ' +
        'one count.',
    }),
  warn_at: z
    .array(z.int(invalidWarnings).min(1, invalidWarnings).max(99, invalidWarnings))
    .max(MAX_WARNINGS, invalidWarnings)
    .optional()
    .meta({ description: 'Percentages of the limit at which the account is warned. Empty means no warnings.' }),
});

export const RULE_PROBLEMS = [
  'LIMIT_TYPE_INVALID',
  'LIMIT_VALUE_INVALID',
  'LIMIT_INTERVAL_INVALID',
  'LIMIT_PREFIX_INVALID',
  'MESSAGE_CHANNEL_INVALID',
  'COUNTRY_CODE_INVALID',
] as const;

const OPTION_PROBLEMS = ['LIMIT_WARNINGS_INVALID', 'LIMIT_SUB_ACCOUNTS_INVALID', 'LIMIT_NOT_SHAREABLE'] as const;

export const listLimits = endpoint({
  id: 'limits.list',
  method: 'GET',
  path: '/v1/limits',
  summary: 'List the limits, including those inherited from the parent company, newest first',
  needs: 'SMS_LIMITS:view',
  query: listQuery({}),
  list: true,
  output: Limit,
  problems: [],
});

export const getLimit = endpoint({
  id: 'limits.get',
  method: 'GET',
  path: '/v1/limits/{id}',
  summary: 'Get a limit with its current count',
  needs: 'SMS_LIMITS:view',
  params: idParams('LIMIT_ID_INVALID'),
  output: Limit,
  problems: ['LIMIT_ID_INVALID', 'LIMIT_NOT_FOUND'],
});

export const createLimit = endpoint({
  id: 'limits.create',
  method: 'POST',
  path: '/v1/limits',
  summary: 'Create a limit. It counts messages from now on',
  needs: 'SMS_LIMITS:edit',
  verified: true,
  body: limitInput,
  status: 201,
  output: Limit,
  problems: [...RULE_PROBLEMS, ...OPTION_PROBLEMS, 'LIMITS_LIMIT_EXCEEDED'],
});

export const updateLimit = endpoint({
  id: 'limits.update',
  method: 'PUT',
  path: '/v1/limits/{id}',
  summary: 'Change a limit. If you change what it counts, its count restarts',
  needs: 'SMS_LIMITS:edit',
  verified: true,
  params: idParams('LIMIT_ID_INVALID'),
  body: limitInput.partial(),
  output: Limit,
  problems: ['LIMIT_ID_INVALID', 'LIMIT_NOT_FOUND', 'LIMIT_INHERITED', ...RULE_PROBLEMS, ...OPTION_PROBLEMS],
});

export const removeLimit = endpoint({
  id: 'limits.remove',
  method: 'DELETE',
  path: '/v1/limits/{id}',
  summary: 'Delete a limit',
  needs: 'SMS_LIMITS:delete',
  verified: true,
  params: idParams('LIMIT_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['LIMIT_ID_INVALID', 'LIMIT_NOT_FOUND', 'LIMIT_INHERITED'],
});

export const Violation = Rule.extend({
  id: z.string(),
  account_id: z.string(),
  /** The name of the account whose messages were counted. */
  account_name: z.string(),
  limit_id: z.string(),
  /** The account that set the limit: the parent company for an inherited limit. */
  limit_account_id: z.string(),
  limit_account_name: z.string(),
  /**
   * The recipient, or the ID of the sender, API key, user, or campaign that reached the limit first; otherwise empty.
   * Empty for violations of sub-accounts.
   */
  scope: z.string(),
  /** Messages that were blocked. */
  blocked: z.int(),
  create_date: timestamp,
  /** The end of the interval. */
  expire_date: timestamp,
  /** Set once the violation is over: the interval has ended, or the limit was changed or deleted. */
  end_date: timestamp.nullable(),
});
export type Violation = z.output<typeof Violation>;

export const listViolations = endpoint({
  id: 'violations.list',
  method: 'GET',
  path: '/v1/violations',
  summary: 'List limit violations, including those of sub-accounts for inherited limits, newest first',
  needs: 'SMS_LIMITS:view',
  query: listQuery({
    limit_id: z.uuid({ error: problem('LIMIT_ID_INVALID') }),
    active: z.enum(['true', 'false']).meta({ description: '`true`: only violations that have not ended.' }),
  }),
  list: true,
  output: Violation,
  problems: ['LIMIT_ID_INVALID'],
});

/** A percentage of a limit that was reached, once per interval. */
export const LimitWarning = Rule.extend({
  id: z.string(),
  account_id: z.string(),
  /** The name of the account whose messages were counted. */
  account_name: z.string(),
  limit_id: z.string(),
  /** The account that set the limit: the parent company for an inherited limit. */
  limit_account_id: z.string(),
  limit_account_name: z.string(),
  /** The recipient, or the ID of the sender, API key, user, or campaign that reached it first; otherwise empty. */
  scope: z.string(),
  percent: z.int(),
  /** The count at that time. */
  used: z.int(),
  create_date: timestamp,
  /** The end of the interval. */
  expire_date: timestamp,
});
export type LimitWarning = z.output<typeof LimitWarning>;

const MODULES = ['limits', 'violations'];
export const limitsChanged = event({
  id: 'limit.changed',
  modules: MODULES,
  needs: 'SMS_LIMITS:view',
  payload: z.object({ id: z.string() }),
});
/** A limit has reached one of its warning percentages. */
export const limitWarning = event({
  id: 'limit.warning',
  modules: ['limits'],
  needs: 'SMS_LIMITS:view',
  payload: LimitWarning,
});
/** A limit was reached, which the app reports immediately. */
export const violationStarted = event({
  id: 'violation.started',
  modules: MODULES,
  needs: 'SMS_LIMITS:view',
  payload: Violation,
});
/** The interval of a violation has ended, or its limit was changed or deleted. */
export const violationExpired = event({
  id: 'violation.expired',
  modules: MODULES,
  needs: 'SMS_LIMITS:view',
  payload: Violation,
});

const SCOPE_WORDS: Readonly<Record<LimitType, string>> = {
  messages: '',
  spend: '',
  messages_per_recipient: ' to a recipient',
  messages_per_sender: ' from a sender',
  messages_per_key: ' with an API key',
  messages_per_address: ' from an IP address',
  spend_per_key: ' with an API key',
  spend_per_user: ' by a user',
  spend_per_campaign: ' by a campaign',
};

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
/** A rule's words, such as "1,000 SMS messages per day to France, Germany". */
export function describeLimit(
  { type, limit, interval, countries, prefixes, channels }: z.output<typeof Rule>,
  money: (micros: number) => string,
): string {
  const amount = countsSpend(type) ? money(limit) : `${limit.toLocaleString('en-US')} ${noun(limit, channels)}`;
  const places = [
    ...(countries.length > 0 ? [`to ${shortList(countries.map((code) => countryNames.of(code) ?? code))}`] : []),
    ...(prefixes.length > 0 ? [`to numbers with ${shortList(prefixes.map((prefix) => `+${prefix}`))}`] : []),
  ];
  return [`${amount}${SCOPE_WORDS[type]} per ${interval}`, ...places].join(' ');
}

const ANY_OF = new Intl.ListFormat('en-US', { type: 'disjunction' });
const noun = (count: number, channels: readonly (typeof CHANNELS)[number][]): string => {
  const names = channels.map((channel) => channelRules(channel).label);
  return `${ANY_OF.format(names)} ${count === 1 ? 'message' : 'messages'}`;
};

const shortList = (items: readonly string[]): string =>
  items.length > 4 ? `${items.slice(0, 3).join(', ')}, and ${items.length - 3} more` : items.join(', ');
