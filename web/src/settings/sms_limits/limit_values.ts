/** The values of the form of a limit, and the rule that they make. */
import { type ChannelName, PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import {
  countsSpend,
  type Limit,
  type LimitInterval,
  type LimitType,
  type SubAccountMode,
} from '@parley/contract/guard/limits.ts';

export const MICROS = 1_000_000;

export interface LimitValues extends Record<string, unknown> {
  type: LimitType;
  limit: number | string;
  interval: LimitInterval;
  channels: ChannelName[];
  countries: string[];
  prefixes: string[];
  block_traffic: boolean;
  /** Percentages, as texts for the input. */
  warn_at: string[];
  enabled: boolean;
  sub_accounts: SubAccountMode;
}

export const NEW_LIMIT: LimitValues = {
  type: 'messages',
  limit: '',
  interval: 'day',
  channels: [PHONE_CHANNEL],
  countries: [],
  prefixes: [],
  block_traffic: true,
  warn_at: ['80'],
  enabled: true,
  sub_accounts: 'none',
};

export const limitValues = (row: Limit): LimitValues => ({
  type: row.type,
  limit: countsSpend(row.type) ? row.limit / MICROS : row.limit,
  interval: row.interval,
  channels: [...row.channels],
  countries: [...row.countries],
  prefixes: row.prefixes.map((prefix) => `+${prefix}`),
  block_traffic: row.block_traffic,
  warn_at: row.warn_at.map(String),
  enabled: row.enabled,
  sub_accounts: row.sub_accounts,
});

/** The limit of a spend is entered in the account's currency. */
export const limitBody = ({ limit, warn_at, ...values }: LimitValues) => ({
  ...values,
  warn_at: warn_at.map(Number),
  limit: countsSpend(values.type) ? Math.round(Number(limit) * MICROS) : Number(limit),
});

/** States which value is missing, instead of the API's range. */
export const checkLimit = ({ limit, type }: LimitValues) => ({
  limit: Number(limit) > 0 ? null : `Enter ${countsSpend(type) ? 'an amount' : 'a number'} above 0`,
});
