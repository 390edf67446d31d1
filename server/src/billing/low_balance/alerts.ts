/** Credit alerts: emails and an event when the balance falls below an amount, one for each crossing. */
import type { CreditAlert, saveCreditAlert as Save } from '@parley/contract/billing/low_balance.ts';
import { balanceLow } from '@parley/contract/billing/money_events.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { type BalanceRow, balanceCrossed } from '../ledger/balance.ts';
import { listPhoneUsers, requirePhones, sendTextAlert } from './alert_texts.ts';
import type { AlertLevel } from './levels.ts';
import { mailAlert } from './mails.ts';

interface Settings {
  enabled: boolean;
  emails: string[];
  phone_user_ids: string[];
}

const findSettings = (db: Queryable, account_id: string) =>
  db.maybeOne<Settings>(sql`
    select enabled, emails, phone_user_ids from alert_settings where account_id = ${account_id}`);

export async function getCreditAlert(db: Queryable, { account_id }: Actor, id: string): Promise<CreditAlert> {
  if (id !== account_id) throw new Problem('BALANCE_NOT_FOUND');
  const settings = (await findSettings(db, account_id)) ?? { enabled: false, emails: [], phone_user_ids: [] };
  const people = await listPhoneUsers(db, account_id);
  const levels = await db.rows<{ threshold_micros: number }>(sql`
    select threshold_micros from credit_alerts where account_id = ${account_id} order by threshold_micros desc`);
  const known = new Set(people.map((person) => person.id));
  return {
    ...{ id, account_id, ...settings, thresholds_micros: levels.map(({ threshold_micros }) => threshold_micros) },
    // Users who have left, or changed their number without confirming it, get nothing.
    phone_user_ids: settings.phone_user_ids.filter((user_id) => known.has(user_id)),
    phone_users: people.map(({ number, ...person }) => ({ ...person, phone_ending: number.slice(-4) })),
  };
}

export async function saveCreditAlert(
  ctx: Ctx,
  id: string,
  { enabled, thresholds_micros, emails, phone_user_ids }: Parsed<typeof Save>['body'],
): Promise<CreditAlert> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  if (id !== account_id) throw new Problem('BALANCE_NOT_FOUND');
  // Serializes this change with the job that sends alerts.
  await tx.run(sql`select 1 from balances where account_id = ${account_id} for update`);
  const users = phone_user_ids && [...new Set(phone_user_ids)];
  if (users) await requirePhones(tx, account_id, users);
  await tx.run(sql`
    insert into alert_settings as s (account_id, enabled, emails, phone_user_ids, update_date)
    values (${account_id}, ${enabled}, ${[...new Set(emails)]}, ${users ?? []}, ${tx.now})
    on conflict (account_id) do update set enabled = excluded.enabled, emails = excluded.emails,
      phone_user_ids = case when ${users !== undefined} then excluded.phone_user_ids else s.phone_user_ids end,
      update_date = excluded.update_date`);
  await tx.run(sql`
    delete from credit_alerts
    where account_id = ${account_id} and threshold_micros <> all(${thresholds_micros}::bigint[])`);
  await tx.run(sql`
    insert into credit_alerts (account_id, threshold_micros)
    select distinct ${account_id}::uuid, unnest(${thresholds_micros}::bigint[]) on conflict do nothing`);
  record(tx, ctx, {
    action: 'alert.changed',
    account_id,
    target: { type: 'account', id: account_id, name: '' },
    detail: { enabled, thresholds_micros, emails, ...(users && { phone_user_ids: users }) },
  });
  await enqueue(tx, balanceCrossed, { account_id });
  return getCreditAlert(tx, actor, id);
}

/** Returns the current levels. The lowest crossed amount is reported once. */
export async function sendAlerts(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  { account_id, available_micros, currency }: BalanceRow,
  levels: readonly AlertLevel[],
): Promise<AlertLevel[]> {
  const next = levels.map((level) => ({ ...level, sent: available_micros < level.threshold_micros }));
  const crossed = levels.filter((level, index) => next[index]!.sent && !level.sent);
  const changed = next.filter((level, index) => level.sent !== levels[index]!.sent);
  for (const { threshold_micros, sent } of changed)
    await tx.run(sql`
      update credit_alerts set sent = ${sent}
      where account_id = ${account_id} and threshold_micros = ${threshold_micros}`);
  const lowest = crossed[0];
  if (lowest) {
    const { emails } = (await findSettings(tx, account_id))!;
    emit(tx, balanceLow, account_id, {
      ...{ id: account_id, available_micros, currency },
      threshold_micros: lowest.threshold_micros,
    });
    const alert = { account_id, currency, available_micros, threshold_micros: lowest.threshold_micros };
    for (const to of emails) await mailAlert(tx, kernel, { ...alert, to });
    await sendTextAlert(tx, kernel, alert);
  }
  return next;
}
