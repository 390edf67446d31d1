/** The labels of the fields of a limit, as errors name them. */
export const LIMIT_LABELS = {
  type: 'What to count',
  limit: 'Limit',
  interval: 'Interval',
  countries: 'Countries',
  prefixes: 'Number prefixes',
  channels: 'Channels',
  warn_at: 'Warn at',
  sub_accounts: 'Applies to sub-accounts',
} as const;
