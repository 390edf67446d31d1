/**
 * A company waiting for approval, for the demo's operators. It has no known password, but its owner can request a new
 * one.
 */
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';

const FORM = {
  company_name: 'Orchard Lane Books',
  country_code: 'GB',
  company_address: '7 Orchard Lane, Ludlow',
  company_website: '',
  company_size: '1-50',
  industry_id: 8,
  vat_number: '',
  use_case:
    'Notifying customers when a book they ordered arrives, and announcing readings in the shop to those who opted in.',
  interests: ['sms', 'two_way'],
  monthly_volume: 'under_1000',
};

export async function seedApplicant(tx: Tx): Promise<void> {
  const [account_id, user_id] = [newId(), newId()];
  const email = 'rosa@orchard-lane.localhost';
  await tx.run(sql`
    insert into accounts (id, company_name, country_code, currency, status, timezone, tags, industry_id,
                          company_address, company_size)
    values (${account_id}, ${FORM.company_name}, 'GB', 'USD', 'FORM_SUBMITTED', 'Europe/London', '{PAID0}',
            ${FORM.industry_id}, ${FORM.company_address}, ${FORM.company_size})`);
  await tx.run(sql`insert into balances (account_id, currency) values (${account_id}, 'USD')`);
  await tx.run(sql`
    insert into logins (id, email, phone_number, status)
    values (${user_id}, ${email}, '46701740699', 'PHONE_VERIFIED')`);
  await tx.run(sql`
    insert into users (account_id, id, login_id, email, first_name, last_name, position, permissions, is_owner)
    values (${account_id}, ${user_id}, ${user_id}, ${email}, 'Rosa', 'Tindall', 'Owner', '{}', true)`);
  await tx.run(sql`
    insert into account_reviews (account_id, id, form, submitted_by)
    values (${account_id}, ${newId()}, ${JSON.stringify(FORM)}::jsonb, ${user_id})`);
}
