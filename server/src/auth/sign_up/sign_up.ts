/**
 * Signing up creates a person, their company, and its empty balance. If the address already has a user, nothing is
 * created, the response is the same, and the user is notified by email. An address that was never confirmed also counts
 * as taken. Otherwise, someone could sign up first with another person's address, and would know the password once that
 * person confirms it.
 */

import { TRIAL_TAG } from '@parley/contract/accounts/accounts.ts';
import { customerChanged } from '@parley/contract/admin/customers.ts';
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { signUp as signUpEndpoint } from '@parley/contract/auth/sign_up.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx, violates } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import { isCountry, phoneCountry, readPhone, requireCodeCountry } from '../../verify/verify.ts';
import * as attempts from '../passwords/attempts.ts';
import { hashPassword, rejectWeakPassword } from '../passwords/passwords.ts';
import { actingAs, type Client } from '../people/client.ts';
import { findPersonByEmail, normalizeEmail, type Person } from '../people/people.ts';
import { admit } from '../sign_in/admission.ts';
import { keepSignUpPassword, repeatSignUp } from '../sign_in/sign_up_passwords.ts';
import { connectIdentity, readTicket, type SocialTicket, useTicket } from '../social/tickets.ts';
import { accountCurrency } from './currencies.ts';

type Body = Parsed<typeof signUpEndpoint>['body'];

interface Origin {
  /** The `X-Source` header: the site or campaign that the person came from. */
  source: string | null;
  social_token: string | null;
}

/** These problems reveal something about another user. Each network gets only a limited number of these responses. */
const REVEALING: ReadonlySet<ProblemName> = new Set([
  'SIGN_UP_EMAIL_BLOCKED',
  'SIGN_UP_PHONE_BLOCKED',
  'USER_PHONE_EXISTS',
  'COMPANY_NAME_EXISTS',
]);

export async function signUp(kernel: Kernel, body: Body, origin: Origin, client: Client): Promise<SignIn> {
  const email = normalizeEmail(body.email);
  const ticket = origin.social_token ? await readTicket(kernel.db, origin.social_token, kernel.clock.now()) : null;
  if (ticket && normalizeEmail(ticket.email) !== email) throw new Problem('EMAIL_INVALID');
  if (!ticket && !body.password) throw new Problem('PASSWORD_REQUIRED');
  if (!isCountry(body.country_code)) throw new Problem('COUNTRY_INVALID');
  const phone_number = body.phone_number ? readPhone(body.phone_number, body.country_code) : null;
  // Checked while the person still has the form open rather than after they enter the emailed code.
  if (phone_number) requireCodeCountry(kernel.config, phone_number);
  if (body.password) rejectWeakPassword(body.password, [email.split('@')[0]!, body.company_name]);
  const release = await attempts.reserveSignUp(kernel.db, client.address);
  try {
    // The password is also hashed for taken addresses, because hashing is most of the work.
    const password_hash = body.password ? await hashPassword(body.password) : null;
    const confirmed = ticket?.email_verified ?? false;
    const home = new Set([body.country_code, (phone_number && phoneCountry(phone_number)) || body.country_code]);
    const allowed = kernel.config.NEW_ACCOUNT_COUNTRIES === 'home' ? [...home].sort() : null;
    const newcomer = {
      ...body,
      allowed,
      email,
      phone_number,
      password_hash,
      timezone: readZone(body.timezone),
      confirmed,
    };
    const signedIn = await kernel.db.tx(async (tx) => {
      await rejectBlocked(tx, email, phone_number);
      await rejectTakenNames(tx, body.company_name, phone_number);
      const created = await insertSignUp(tx, newcomer);
      const person = (await findPersonByEmail(tx, email))!;
      await keepSignUpPassword(tx, email, confirmed ? null : password_hash);
      await report(tx, created, person, origin, client);
      if (!created) return signUpExistingUser(tx, kernel, person, ticket, client);
      if (origin.social_token) await connectIdentity(tx, person.login_id, await useTicket(tx, origin.social_token));
      return admit(tx, kernel, person, client, { method: ticket ? 'social' : 'password' });
    });
    await release();
    return signedIn;
  } catch (error) {
    const problem = violates(error, 'accounts_company') ? new Problem('COMPANY_NAME_EXISTS') : error;
    if (!(problem instanceof Problem && REVEALING.has(problem.name))) await release();
    throw problem;
  }
}

/**
 * People blocked by an operator cannot sign up again: they get SIGN_UP_EMAIL_BLOCKED if the address is blocked, or
 * SIGN_UP_PHONE_BLOCKED if the phone number is blocked.
 */
async function rejectBlocked(db: Queryable, email: string, phone_number: string | null): Promise<void> {
  const { by_email, by_phone } = await db.one<{ by_email: boolean; by_phone: boolean }>(sql`
    with blocked as (
      select l.email, l.phone_number
      from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
      where (lower(l.email) = ${email} or l.phone_number = ${phone_number}::text)
        and (u.blocked_by_operator or a.blocked_by = 'operator' and u.is_owner)
    )
    select exists (select 1 from blocked where lower(email) = ${email}) as by_email,
           exists (select 1 from blocked where phone_number = ${phone_number}::text) as by_phone`);
  if (by_email) throw new Problem('SIGN_UP_EMAIL_BLOCKED');
  if (by_phone) throw new Problem('SIGN_UP_PHONE_BLOCKED');
}

async function rejectTakenNames(db: Queryable, company_name: string, phone_number: string | null): Promise<void> {
  const { company, phone } = await db.one<{ company: boolean; phone: boolean }>(sql`
    select exists (select 1 from accounts
                   where lower(normalize(company_name, nfkc)) = lower(normalize(${company_name}, nfkc))
                     and parent_id is null and close_date is null and kind = 'CUSTOMER' and name_held) as company,
           exists (select 1 from logins
                   where phone_number = ${phone_number}::text and status = 'PHONE_VERIFIED') as phone`);
  if (company) throw new Problem('COMPANY_NAME_EXISTS');
  if (phone) throw new Problem('USER_PHONE_EXISTS');
}

type Newcomer = Omit<Body, 'phone_number' | 'timezone'> & {
  phone_number: string | null;
  password_hash: string | null;
  timezone: string;
  confirmed: boolean;
  /** The only countries to which the new account may send. Null: all. */
  allowed: string[] | null;
};

/**
 * Creates everything in one statement, or nothing if the address is taken (returns false), so that the database does
 * the same work in both cases. If two sign-ups are concurrent, the second one waits here for the first. A company name
 * is reserved once its owner has confirmed the address.
 */
async function insertSignUp(tx: Tx, body: Newcomer): Promise<boolean> {
  const inserted = await tx.run(sql`
    with login as (
      insert into logins (id, email, password_hash, phone_number, status, create_date, update_date)
      values (${newId()}, ${body.email}, ${body.password_hash}, ${body.phone_number},
              ${body.confirmed ? 'EMAIL_VERIFIED' : 'NEW'}, ${tx.now}, ${tx.now})
      on conflict do nothing returning id
    ), account as (
      insert into accounts (id, company_name, name_held, country_code, currency, status, timezone, tags, industry_id,
                            create_date, update_date)
      select ${newId()}::uuid, ${body.company_name}, ${body.confirmed}::boolean, ${body.country_code},
             ${accountCurrency(body.country_code)}, 'UNVERIFIED', ${body.timezone}, ${[TRIAL_TAG]}::text[],
             ${body.industry_id ?? 9}::int, ${tx.now}::timestamptz, ${tx.now}::timestamptz
      from login returning id, currency
    ), balance as (
      insert into balances (account_id, currency) select id, currency from account
    ), countries as (
      insert into country_blacklists (account_id, only_allowed, allowed, update_date)
      select id, true, ${body.allowed}::text[], ${tx.now}::timestamptz from account
      where ${body.allowed}::text[] is not null
    )
    insert into users (account_id, id, login_id, email, first_name, last_name, permissions, is_owner, create_date,
                       update_date)
    select account.id, ${newId()}::uuid, login.id, ${body.email}, ${body.first_name}, ${body.last_name},
           ${JSON.stringify(allPermissions())}::jsonb, true, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from account, login`);
  return inserted > 0;
}

/**
 * Writes to the audit log of the new company, or of the company that the address belongs to, and refreshes the
 * operators' customer lists.
 */
async function report(
  tx: Tx,
  created: boolean,
  { account_id, user_id, email, company_name }: Person,
  { source, social_token }: Origin,
  client: Client,
): Promise<void> {
  const operators = await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`);
  if (account_id === null || user_id === null) return;
  const social = social_token !== null;
  if (created)
    record(tx, actingAs(client, { account_id, user_id }), {
      action: 'account.signed_up',
      target: { type: 'account', id: account_id, name: company_name },
      detail: { source: source?.slice(0, 200) ?? null, social },
    });
  else
    record(tx, actingAs(client, { account_id, user_id: null }), {
      action: 'session.sign_up_repeated',
      target: { type: 'user', id: user_id, name: email },
      detail: { social },
    });
  for (const { id } of operators) emit(tx, customerChanged, id, { id: account_id });
}

/**
 * A person whose provider confirmed the address may learn that it is taken. They then sign in and connect the provider
 * to their user.
 */
async function signUpExistingUser(
  tx: Tx,
  kernel: Kernel,
  { email, login_id, status }: Person,
  ticket: SocialTicket | null,
  client: Client,
): Promise<SignIn> {
  if (!ticket?.email_verified || status === 'NEW') return repeatSignUp(tx, kernel, email, login_id, client);
  return { access_token: null, expire_date: null, methods: [], email, next: 'link', verification_id: null };
}

function readZone(timezone: string | undefined): string {
  try {
    // Returns the canonical spelling, and throws for an unknown time zone. Offsets such as +02:00 are not time zones.
    if (timezone && /^[A-Za-z]/.test(timezone))
      return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    // A browser may send a time zone that this server does not know.
  }
  return 'UTC';
}
