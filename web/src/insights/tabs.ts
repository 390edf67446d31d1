/** The tabs of Insights and the addresses that open them. */
export const TABS = [
  'overview',
  'log',
  'rejected',
  'delivery',
  'inbox',
  'campaigns',
  'verification',
  'costs',
  'anomalies',
] as const;
export type Tab = (typeof TABS)[number];

export const TAB_LABELS: Readonly<Record<Tab, string>> = {
  overview: 'Overview',
  log: 'Log',
  rejected: 'Rejected calls',
  delivery: 'Delivery',
  inbox: 'Inbox',
  campaigns: 'Campaigns',
  verification: 'Verification',
  costs: 'Costs',
  anomalies: 'Anomalies',
};

/** The filters of the message log in the URL. */
export const LOG_FILTERS = [
  ...[
    'search',
    'statuses',
    'direction',
    'channel',
    'sender',
    'source',
    'country',
    'network',
    'category',
    'charge',
    'verification',
  ],
  ...['campaign', 'template', 'failure', 'user', 'key', 'hold', 'from', 'to'],
] as const;

/** The filters that the tabs share. */
export const KEPT = ['days', 'from', 'to', 'channel'] as const;
/** The filters that only the log has. A URL with one of them and no tab opens the log. */
const LOG_ONLY = [
  ...LOG_FILTERS.filter((name) => !(KEPT as readonly string[]).includes(name)),
  ...['message', 'page', 'page_size', 'sort', 'view'],
];

export function currentTab(search: Readonly<Record<string, unknown>>): Tab {
  const tab = TABS.find((one) => one === search.tab);
  return tab ?? (LOG_ONLY.some((name) => search[name] !== undefined) ? 'log' : 'overview');
}
