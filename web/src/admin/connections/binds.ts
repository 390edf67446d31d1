/** Summarizes a connection's binds as one state and their totals. */
import type { Connection } from '@parley/contract/connections/connections.ts';
import { formatNumber } from '../../ui/data/format.ts';

export type Bind = Connection['binds'][number];

/** Bind states, best to worst. A connection has the state of its best bind. */
const ORDER: readonly Bind['state'][] = ['bound', 'throttled', 'connecting', 'waiting', 'stopped'];

const isUp = ({ state }: Bind): boolean => state === 'bound' || state === 'throttled';

interface BindSummary {
  state: Bind['state'] | 'disabled' | 'paused' | 'avoided';
  /**
   * The report of the carrier or the network about a bind that is down or throttled, why all are paused, or why routes
   * avoid the connection.
   */
  reason: string | null;
  bound: number;
  configured: number;
  in_flight: number;
  window: number;
  rate_per_second: number;
  /** The pace learned from throttled responses; null if no bind has one. */
  pace_per_second: number | null;
  /** The number of binds with a learned pace. */
  paced: number;
  throttled_count: number;
}

export function summarizeBinds(connection: Connection): BindSummary {
  const { binds, enabled, paused_date, pause_reason, poor_health, desired_binds } = connection;
  const isPaused = enabled && paused_date !== null;
  const sum = (value: (bind: Bind) => number) => binds.reduce((total, bind) => total + value(bind), 0);
  const paced = binds.filter((bind) => isUp(bind) && bind.pace_per_second !== null);
  const best = [...binds].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))[0];
  const down = binds.find((bind) => !isUp(bind));
  // A connection without binds that are up gets no messages anyway.
  const avoided = poor_health && best && isUp(best) ? poor_health : null;
  const detail = down?.detail || (best?.state === 'throttled' ? best.detail : null);
  return {
    state: !enabled ? 'disabled' : isPaused ? 'paused' : avoided ? 'avoided' : (best?.state ?? 'stopped'),
    reason: !enabled ? null : isPaused ? pause_reason : (avoided ?? detail),
    bound: binds.filter(isUp).length,
    configured: desired_binds,
    in_flight: sum((bind) => bind.in_flight),
    window: sum((bind) => bind.window),
    rate_per_second: sum((bind) => bind.rate_per_second),
    pace_per_second: paced.length > 0 ? paced.reduce((total, bind) => total + (bind.pace_per_second ?? 0), 0) : null,
    paced: paced.length,
    throttled_count: sum((bind) => bind.throttled_count),
  };
}

/** "120 of 5,000", or null for a connection without a daily limit. */
export function dailyLabel({ settings, taken_today }: Pick<Connection, 'settings' | 'taken_today'>): string | null {
  const limit = 'daily_limit' in settings ? settings.daily_limit : null;
  return limit === null ? null : `${formatNumber(taken_today)} of ${formatNumber(limit)}`;
}

export const connectionAddress = ({ settings }: Pick<Connection, 'settings'>): string =>
  'host' in settings ? `${settings.host}:${settings.port}` : new URL(settings.base_url).host;

/** True if the callback URL contains a secret, because the provider signs nothing. */
export const hasCallbackSecret = ({ secrets }: Pick<Connection, 'secrets'>): boolean =>
  (secrets as readonly string[]).includes('callback_secret');

/** The URL that operators enter at the provider. The secret is known only right after it was entered. */
export function callbackLink(connection: Pick<Connection, 'secrets' | 'callback_url'>, secret = ''): string {
  const { callback_url } = connection;
  return hasCallbackSecret(connection) ? `${callback_url}?key=${secret || 'CALLBACK_SECRET'}` : (callback_url ?? '');
}
