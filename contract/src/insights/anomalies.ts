/**
 * Anomalies: hours in which the traffic of an account to a country, or of all accounts on a route, differs from the
 * same hour of previous weeks. An anomaly lasts until its figure is normal again.
 */
import { z } from 'zod';
import { email } from '../auth/sign_up.ts';
import { enumInput, filterWord, idParams, listQuery, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event, type Viewer } from '../event.ts';
import { seesSpend } from '../spend.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const ANOMALY_METRICS = ['error_rate', 'delivery_rate', 'volume', 'spend', 'latency'] as const;
export type AnomalyMetric = (typeof ANOMALY_METRICS)[number];

export const METRIC_WORDS: Readonly<Record<AnomalyMetric, { label: string; description: string }>> = {
  error_rate: { label: 'Error rate', description: 'The share of messages that failed is higher than usual.' },
  delivery_rate: { label: 'Delivery rate', description: 'The share of messages delivered so far is lower than usual.' },
  volume: { label: 'Volume', description: 'Far more or far fewer messages than usual. Campaigns do not count.' },
  spend: { label: 'Spend', description: 'Messages cost far more than usual. Campaigns do not count.' },
  latency: {
    label: 'Time to delivery',
    description: 'The slowest 5% of messages take far longer than usual. Campaigns do not count.',
  },
};

export const SENSITIVITIES = ['low', 'medium', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** Accounts compare countries. Operators compare routes. */
export const ANOMALY_SCOPES = ['country', 'route'] as const;

/** `quiet`: for a day, there have been too few messages to compare. `off`: the alert was turned off. */
export const END_REASONS = ['normal', 'quiet', 'off'] as const;

export const ANOMALY_STATUS: Readonly<Record<'active' | 'ended', StatusWord>> = {
  active: statusWord('Active', 'fail', 'alert'),
  ended: statusWord('Back to normal', 'ok', 'check'),
};

/** Shares from 0 to 1, numbers of messages, amounts in micro-units, or seconds, by metric. */
const figure = z.number();
const Compared = z.object({ hour: timestamp, observed: figure, sample: z.int() });

export const Anomaly = z.object({
  id: z.string(),
  account_id: z.string(),
  metric: z.enum(ANOMALY_METRICS),
  scope: z.enum(ANOMALY_SCOPES),
  /** The country, or the ID of the connection. */
  value: z.string(),
  /** The name of the country or connection. */
  label: z.string(),
  direction: z.enum(['above', 'below']),
  /** The start of the hour that triggered the alert. */
  hour: timestamp,
  observed: figure,
  /** The median of the hours in `compared`. */
  expected: figure,
  /** The expected range. Null means no limit on this side. */
  low: figure.nullable(),
  high: figure.nullable(),
  /** The number of messages that `observed` is computed from. */
  sample: z.int(),
  /** The same hour of previous weeks, newest first. */
  compared: z.array(Compared),
  /** The last hour that had enough messages to compare. */
  latest_hour: timestamp,
  latest: figure,
  create_date: timestamp,
  /** Null while the anomaly lasts. */
  end_date: timestamp.nullable(),
  end_reason: z.enum(END_REASONS).nullable(),
});
export type Anomaly = z.output<typeof Anomaly>;

export const listAnomalies = endpoint({
  id: 'anomalies.list',
  method: 'GET',
  path: '/v1/anomalies',
  summary: 'List anomalies, newest first. Spend anomalies require permission to view payments',
  needs: 'MESSAGES:view',
  query: listQuery({
    active: z.enum(['true', 'false']).meta({ description: '`true`: only anomalies that have not ended.' }),
    metric: filterWord(ANOMALY_METRICS, 'VALUE_INVALID'),
  }),
  list: true,
  output: Anomaly,
  problems: ['VALUE_INVALID'],
});

export const getAnomaly = endpoint({
  id: 'anomalies.get',
  method: 'GET',
  path: '/v1/anomalies/{id}',
  summary: 'Get an anomaly with the numbers that triggered it',
  needs: 'MESSAGES:view',
  params: idParams('ANOMALY_NOT_FOUND'),
  output: Anomaly,
  problems: ['ANOMALY_NOT_FOUND'],
});

const MAX_EMAILS = 10;

export const AnomalyAlerts = z.object({
  account_id: z.string(),
  enabled: z.boolean(),
  metrics: z.array(z.enum(ANOMALY_METRICS)),
  /** How much a figure must differ to be an anomaly. */
  sensitivity: z.enum(SENSITIVITIES),
  send_emails: z.boolean(),
  /** Empty if emails go to the account's owners. */
  emails: z.array(z.string()),
  /** Whether the app shows a notification. Each webhook subscribes to its own events. */
  notify_in_app: z.boolean(),
});
export type AnomalyAlerts = z.output<typeof AnomalyAlerts>;

export const getAnomalyAlerts = endpoint({
  id: 'anomaly_alerts.get',
  method: 'GET',
  path: '/v1/anomaly_alerts',
  summary: 'Get the settings of anomaly alerts',
  needs: 'ALERTS:view',
  output: AnomalyAlerts,
  problems: [],
});

export const saveAnomalyAlerts = endpoint({
  id: 'anomaly_alerts.save',
  method: 'PUT',
  path: '/v1/anomaly_alerts',
  summary: 'Turn anomaly alerts on or off, and choose what they compare and who gets them',
  needs: 'ALERTS:edit',
  body: z.object({
    enabled: z.boolean(),
    metrics: z
      .array(enumInput(ANOMALY_METRICS, 'VALUE_INVALID'))
      .min(1, { error: problem('ANOMALY_METRIC_REQUIRED') })
      .max(ANOMALY_METRICS.length),
    sensitivity: enumInput(SENSITIVITIES, 'VALUE_INVALID'),
    send_emails: z.boolean(),
    emails: z.array(email).max(MAX_EMAILS),
    notify_in_app: z.boolean(),
  }),
  output: AnomalyAlerts,
  problems: ['ANOMALY_METRIC_REQUIRED', 'EMAIL_INVALID', 'VALUE_INVALID'],
});

const visible = ({ metric }: Anomaly, { permissions }: Viewer): boolean => metric !== 'spend' || seesSpend(permissions);
const MODULES = ['anomalies'];

export const anomalyStarted = event({
  id: 'anomaly.started',
  modules: MODULES,
  needs: 'MESSAGES:view',
  payload: Anomaly,
  visible,
});
/** The figure is back to normal, there are too few messages to tell, or the alert was turned off. */
export const anomalyEnded = event({
  id: 'anomaly.ended',
  modules: MODULES,
  needs: 'MESSAGES:view',
  payload: Anomaly,
  visible,
});

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const seconds = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A figure with its unit, such as "31.2%", "1,204", or "$12.50". */
export function formatObserved(metric: AnomalyMetric, value: number, currency: string): string {
  if (metric === 'volume') return number.format(value);
  if (metric === 'spend') return (value / 1_000_000).toLocaleString('en-US', { style: 'currency', currency });
  if (metric === 'latency') return value < 120 ? `${seconds.format(value)} s` : `${seconds.format(value / 60)} min`;
  return percent.format(value);
}

/** The expected range, such as "at most 7.4%". */
export function formatExpected({ metric, low, high }: Pick<Anomaly, 'metric' | 'low' | 'high'>, currency: string) {
  const text = (value: number) => formatObserved(metric, value, currency);
  if (low !== null && high !== null) return `${text(low)} to ${text(high)}`;
  return low === null ? `at most ${text(high ?? 0)}` : `at least ${text(low)}`;
}

/** The anomalous figure, such as "Error rate to Spain". */
export const anomalyTitle = ({ metric, scope, label }: Pick<Anomaly, 'metric' | 'scope' | 'label'>): string =>
  `${METRIC_WORDS[metric].label} ${scope === 'country' ? 'to' : 'on'} ${label}`;
