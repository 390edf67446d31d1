/**
 * Exports all data stored about a person as one file. It contains no hashes, no secrets, and nothing about other
 * people.
 */

import { type Queryable, sql } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { readCurrentPerson } from '../people/people.ts';

const MAX_ENTRIES = 10_000;

export async function exportPersonalData(ctx: Ctx): Promise<void> {
  const { kernel, actor, reply } = ctx;
  const { login_id } = await readCurrentPerson(kernel.db, actor);
  const file = await kernel.db.tx(async (tx) => {
    record(tx, ctx, { action: 'user.personal_data_exported', target: { type: 'user', id: actor.user_id!, name: '' } });
    return readPersonalData(tx, login_id);
  }, 'repeatable read');
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header(
      'content-disposition',
      `attachment; filename="personal-data-${kernel.clock.now().toISOString().slice(0, 10)}.json"`,
    )
    .send(JSON.stringify(file, null, 2));
}

async function readPersonalData(db: Queryable, login_id: string): Promise<Record<string, unknown>> {
  const user_ids = sql`select id from users where login_id = ${login_id}`;
  const person = await db.one(sql`
    select id, email, phone_number, status, password_change_date, totp_date as authenticator_date, create_date,
           update_date
    from logins where id = ${login_id}`);
  const companies = await db.rows(sql`
    select u.id, u.account_id, a.company_name, u.email, u.first_name, u.last_name, u.position, u.is_owner, u.blocked,
           u.permissions, u.news_seen, u.last_seen_date, u.create_date, u.update_date
    from users u join accounts a on a.id = u.account_id where u.login_id = ${login_id} order by u.create_date`);
  const sessions = await db.rows(sql`
    select id, account_id, method, second_factor, address, agent, create_date, last_used_date, expire_date, revoke_date
    from sessions where login_id = ${login_id} and real_user_id is null order by create_date`);
  const passkeys = await db.rows(sql`
    select id, name, create_date, last_used_date from passkeys where login_id = ${login_id} order by create_date`);
  const sign_in_providers = await db.rows(sql`
    select provider, issuer, subject, email, create_date, last_used_date
    from social_networks where login_id = ${login_id}`);
  const codes_sent = await db.rows(sql`
    select purpose, target, network, create_date, use_date from verifications
    where login_id = ${login_id} and purpose <> 'login' order by create_date`);
  const invitations = await db.rows(sql`
    select i.account_id, a.company_name, i.email, i.first_name, i.last_name, i.position, i.status, i.create_date,
           i.accept_date
    from invitations i join accounts a on a.id = i.account_id
    where lower(i.email) = (select lower(email) from logins where id = ${login_id}) or i.user_id in (${user_ids})
    order by i.create_date`);
  const acts = await db.rows(sql`
    with acts as (
      select l.* from users u join audit_log l on l.account_id = u.account_id and l.user_id = u.id
      where u.login_id = ${login_id} and l.real_user_id is null
      union all
      select l.* from users u join audit_log l on l.real_user_id = u.id where u.login_id = ${login_id}
    )
    select account_id, action, target_type, target_id, detail, address, agent, create_date from acts
    order by create_date desc limit ${MAX_ENTRIES}`);
  const messages_written = await db.one<{ count: number }>(sql`
    select count(*) as count from messages
    where (account_id, user_id) in (select account_id, id from users where login_id = ${login_id})
      and direction = 'MT'`);
  return {
    person,
    companies,
    sessions,
    passkeys,
    sign_in_providers,
    codes_sent,
    invitations,
    acts,
    messages_written: messages_written.count,
  };
}
