/** A person (login) with the company they would enter: the one they were in last, of those that are open to them. */

import { type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';

export interface Person {
  login_id: string;
  email: string;
  password_hash: string | null;
  phone_number: string | null;
  status: 'NEW' | 'EMAIL_VERIFIED' | 'PHONE_VERIFIED';
  /** Null: in no company (any more). */
  account_id: string | null;
  user_id: string | null;
  is_owner: boolean;
  first_name: string;
  last_name: string;
  company_name: string;
  country_code: string;
  /** By a colleague, or with the whole account. */
  blocked: boolean;
  closed: boolean;
}

const person = (whose: Sql, company: Sql): Sql => sql`
  select l.id as login_id, l.email, l.password_hash, l.phone_number, l.status, m.account_id, m.user_id, coalesce(m.is_owner, false) as is_owner,
         coalesce(m.first_name, '') as first_name, coalesce(m.last_name, '') as last_name, coalesce(m.company_name, '') as company_name,
         coalesce(m.country_code, '') as country_code, coalesce(m.blocked, false) as blocked, coalesce(m.closed, false) as closed
  from logins l left join lateral (
    select u.account_id, u.id as user_id, u.is_owner, u.first_name, u.last_name, a.company_name, a.country_code,
           u.blocked or a.status = 'BLOCKED' as blocked, a.close_date is not null as closed
    from users u join accounts a on a.id = u.account_id
    where u.login_id = l.id ${company}
    order by a.close_date is not null or u.blocked or a.status = 'BLOCKED', a.close_date is not null,
             u.last_seen_date desc nulls last, u.create_date
    limit 1) m on true
  where ${whose}`;

const anywhere = raw('');

/** `email` in lower case. */
export const personByEmail = (db: Queryable, email: string) =>
  db.maybeOne<Person>(person(sql`lower(l.email) = ${email}`, anywhere));

export const personByLogin = (db: Queryable, login_id: string) =>
  db.maybeOne<Person>(person(sql`l.id = ${login_id}`, anywhere));

/** In this company and no other. */
export const personIn = (db: Queryable, login_id: string, account_id: string) =>
  db.maybeOne<Person>(person(sql`l.id = ${login_id}`, sql`and u.account_id = ${account_id}`));

/** Who calls. Endpoints of the audience `person` always have one. */
export const personOf = (db: Queryable, actor: Actor): Promise<Person> =>
  db.one<Person>(
    person(
      sql`l.id = (select login_id from users where account_id = ${actor.account_id} and id = ${actor.user_id})`,
      sql`and u.account_id = ${actor.account_id}`,
    ),
  );

/** Companies of a person, for what all of them should hear or write down. */
export const membershipsOf = (db: Queryable, login_id: string) =>
  db.rows<{ account_id: string; user_id: string; email: string }>(sql`
    select account_id, id as user_id, email from users where login_id = ${login_id} order by account_id`);

export const normalEmail = (text: string): string => text.trim().toLowerCase();
