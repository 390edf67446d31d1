/**
 * Signing up: a person, their company, its empty balance. For an address that is known nothing is made and the answer is the same; the mailbox is told.
 * An address that was never confirmed counts as known: else a stranger who signed up first would know the password of whoever confirms it.
 */

import { TRIAL_TAG } from '@parley/contract/accounts.ts';
import type { SignIn } from '@parley/contract/auth.ts';
import { customerChanged } from '@parley/contract/customers.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { signUp as signUpEndpoint } from '@parley/contract/sign_up.ts';
import { record } from '../kernel/audit.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx, violates } from '../kernel/db.ts';
import { emit } from '../kernel/events.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { admit } from './admission.ts';
import { sendReset } from './letters.ts';
import { demandUnusual, hashPassword } from './passwords.ts';
import { normalEmail, personByEmail, personByLogin } from './people.ts';
import { isCountry, readPhone } from './phone.ts';
import { connect, readTicket, type SocialTicket, takeTicket } from './social_tickets.ts';
import { actingAs, type Visitor } from './visitor.ts';

type Body = Parsed<typeof signUpEndpoint>['body'];

export interface Origin {
  /** Header `X-Source`: where they came from. */
  source: string | null;
  social_token: string | null;
}

export async function signUp(kernel: Kernel, body: Body, origin: Origin, visitor: Visitor): Promise<SignIn> {
  const email = normalEmail(body.email);
  const ticket = origin.social_token ? await readTicket(kernel.db, origin.social_token, kernel.clock.now()) : null;
  if (ticket && normalEmail(ticket.email) !== email) throw new Problem(1113);
  if (!ticket && !body.password) throw new Problem(1105);
  if (!isCountry(body.country_code)) throw new Problem(1166);
  const phone_number = body.phone_number ? readPhone(body.phone_number, body.country_code) : null;
  if (body.password) demandUnusual(body.password, [email.split('@')[0]!, body.company_name]);
  // For known addresses too: it is most of the work.
  const password_hash = body.password ? await hashPassword(body.password) : null;
  const person = { ...body, email, phone_number, password_hash, timezone: knownZone(body.timezone) };
  try {
    return await kernel.db.tx(async (tx) => {
      await demandWelcome(tx, email, phone_number);
      await demandFreeNames(tx, body.company_name, phone_number);
      const login_id = await insertLogin(tx, person, ticket?.email_verified ?? false);
      if (!login_id) return alreadyThere(tx, kernel, email, ticket, visitor);
      await insertCompany(tx, login_id, person, origin, visitor);
      if (origin.social_token) await connect(tx, login_id, await takeTicket(tx, origin.social_token));
      const created = (await personByLogin(tx, login_id))!;
      return admit(tx, kernel, created, visitor, { method: ticket ? 'social' : 'password' });
    });
  } catch (error) {
    if (violates(error, 'accounts_company')) throw new Problem(1129);
    throw error;
  }
}

/** Whom operators have shut out does not come back by the front door: 1002 by address, 1137 by phone. */
async function demandWelcome(db: Queryable, email: string, phone_number: string | null): Promise<void> {
  const { by_email, by_phone } = await db.one<{ by_email: boolean; by_phone: boolean }>(sql`
    with shut_out as (
      select l.email, l.phone_number from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
      where (lower(l.email) = ${email} or l.phone_number = ${phone_number}::text)
        and (u.blocked_by_operator or a.blocked_by = 'operator' and u.is_owner)
    )
    select exists (select 1 from shut_out where lower(email) = ${email}) as by_email,
           exists (select 1 from shut_out where phone_number = ${phone_number}::text) as by_phone`);
  if (by_email) throw new Problem(1002);
  if (by_phone) throw new Problem(1137);
}

async function demandFreeNames(db: Queryable, company_name: string, phone_number: string | null): Promise<void> {
  const { company, phone } = await db.one<{ company: boolean; phone: boolean }>(sql`
    select exists (select 1 from accounts where lower(company_name) = lower(${company_name}) and parent_id is null
                     and close_date is null and kind = 'CUSTOMER') as company,
           exists (select 1 from logins where phone_number = ${phone_number}::text and status = 'PHONE_VERIFIED') as phone`);
  if (company) throw new Problem(1129);
  if (phone) throw new Problem(1133);
}

/** Null: somebody has the address. Of two at the same moment the second waits here for the first. */
async function insertLogin(
  tx: Tx,
  person: { email: string; password_hash: string | null; phone_number: string | null },
  confirmed: boolean,
): Promise<string | null> {
  const row = await tx.maybeOne<{ id: string }>(sql`
    insert into logins (id, email, password_hash, phone_number, status, create_date, update_date)
    values (${newId()}, ${person.email}, ${person.password_hash}, ${person.phone_number}, ${confirmed ? 'EMAIL_VERIFIED' : 'NEW'},
            ${tx.now}, ${tx.now})
    on conflict do nothing returning id`);
  return row?.id ?? null;
}

// Whoever came by a provider that vouches for the address may be told: sign in and connect the two.
async function alreadyThere(
  tx: Tx,
  kernel: Kernel,
  email: string,
  ticket: SocialTicket | null,
  visitor: Visitor,
): Promise<SignIn> {
  const answer = { access_token: null, expire_date: null, methods: [], email };
  const known = await personByEmail(tx, email);
  if (ticket?.email_verified && known?.status !== 'NEW') return { ...answer, next: 'link', verification_id: null };
  const login_id = known?.login_id ?? null;
  const { id } = await sendReset(tx, kernel, 'already_there', { email, login_id }, visitor);
  return { ...answer, next: 'email_verification', verification_id: id };
}

async function insertCompany(
  tx: Tx,
  login_id: string,
  body: Omit<Body, 'phone_number' | 'timezone'> & { timezone: string },
  { source, social_token }: Origin,
  visitor: Visitor,
): Promise<void> {
  const account_id = newId();
  const user_id = newId();
  await tx.run(sql`
    insert into accounts (id, company_name, country_code, currency, status, timezone, tags, industry_id, create_date, update_date)
    values (${account_id}, ${body.company_name}, ${body.country_code}, 'USD', 'UNVERIFIED', ${body.timezone}, ${[TRIAL_TAG]},
            ${body.industry_id ?? 9}, ${tx.now}, ${tx.now})`);
  await tx.run(sql`insert into balances (account_id, currency) values (${account_id}, 'USD')`);
  await tx.run(sql`
    insert into users (account_id, id, login_id, email, first_name, last_name, permissions, is_owner, create_date, update_date)
    values (${account_id}, ${user_id}, ${login_id}, ${body.email}, ${body.first_name}, ${body.last_name},
            ${JSON.stringify(allPermissions())}::jsonb, true, ${tx.now}, ${tx.now})`);
  record(tx, actingAs(visitor, { account_id, user_id }), {
    action: 'account.signed_up',
    target: { type: 'account', id: account_id, name: body.company_name },
    detail: { source: source?.slice(0, 200) ?? null, social: social_token !== null },
  });
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, customerChanged, id, { id: account_id });
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
