/**
 * Signing up: a person, their company, its empty balance. For an address that is known nothing is made and the answer is the same; the mailbox is told.
 * An address that was never confirmed counts as known: else a stranger who signed up first would know the password of whoever confirms it.
 */

import { TRIAL_TAG } from '@parley/contract/accounts/accounts.ts';
import { customerChanged } from '@parley/contract/admin/customers.ts';
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { signUp as signUpEndpoint } from '@parley/contract/auth/sign_up.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx, violates } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import { admit } from './admission.ts';
import * as attempts from './attempts.ts';
import { currencyFor } from './currencies.ts';
import { sendReset } from './letters.ts';
import { demandUnusual, hashPassword } from './passwords.ts';
import { normalEmail, type Person, personByEmail } from './people.ts';
import { demandCodeCountry, isCountry, readPhone } from './phone.ts';
import { connect, readTicket, type SocialTicket, takeTicket } from './social_tickets.ts';
import { keepTry } from './unconfirmed.ts';
import { actingAs, type Visitor } from './visitor.ts';

type Body = Parsed<typeof signUpEndpoint>['body'];

export interface Origin {
  /** Header `X-Source`: where they came from. */
  source: string | null;
  social_token: string | null;
}

/** What an answer tells of somebody else: too many of these from one network, and nothing is told any more. */
const TELLING: ReadonlySet<ProblemName> = new Set([
  'SIGN_UP_EMAIL_BLOCKED',
  'SIGN_UP_PHONE_BLOCKED',
  'USER_PHONE_EXISTS',
  'COMPANY_NAME_EXISTS',
]);

export async function signUp(kernel: Kernel, body: Body, origin: Origin, visitor: Visitor): Promise<SignIn> {
  const email = normalEmail(body.email);
  const ticket = origin.social_token ? await readTicket(kernel.db, origin.social_token, kernel.clock.now()) : null;
  if (ticket && normalEmail(ticket.email) !== email) throw new Problem('EMAIL_INVALID');
  if (!ticket && !body.password) throw new Problem('PASSWORD_REQUIRED');
  if (!isCountry(body.country_code)) throw new Problem('COUNTRY_INVALID');
  const phone_number = body.phone_number ? readPhone(body.phone_number, body.country_code) : null;
  // Said here, where they still are with their form, and not after the code that goes to the mailbox.
  if (phone_number) demandCodeCountry(kernel.config, phone_number);
  if (body.password) demandUnusual(body.password, [email.split('@')[0]!, body.company_name]);
  const giveBack = await attempts.countSignUp(kernel.db, visitor.address);
  try {
    // For known addresses too: it is most of the work.
    const password_hash = body.password ? await hashPassword(body.password) : null;
    const confirmed = ticket?.email_verified ?? false;
    const person = { ...body, email, phone_number, password_hash, timezone: knownZone(body.timezone), confirmed };
    const answer = await kernel.db.tx(async (tx) => {
      await demandWelcome(tx, email, phone_number);
      await demandFreeNames(tx, body.company_name, phone_number);
      const made = await insertAll(tx, person);
      const found = (await personByEmail(tx, email))!;
      await keepTry(tx, email, confirmed ? null : password_hash);
      await tell(tx, made, found, origin, visitor);
      if (!made) return alreadyThere(tx, kernel, found, ticket, visitor);
      if (origin.social_token) await connect(tx, found.login_id, await takeTicket(tx, origin.social_token));
      return admit(tx, kernel, found, visitor, { method: ticket ? 'social' : 'password' });
    });
    await giveBack();
    return answer;
  } catch (error) {
    const problem = violates(error, 'accounts_company') ? new Problem('COMPANY_NAME_EXISTS') : error;
    if (!(problem instanceof Problem && TELLING.has(problem.name))) await giveBack();
    throw problem;
  }
}

/**
 * Whom operators have shut out does not come back by the front door: SIGN_UP_EMAIL_BLOCKED by address,
 * SIGN_UP_PHONE_BLOCKED by phone.
 */
async function demandWelcome(db: Queryable, email: string, phone_number: string | null): Promise<void> {
  const { by_email, by_phone } = await db.one<{ by_email: boolean; by_phone: boolean }>(sql`
    with shut_out as (
      select l.email, l.phone_number from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
      where (lower(l.email) = ${email} or l.phone_number = ${phone_number}::text)
        and (u.blocked_by_operator or a.blocked_by = 'operator' and u.is_owner)
    )
    select exists (select 1 from shut_out where lower(email) = ${email}) as by_email,
           exists (select 1 from shut_out where phone_number = ${phone_number}::text) as by_phone`);
  if (by_email) throw new Problem('SIGN_UP_EMAIL_BLOCKED');
  if (by_phone) throw new Problem('SIGN_UP_PHONE_BLOCKED');
}

async function demandFreeNames(db: Queryable, company_name: string, phone_number: string | null): Promise<void> {
  const { company, phone } = await db.one<{ company: boolean; phone: boolean }>(sql`
    select exists (select 1 from accounts where lower(normalize(company_name, nfkc)) = lower(normalize(${company_name}, nfkc)) and parent_id is null
                     and close_date is null and kind = 'CUSTOMER' and name_held) as company,
           exists (select 1 from logins where phone_number = ${phone_number}::text and status = 'PHONE_VERIFIED') as phone`);
  if (company) throw new Problem('COMPANY_NAME_EXISTS');
  if (phone) throw new Problem('USER_PHONE_EXISTS');
}

type Newcomer = Omit<Body, 'phone_number' | 'timezone'> & {
  phone_number: string | null;
  password_hash: string | null;
  timezone: string;
  confirmed: boolean;
};

/**
 * One statement, which makes all of it or, where somebody has the address, nothing: false. So the database is asked the same for both. Of two at the
 * same moment the second waits here for the first. A company's name is held from the confirmation on.
 */
async function insertAll(tx: Tx, body: Newcomer): Promise<boolean> {
  const made = await tx.run(sql`
    with login as (
      insert into logins (id, email, password_hash, phone_number, status, create_date, update_date)
      values (${newId()}, ${body.email}, ${body.password_hash}, ${body.phone_number}, ${body.confirmed ? 'EMAIL_VERIFIED' : 'NEW'},
              ${tx.now}, ${tx.now})
      on conflict do nothing returning id
    ), account as (
      insert into accounts (id, company_name, name_held, country_code, currency, status, timezone, tags, industry_id, create_date, update_date)
      select ${newId()}::uuid, ${body.company_name}, ${body.confirmed}::boolean, ${body.country_code}, ${currencyFor(body.country_code)}, 'UNVERIFIED', ${body.timezone},
             ${[TRIAL_TAG]}::text[], ${body.industry_id ?? 9}::int, ${tx.now}::timestamptz, ${tx.now}::timestamptz
      from login returning id, currency
    ), balance as (
      insert into balances (account_id, currency) select id, currency from account
    )
    insert into users (account_id, id, login_id, email, first_name, last_name, permissions, is_owner, create_date, update_date)
    select account.id, ${newId()}::uuid, login.id, ${body.email}, ${body.first_name}, ${body.last_name},
           ${JSON.stringify(allPermissions())}::jsonb, true, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from account, login`);
  return made > 0;
}

/** The new company's log, or that of whoever has the address; and the operators who are looking. */
async function tell(
  tx: Tx,
  made: boolean,
  { account_id, user_id, email, company_name }: Person,
  { source, social_token }: Origin,
  visitor: Visitor,
): Promise<void> {
  const operators = await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`);
  if (account_id === null || user_id === null) return;
  const social = social_token !== null;
  if (made)
    record(tx, actingAs(visitor, { account_id, user_id }), {
      action: 'account.signed_up',
      target: { type: 'account', id: account_id, name: company_name },
      detail: { source: source?.slice(0, 200) ?? null, social },
    });
  else
    record(tx, actingAs(visitor, { account_id, user_id: null }), {
      action: 'session.sign_up_repeated',
      target: { type: 'user', id: user_id, name: email },
      detail: { social },
    });
  for (const { id } of operators) emit(tx, customerChanged, id, { id: account_id });
}

// Whoever came by a provider that vouches for the address may be told: sign in and connect the two.
async function alreadyThere(
  tx: Tx,
  kernel: Kernel,
  { email, login_id, status }: Person,
  ticket: SocialTicket | null,
  visitor: Visitor,
): Promise<SignIn> {
  if (!ticket?.email_verified || status === 'NEW') return answerAlike(tx, kernel, email, login_id, visitor);
  return { access_token: null, expire_date: null, methods: [], email, next: 'link', verification_id: null };
}

/** What somebody hears who just signed up, for an address that is somebody else's, or by now nobody's. */
export async function answerAlike(
  tx: Tx,
  kernel: Kernel,
  address: string,
  login_id: string | null,
  visitor: Visitor,
): Promise<SignIn> {
  const email = normalEmail(address);
  const { id } = await sendReset(tx, kernel, 'already_there', { email, login_id }, visitor);
  return { access_token: null, expire_date: null, methods: [], email, next: 'email_verification', verification_id: id };
}

function knownZone(timezone: string | undefined): string {
  try {
    // The canonical spelling; throws for what is no zone. Offsets such as +02:00 are none.
    if (timezone && /^[A-Za-z]/.test(timezone))
      return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    // A browser may know one that we do not.
  }
  return 'UTC';
}
