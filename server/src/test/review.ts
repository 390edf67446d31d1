/** A company's verification form, and companies waiting for approval. */
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Company, makeCompany } from './make.ts';

export const companyForm = (company_name: string, change: object = {}) => ({
  company_name,
  country_code: 'GB',
  company_address: '1 Quay Street, Bristol',
  company_website: '',
  company_size: '1-50',
  industry_id: 9,
  vat_number: '',
  use_case: 'Appointment reminders for our own customers',
  interests: ['sms'],
  monthly_volume: 'under_1000',
  ...change,
});

export async function makeReview(
  kernel: Kernel,
  { account_id, user_id }: { account_id: string; user_id: string },
  form: object = companyForm('Company'),
  { status = 'OPEN', minutes_ago = 0 }: { status?: string; minutes_ago?: number } = {},
): Promise<string> {
  const id = newId();
  await kernel.db.run(sql`
    insert into account_reviews (account_id, id, status, form, submitted_by, reason, create_date, decide_date)
    values (${account_id}, ${id}, ${status}, ${JSON.stringify(form)}::jsonb, ${user_id},
            ${status === 'OPEN' ? '' : 'No'}, now() - make_interval(mins => ${minutes_ago}),
            case when ${status} <> 'OPEN' then now() end)`);
  return id;
}

export async function makeApplicant(
  kernel: Kernel,
  company_name: string,
  change: object = {},
  minutes_ago = 0,
): Promise<Company & { id: string }> {
  const company = await makeCompany(kernel, { status: 'UNVERIFIED' });
  await kernel.db.run(sql`
    update accounts set status = 'FORM_SUBMITTED', company_name = ${company_name} where id = ${company.account_id}`);
  return { ...company, id: await makeReview(kernel, company, companyForm(company_name, change), { minutes_ago }) };
}

/** An active stop of messages to a number range. */
export async function makeTrafficStop(kernel: Kernel, account_id: string): Promise<string> {
  const id = newId();
  await kernel.db.run(sql`
    insert into account_code_stops (account_id, id, traffic, kind, place, country, sends, usual, stop_date)
    values (${account_id}, ${id}, 'messages', 'range', ${id}, 'GB', 0, 0, now())`);
  return id;
}
