import type { Anomaly, AnomalyAlerts, AnomalyMetric } from '@parley/contract/insights/anomalies.ts';
import { type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, type Page } from '../kernel/db/list.ts';
import { COOL_DOWN_HOURS, type OpenState } from './baseline.ts';

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const COLUMNS = raw(`
  a.account_id, a.id, a.metric, a.scope, a.value, a.direction, a.hour, a.observed::float8 as observed,
  a.expected::float8 as expected, a.low::float8 as low, a.high::float8 as high, a.sample, a.compared, a.latest_hour,
  a.latest::float8 as latest, a.create_date, a.end_date, a.end_reason,
  case a.scope when 'route' then coalesce((select c.name from connections c where c.id::text = a.value), a.value)
    else a.value end as label`);

const withLabel = (row: Anomaly): Anomaly =>
  row.scope === 'country' && /^[A-Z]{2}$/.test(row.value) ? { ...row, label: names.of(row.value) ?? row.value } : row;

export interface AnomalyFilter {
  active: 'true' | 'false' | undefined;
  metric: AnomalyMetric | undefined;
  sees_spend: boolean;
}

const matches = (account_id: string, { active, metric, sees_spend }: AnomalyFilter): Sql => sql`
  a.account_id = ${account_id} ${metric ? sql`and a.metric = ${metric}` : sql``}
  ${active === undefined ? sql`` : active === 'true' ? sql`and a.end_date is null` : sql`and a.end_date is not null`}
  ${sees_spend ? sql`` : sql`and a.metric <> 'spend'`}`;

export const listAnomalyRows = async (
  db: Queryable,
  account_id: string,
  filter: AnomalyFilter,
  page: Page,
): Promise<Anomaly[]> =>
  (
    await db.rows<Anomaly>(sql`
      select ${COLUMNS} from anomalies a where ${matches(account_id, filter)}
      order by a.id desc limit ${page.size + 1} offset ${page.offset}`)
  ).map(withLabel);

export const countAnomalies = async (db: Queryable, account_id: string, filter: AnomalyFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from (
        select 1 from anomalies a where ${matches(account_id, filter)} limit ${CAP + 1}) capped`)
  ).count;

export async function findAnomaly(db: Queryable, account_id: string, id: string): Promise<Anomaly | null> {
  const row = await db.maybeOne<Anomaly>(
    sql`select ${COLUMNS} from anomalies a where a.account_id = ${account_id} and a.id = ${id}`,
  );
  return row && withLabel(row);
}

export type AlertSettings = Omit<AnomalyAlerts, 'account_id'>;

export const findSettings = (db: Queryable, account_id: string): Promise<AlertSettings | null> =>
  db.maybeOne<AlertSettings>(sql`
    select enabled, metrics, sensitivity, send_emails, emails, notify_in_app from anomaly_alerts
    where account_id = ${account_id}`);

export const storeSettings = (tx: Tx, account_id: string, settings: AlertSettings) =>
  tx.run(sql`
    insert into anomaly_alerts (account_id, enabled, metrics, sensitivity, send_emails, emails, notify_in_app,
      update_date)
    values (${account_id}, ${settings.enabled}, ${settings.metrics}, ${settings.sensitivity}, ${settings.send_emails},
      ${settings.emails}, ${settings.notify_in_app}, ${tx.now})
    on conflict (account_id) do update set enabled = excluded.enabled, metrics = excluded.metrics,
      sensitivity = excluded.sensitivity, send_emails = excluded.send_emails, emails = excluded.emails,
      notify_in_app = excluded.notify_in_app, update_date = excluded.update_date`);

/** Waits for a comparison or a change of the settings that is under way. Returns the end of the last compared hour. */
export async function lockMark(tx: Tx, account_id: string): Promise<number> {
  await tx.run(sql`
    insert into anomaly_marks (account_id, judged_until) values (${account_id}, 'epoch') on conflict do nothing`);
  const { at } = await tx.one<{ at: number }>(sql`
    select extract(epoch from judged_until)::float8 as at from anomaly_marks where account_id = ${account_id}
    for update`);
  return at * 1000;
}

export const moveMark = (tx: Tx, account_id: string, judged_until: Date) =>
  tx.run(sql`update anomaly_marks set judged_until = ${judged_until} where account_id = ${account_id}`);

export interface OpenRow extends OpenState {
  id: string;
  metric: AnomalyMetric;
  value: string;
}

export const listOpen = (tx: Tx, account_id: string) =>
  tx.rows<OpenRow>(sql`
    select id, metric, value, calm_hours, silent_hours from anomalies
    where account_id = ${account_id} and end_date is null order by id`);

/** The metrics and values of anomalies that ended shortly before the end of an hour. */
export const listCooling = (tx: Tx, account_id: string, end: Date) =>
  tx.rows<{ metric: AnomalyMetric; value: string }>(sql`
    select metric, value from anomalies
    where account_id = ${account_id} and end_hour > ${end}::timestamptz - make_interval(hours => ${COOL_DOWN_HOURS})
      and end_hour is not null`);

export type NewAnomaly = Pick<
  Anomaly,
  'metric' | 'scope' | 'value' | 'direction' | 'observed' | 'expected' | 'low' | 'high' | 'sample' | 'compared'
>;

export async function insertAnomaly(tx: Tx, account_id: string, id: string, hour: Date, row: NewAnomaly) {
  await tx.run(sql`
    insert into anomalies (account_id, id, metric, scope, value, direction, hour, observed, expected, low, high, sample,
      compared, latest_hour, latest, create_date)
    values (${account_id}, ${id}, ${row.metric}, ${row.scope}, ${row.value}, ${row.direction}, ${hour},
      ${row.observed}, ${row.expected}, ${row.low}, ${row.high}, ${row.sample},
      ${JSON.stringify(row.compared)}::jsonb, ${hour}, ${row.observed}, ${tx.now})`);
  return (await findAnomaly(tx, account_id, id))!;
}

/** `latest` is null if the hour had too few messages. */
export const keepAnomaly = (
  tx: Tx,
  account_id: string,
  id: string,
  hour: Date,
  latest: number | null,
  { calm_hours, silent_hours }: OpenState,
) =>
  tx.run(sql`
    update anomalies set calm_hours = ${calm_hours}, silent_hours = ${silent_hours},
      latest = coalesce(${latest}::numeric, latest),
      latest_hour = case when ${latest}::numeric is null then latest_hour else ${hour}::timestamptz end
    where account_id = ${account_id} and id = ${id}`);

export async function endAnomaly(
  tx: Tx,
  account_id: string,
  id: string,
  { hour, latest, reason }: { hour: Date | null; latest: number | null; reason: Anomaly['end_reason'] },
): Promise<Anomaly> {
  const end_hour = hour && new Date(hour.getTime() + 3_600_000);
  await tx.run(sql`
    update anomalies set end_date = ${tx.now}, end_hour = ${end_hour}, end_reason = ${reason},
      latest = coalesce(${latest}::numeric, latest),
      latest_hour = case when ${latest}::numeric is null then latest_hour else ${hour}::timestamptz end
    where account_id = ${account_id} and id = ${id} and end_date is null`);
  return (await findAnomaly(tx, account_id, id))!;
}
