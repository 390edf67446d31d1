/** The links from an anomaly to the messages or the connection that it is about. */
import type { Anomaly, AnomalyMetric } from '@parley/contract/insights/anomalies.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { CONNECTIONS, messagesPath } from '../../paths.ts';
import { dayKey } from '../../ui/data/format.ts';

const HOUR_MS = 3_600_000;
const SHOWN: Readonly<Record<AnomalyMetric, Parameters<typeof messagesPath>[0]>> = {
  error_rate: FIGURES.failed,
  delivery_rate: FIGURES.sent,
  volume: FIGURES.sent,
  spend: FIGURES.sent,
  latency: FIGURES.delivered,
};

/** An hour in the account's time zone, in the format of the log's filter. */
function clockTime(ms: number, zone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(ms);
  return `${dayKey(ms, zone)}T${time}`;
}

/** The link to the messages of an hour of an anomaly, or to its connection. */
export function anomalyAddress({ metric, scope, value }: Anomaly, hour: string, zone: string): string {
  if (scope === 'route') return `${CONNECTIONS}?open=${value}`;
  const from = Date.parse(`${hour.replace(' ', 'T')}Z`);
  return messagesPath({
    ...SHOWN[metric],
    country: value,
    from: clockTime(from, zone),
    to: clockTime(from + HOUR_MS, zone),
  });
}
