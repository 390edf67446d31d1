/** A company whose trial has ended, to show which features it can still use. Its owner has the demo password. */
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';

/** Age of the account in days: old enough that all emails about the end of the trial are already in the past. */
const AGE_DAYS = 45;
const PAST_TRIAL_OWNER = 'trial@demo.localhost';

export async function seedPastTrial(tx: Tx, password_hash: string): Promise<void> {
  const [account_id, user_id] = [newId(), newId()];
  await tx.run(sql`
    insert into accounts (id, company_name, country_code, currency, status, timezone, tags, channels, create_date)
    values (${account_id}, 'Tallow & Wick', 'GB', 'USD', 'VERIFIED', 'Europe/London', '{PAID0}', '{SMS}',
            ${tx.now}::timestamptz - make_interval(days => ${AGE_DAYS}))`);
  await tx.run(sql`insert into balances (account_id, currency) values (${account_id}, 'USD')`);
  await tx.run(sql`
    insert into logins (id, email, password_hash, phone_number, status)
    values (${user_id}, ${PAST_TRIAL_OWNER}, ${password_hash}, '447700900145', 'PHONE_VERIFIED')`);
  await tx.run(sql`
    insert into users (account_id, id, login_id, email, first_name, last_name, position, permissions, is_owner)
    values (${account_id}, ${user_id}, ${user_id}, ${PAST_TRIAL_OWNER}, 'Una', 'Tallow', 'Owner', '{}', true)`);
}
