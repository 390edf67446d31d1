/** The settings of anomaly alerts, and the list of anomalies. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/insights/anomalies.ts';
import { Problem } from '@parley/contract/problem.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { type Queryable, runTogether, sql } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './anomaly_queries.ts';

export type AlertSettings = queries.AlertSettings;

/** Operators get alerts about routes until they turn them off. Other accounts turn them on. */
export const defaultSettings = ({ is_operator }: { is_operator: boolean }): AlertSettings => ({
  enabled: is_operator,
  metrics: [...contract.ANOMALY_METRICS],
  sensitivity: 'medium',
  send_emails: true,
  emails: [],
  notify_in_app: true,
});

export async function getSettings(db: Queryable, { account_id }: Actor): Promise<contract.AnomalyAlerts> {
  const stored = await queries.findSettings(db, account_id);
  if (stored) return { account_id, ...stored };
  const { is_operator } = await db.one<{ is_operator: boolean }>(sql`
    select kind = 'OPERATOR' as is_operator from accounts where id = ${account_id}`);
  return { account_id, ...defaultSettings({ is_operator }) };
}

/** Ends the anomalies of figures that are turned off. */
export async function saveSettings(
  ctx: Ctx,
  { emails, metrics, ...rest }: Parsed<typeof contract.saveAnomalyAlerts>['body'],
): Promise<contract.AnomalyAlerts> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const chosen = contract.ANOMALY_METRICS.filter((metric) => metrics.includes(metric));
  const settings = { ...rest, emails: [...new Set(emails)], metrics: chosen };
  // Waits for a comparison that is under way.
  await queries.lockMark(tx, account_id);
  await queries.storeSettings(tx, account_id, settings);
  for (const { id, metric } of await queries.listOpen(tx, account_id))
    if (!settings.enabled || !chosen.includes(metric)) {
      const ended = await queries.endAnomaly(tx, account_id, id, { hour: null, latest: null, reason: 'off' });
      emit(tx, contract.anomalyEnded, account_id, ended);
    }
  record(tx, ctx, {
    action: 'anomaly_alerts.changed',
    account_id,
    target: { type: 'account', id: account_id, name: '' },
    detail: settings,
  });
  return { account_id, ...settings };
}

export async function listAnomalies(
  db: Queryable,
  { account_id, permissions }: Actor,
  query: Parsed<typeof contract.listAnomalies>['query'],
): Promise<Paged<contract.Anomaly>> {
  const page = readPage(query);
  const { active, metric } = query.filter ?? {};
  const filter = { active, metric, sees_spend: seesSpend(permissions) };
  const [rows, total] = await runTogether(
    queries.listAnomalyRows(db, account_id, filter, page),
    queries.countAnomalies(db, account_id, filter),
  );
  return paged(page, rows, total);
}

export async function getAnomaly(
  db: Queryable,
  { account_id, permissions }: Actor,
  id: string,
): Promise<contract.Anomaly> {
  const anomaly = await queries.findAnomaly(db, account_id, id);
  if (!anomaly || (anomaly.metric === 'spend' && !seesSpend(permissions))) throw new Problem('ANOMALY_NOT_FOUND');
  return anomaly;
}
