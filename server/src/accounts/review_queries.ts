import type { AccountReview, VerificationForm } from '@parley/contract/accounts/company.ts';
import { type Queryable, raw, sql } from '../kernel/db/db.ts';

/** Columns of review `r` and its account `a`. */
const reviewColumns = raw(`
  r.id, r.account_id, a.company_name, r.status, r.form, r.reason, r.reviewer_name, r.create_date, r.decide_date`);

/** Selects a review for operators, who can see the reviews of all accounts. */
export const review = (db: Queryable, id: string) =>
  db.maybeOne<AccountReview>(sql`
    select ${reviewColumns} from account_reviews r join accounts a on a.id = r.account_id where r.id = ${id}`);

export const selectReviews = (db: Queryable, account_id: string) =>
  db.rows<AccountReview>(sql`
    select ${reviewColumns} from account_reviews r join accounts a on a.id = r.account_id
    where r.account_id = ${account_id} order by r.id desc limit 100`);

export const insertReview = (
  db: Queryable,
  review: { account_id: string; id: string; form: VerificationForm; submitted_by: string },
) =>
  db.run(sql`
    insert into account_reviews (account_id, id, form, submitted_by)
    values (${review.account_id}, ${review.id}, ${JSON.stringify(review.form)}::jsonb, ${review.submitted_by})`);

export const decideReview = (
  db: Queryable,
  account_id: string,
  id: string,
  decision: {
    status: string;
    reason: string;
    reviewer_id: string | null;
    reviewer_account_id: string;
    now: Date;
  },
) =>
  db.run(sql`
    update account_reviews set status = ${decision.status}, reason = ${decision.reason},
      reviewer_id = ${decision.reviewer_id}, decide_date = ${decision.now},
      reviewer_name = coalesce((select trim(first_name || ' ' || last_name) from users
        where account_id = ${decision.reviewer_account_id} and id = ${decision.reviewer_id}::uuid), '')
    where account_id = ${account_id} and id = ${id}`);

export const hasOwnerPhone = async (db: Queryable, account_id: string): Promise<boolean> =>
  (
    await db.one<{ has: boolean }>(sql`
      select exists (
        select 1 from users u join logins l on l.id = u.login_id
        where u.account_id = ${account_id} and u.is_owner and l.status = 'PHONE_VERIFIED') as has`)
  ).has;

/** Saves an operator's correction while the form is in review. The audit log keeps the old values. */
export const correctForm = (
  db: Queryable,
  account_id: string,
  change: Pick<VerificationForm, 'company_name' | 'country_code'>,
) =>
  db.run(sql`
    update account_reviews set form = form || ${JSON.stringify(change)}::jsonb
    where account_id = ${account_id} and status = 'OPEN'`);

/** Copies the details on a form to the account. */
export const applyForm = (db: Queryable, account_id: string, form: AccountReview['form']) =>
  db.run(sql`
    update accounts set company_name = ${form.company_name}, name_held = true, country_code = ${form.country_code},
      company_address = ${form.company_address}, company_website = ${form.company_website},
      company_size = ${form.company_size}, industry_id = ${form.industry_id}, vat_number = ${form.vat_number},
      use_case = ${form.use_case}, interests = ${form.interests}, update_date = now()
    where id = ${account_id}`);

/** Shows the welcome popup once more, because approval unlocks its shortcuts. */
export const reopenWelcome = (db: Queryable, account_id: string) =>
  db.run(sql`update accounts set preference = preference - 'welcome_closed' where id = ${account_id}`);
