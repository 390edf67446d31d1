/**
 * A person (login) and the company they enter when they sign in. Of the companies open to them, they enter the one they
 * used last.
 */

import { type Queryable, raw, type Sql, sql } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';

export interface Person {
  login_id: string;
  email: string;
  password_hash: string | null;
  phone_number: string | null;
  status: 'NEW' | 'EMAIL_VERIFIED' | 'PHONE_VERIFIED';
  /** Null if the person belongs to no company. */
  account_id: string | null;
  user_id: string | null;
  is_owner: boolean;
  first_name: string;
  last_name: string;
  company_name: string;
  country_code: string;
  /** True if the user or the whole account is blocked. */
  blocked: boolean;
  closed: boolean;
}

const selectPerson = (where: Sql, company: Sql): Sql => sql`
  select l.id as login_id, l.email, l.password_hash, l.phone_number, l.status, m.account_id, m.user_id,
         coalesce(m.is_owner, false) as is_owner, coalesce(m.first_name, '') as first_name,
         coalesce(m.last_name, '') as last_name, coalesce(m.company_name, '') as company_name,
         coalesce(m.country_code, '') as country_code, coalesce(m.blocked, false) as blocked,
         coalesce(m.closed, false) as closed
  from logins l left join lateral (
    select u.account_id, u.id as user_id, u.is_owner, u.first_name, u.last_name, a.company_name, a.country_code,
           u.blocked or a.status = 'BLOCKED' as blocked, a.close_date is not null as closed
    from users u join accounts a on a.id = u.account_id
    where u.login_id = l.id ${company}
    order by a.close_date is not null or u.blocked or a.status = 'BLOCKED', a.close_date is not null,
             u.last_seen_date desc nulls last, u.create_date
    limit 1) m on true
  where ${where}`;

const anyCompany = raw('');

/** `email` must be in lower case. */
export const findPersonByEmail = (db: Queryable, email: string) =>
  db.maybeOne<Person>(selectPerson(sql`lower(l.email) = ${email}`, anyCompany));

export const findPersonByLogin = (db: Queryable, login_id: string) =>
  db.maybeOne<Person>(selectPerson(sql`l.id = ${login_id}`, anyCompany));

/** Returns the person as a member of this company only. */
export const findPersonInAccount = (db: Queryable, login_id: string, account_id: string) =>
  db.maybeOne<Person>(selectPerson(sql`l.id = ${login_id}`, sql`and u.account_id = ${account_id}`));

/** Returns the caller's person. Endpoints with the audience `person` always have one. */
export const readCurrentPerson = (db: Queryable, actor: Actor): Promise<Person> =>
  db.one<Person>(
    selectPerson(
      sql`l.id = (select login_id from users where account_id = ${actor.account_id} and id = ${actor.user_id})`,
      sql`and u.account_id = ${actor.account_id}`,
    ),
  );

/** Lists every company that a person belongs to. */
export const listMemberships = (db: Queryable, login_id: string) =>
  db.rows<{ account_id: string; user_id: string; email: string }>(sql`
    select account_id, id as user_id, email from users where login_id = ${login_id} order by account_id`);

export const normalizeEmail = (text: string): string => text.trim().toLowerCase();
