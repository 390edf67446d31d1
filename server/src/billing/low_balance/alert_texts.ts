/**
 * Text messages about a low balance. They go only to users whose phone number is confirmed, and the operator pays for
 * them, because the account may have no balance.
 */
import { Problem } from '@parley/contract/problem.ts';
import { DEFAULT_BRAND, readBrand } from '../../kernel/brand/brand.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { nameForStrangers } from '../../kernel/http/stranger.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { formatAmount } from '../payments/mails.ts';

/** Implemented by `messages`, the only module that sends text messages. */
export const alertText = job<{ id: string; number: string; text: string }>('billing.send_alert_text', {
  retry: 3,
  retry_seconds: 1,
  expire_seconds: 120,
});

interface PhoneUser {
  id: string;
  full_name: string;
  number: string;
}

export const listPhoneUsers = (db: Queryable, account_id: string) =>
  db.rows<PhoneUser>(sql`
    select u.id, trim(u.first_name || ' ' || u.last_name) as full_name, l.phone_number as number
    from users u join logins l on l.id = u.login_id
    where u.account_id = ${account_id} and u.remove_date is null and l.status = 'PHONE_VERIFIED'
      and l.phone_number is not null
    order by 2, 1`);

/** Throws ALERT_USER_INVALID if a user is not one of the account, or has no confirmed number. */
export async function requirePhones(tx: Tx, account_id: string, user_ids: readonly string[]): Promise<void> {
  const known = new Set((await listPhoneUsers(tx, account_id)).map(({ id }) => id));
  if (!user_ids.every((id) => known.has(id))) throw new Problem('ALERT_USER_INVALID');
}

interface Alert {
  account_id: string;
  currency: string;
  available_micros: number;
  threshold_micros: number;
}

/** At most once per hour, so that a balance that moves around an amount does not cost a message each time. */
export async function sendTextAlert(tx: Tx, { config }: Pick<Kernel, 'config'>, alert: Alert): Promise<void> {
  const { account_id, currency, available_micros } = alert;
  const due = await tx.maybeOne<{ phone_user_ids: string[] }>(sql`
    update alert_settings set text_date = ${tx.now}
    where account_id = ${account_id} and phone_user_ids <> '{}'
      and (text_date is null or text_date < ${tx.now}::timestamptz - interval '1 hour')
    returning phone_user_ids`);
  if (!due) return;
  const brand = nameForStrangers((await readBrand(tx, account_id)).name, 40, DEFAULT_BRAND.name);
  const text =
    `${brand}: Your balance is below ${formatAmount(alert.threshold_micros, currency)} ` +
    `(${formatAmount(available_micros, currency)} left). Add funds: ${config.PUBLIC_URL}/add-funds`;
  for (const { id, number } of await listPhoneUsers(tx, account_id))
    if (due.phone_user_ids.includes(id)) await enqueue(tx, alertText, { id: newId(), number, text });
}
