/** A connection's lines summed up: one word for how it is, and the figures of all of them. */
import type { Connection } from '@parley/contract/connections/connections.ts';

export type Bind = Connection['binds'][number];

/** From best to worst; the word of a connection is its best line's, with how many are up beside it. */
const ORDER: readonly Bind['state'][] = ['bound', 'throttled', 'connecting', 'waiting', 'stopped'];

const isUp = ({ state }: Bind): boolean => state === 'bound' || state === 'throttled';

export interface LineSummary {
  state: Bind['state'] | 'disabled';
  /** Why, in the carrier's or the network's words; null when all is well. */
  reason: string | null;
  up: number;
  wanted: number;
  in_flight: number;
  window: number;
  rate_per_second: number;
}

export function summarize(connection: Connection): LineSummary {
  const { binds, enabled, settings } = connection;
  const sum = (of: (bind: Bind) => number) => binds.reduce((all, bind) => all + of(bind), 0);
  const best = [...binds].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))[0];
  const down = binds.find((bind) => !isUp(bind));
  return {
    state: enabled ? (best?.state ?? 'stopped') : 'disabled',
    reason: enabled ? down?.detail || (best?.state === 'throttled' ? best.detail : null) : null,
    up: binds.filter(isUp).length,
    wanted: enabled ? ('binds' in settings ? settings.binds : 1) : 0,
    in_flight: sum((bind) => bind.in_flight),
    window: sum((bind) => bind.window),
    rate_per_second: sum((bind) => bind.rate_per_second),
  };
}

export const addressOf = ({ settings }: Pick<Connection, 'settings'>): string =>
  'host' in settings ? `${settings.host}:${settings.port}` : new URL(settings.base_url).host;
