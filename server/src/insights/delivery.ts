/** How messages are delivered: by hour of the week, why they fail, and the delays of routes and networks. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { DeliveryCharts, getDeliveryCharts } from '@parley/contract/insights/charts.ts';
import type { Queryable } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { countAll, readSpan } from './insights.ts';
import * as queries from './queries.ts';
import { DELAY_STEPS } from './slots.ts';

/** The most routes and networks in a response. */
const MAX_ROWS = 50;

export async function readDeliveryCharts(
  db: Queryable,
  { account_id }: Actor,
  now: Date,
  query: Parsed<typeof getDeliveryCharts>['query'],
): Promise<DeliveryCharts> {
  const { span } = await readSpan(db, account_id, now, query);
  const charts = await countAll(db, account_id, now, { ...query, by: 'failure' });
  const routes = toDelays(await queries.listDelays(db, span, 'delay_route'));
  const networks = toDelays(await queries.listDelays(db, span, 'delay_network'));
  const names = {
    routes: await queries.readConnectionNames(db, toValues(routes)),
    networks: await queries.readLabels(db, account_id, 'network', toValues(networks)),
  };
  const named = (rows: Delays[], labels: ReadonlyMap<string, string>) =>
    rows.map((row) => ({ ...row, label: labels.get(row.value) ?? row.value }));
  return {
    period: charts.period,
    time_zone: charts.time_zone,
    total: charts.total,
    before: charts.before,
    hours: await queries.listHours(db, span),
    reasons: charts.groups
      .filter(({ failed }) => failed > 0)
      .map(({ value, failed, before }) => ({ value, failed, before: before.failed }))
      .sort((a, b) => b.failed - a.failed),
    routes: named(routes, names.routes),
    networks: named(networks, names.networks),
  };
}

type Delays = Omit<DeliveryCharts['routes'][number], 'label'>;

const toValues = (rows: readonly Delays[]): string[] => rows.map(({ value }) => value);

/** One row per value, most messages first. */
function toDelays(rows: readonly { value: string; step: number; delivered: number }[]): Delays[] {
  const byValue = Map.groupBy(rows, ({ value }) => value);
  return [...byValue]
    .map(([value, steps]) => ({
      value,
      delivered: steps.reduce((sum, { delivered }) => sum + delivered, 0),
      p50: percentile(steps, 0.5),
      p95: percentile(steps, 0.95),
      p99: percentile(steps, 0.99),
    }))
    .sort((a, b) => b.delivered - a.delivered)
    .slice(0, MAX_ROWS);
}

/** Assumes that the delays within a step are spread evenly. `steps` are in their order. */
export function percentile(steps: readonly { step: number; delivered: number }[], share: number): number {
  const rank = share * steps.reduce((sum, { delivered }) => sum + delivered, 0);
  let below = 0;
  for (const { step, delivered } of steps) {
    if (below + delivered >= rank) {
      const low = step === 0 ? 0 : DELAY_STEPS[step - 1]!;
      const high = DELAY_STEPS[step] ?? low;
      return Math.round((low + ((rank - below) / delivered) * (high - low)) * 10) / 10;
    }
    below += delivered;
  }
  return 0;
}
