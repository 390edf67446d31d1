/**
 * Replaces the demo company by a fresh one with the same users, API keys, sessions, and chat senders. The old one is
 * closed, like a company that its owner closes, and loses only what can exist once. So the books and the audit log stay
 * append-only, also in the demo.
 */
import { Problem } from '@parley/contract/problem.ts';
import { releaseNumbers } from '../../accounts/accounts.ts';
import { countOpenWork } from '../../accounts/lifecycle_queries.ts';
import { endSessions } from '../../auth/auth.ts';
import { credit } from '../../billing/billing.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { seedHistory } from '../history/history.ts';
import { START_BALANCE, seedAudience, seedSenders } from '../seed.ts';

/** Returns the ID of the fresh company. Throws ACCOUNT_CLOSE_NOT_ALLOWED while work is in progress. */
export async function replaceCompany(tx: Tx, old_id: string, isFilled: boolean): Promise<string> {
  await requireIdle(tx, old_id);
  const account_id = newId();
  await closeOld(tx, old_id);
  await tx.run(sql`
    insert into accounts (id, company_name, country_code, currency, status, timezone, channels, industry_id)
    select ${account_id}, company_name, country_code, currency, 'VERIFIED', timezone, channels, industry_id
    from accounts where id = ${old_id}`);
  await tx.run(sql`
    insert into balances (account_id, currency) select id, currency from accounts where id = ${account_id}`);
  await moveUsers(tx, old_id, account_id);
  await seedSenders(tx, account_id);
  await moveChatSenders(tx, old_id, account_id);
  if (isFilled) await seedHistory(tx, account_id);
  await credit(tx, { account_id, amount_micros: START_BALANCE, kind: 'bonus', key: 'demo', note: 'Demo balance' });
  if (isFilled) await seedAudience(tx, account_id);
  return account_id;
}

async function requireIdle(tx: Tx, account_id: string): Promise<void> {
  const { messages, campaigns, sub_accounts } = await countOpenWork(tx, account_id);
  const open = [messages && 'messages', campaigns && 'campaigns', sub_accounts && 'sub-accounts'].filter(Boolean);
  if (open.length > 0)
    throw new Problem('ACCOUNT_CLOSE_NOT_ALLOWED', {
      message: `Still open: ${open.join(', ')}. Cancel or close them, or wait until they are finished.`,
    });
}

/** Unique values are removed from the old company: its name, the addresses of its senders, and its short links. */
async function closeOld(tx: Tx, account_id: string): Promise<void> {
  await tx.run(sql`update accounts set close_date = ${tx.now}, update_date = ${tx.now} where id = ${account_id}`);
  await tx.run(sql`delete from inbound_addresses where account_id = ${account_id}`);
  await tx.run(sql`delete from link_codes where account_id = ${account_id}`);
  await tx.run(sql`delete from crm_connections where account_id = ${account_id}`);
  await tx.run(sql`delete from invitations where account_id = ${account_id}`);
  await enqueue(tx, releaseNumbers, { account_id });
}

/**
 * Users get new IDs, because the log of the old company keeps theirs. Their sessions and API keys continue in the fresh
 * company. Sessions of operators in the old one end.
 */
async function moveUsers(tx: Tx, old_id: string, account_id: string): Promise<void> {
  const users = await tx.rows<{ id: string }>(sql`
    select id from users where account_id = ${old_id} and login_id is not null order by id for update`);
  const ids = users.map(({ id }) => ({ old_id: id, id: newId() }));
  const moved = sql`jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as moved(old_id uuid, id uuid)`;
  await tx.run(sql`
    insert into users (account_id, id, email, first_name, last_name, position, permissions, is_owner, create_date,
                       login_id, news_seen)
    select ${account_id}, moved.id, email, first_name, last_name, position, permissions, is_owner, create_date,
      login_id, news_seen
    from ${moved} join users u on u.account_id = ${old_id} and u.id = moved.old_id`);
  await tx.run(sql`
    update users set login_id = null, remove_date = ${tx.now} where account_id = ${old_id} and login_id is not null`);
  await tx.run(sql`
    update sessions s set account_id = ${account_id}, user_id = moved.id from ${moved}
    where s.account_id = ${old_id} and s.user_id = moved.old_id and s.revoke_date is null and s.real_user_id is null`);
  await endSessions(tx, { account_id: old_id });
  await tx.run(sql`
    update api_keys k set account_id = ${account_id},
      user_id = (select moved.id from ${moved} where moved.old_id = k.user_id)
    where k.account_id = ${old_id} and k.revoke_date is null`);
}

/** The sandbox knows the chat senders, so the fresh company takes them over. */
async function moveChatSenders(tx: Tx, old_id: string, account_id: string): Promise<void> {
  const senders = await tx.rows<{ id: string; channel: string; carrier_address: string | null }>(sql`
    select distinct on (channel) id, channel, carrier_address from senders
    where account_id = ${old_id} and connection_id is not null and type = 'business' and delete_date is null
    order by channel, id`);
  for (const { id: old_sender, channel, carrier_address } of senders) {
    const id = newId();
    await tx.run(sql`
      insert into senders (account_id, id, name, code, channel, type, status, brand, business_name, connection_id,
                           carrier_address)
      select ${account_id}, ${id}, name, code, channel, type, status, brand, business_name, connection_id,
        carrier_address
      from senders where account_id = ${old_id} and id = ${old_sender}`);
    await tx.run(sql`
      insert into sender_registrations (account_id, sender_id, whatsapp, viber)
      select ${account_id}, ${id}, whatsapp, viber from sender_registrations
      where account_id = ${old_id} and sender_id = ${old_sender}`);
    if (carrier_address)
      await tx.run(sql`
        insert into inbound_addresses (channel, address, account_id, sender_id)
        values (${channel}, ${carrier_address}, ${account_id}, ${id})`);
  }
  await tx.run(sql`
    update senders set status = 'canceled', carrier_address = null, delete_date = ${tx.now}, update_date = ${tx.now}
    where account_id = ${old_id} and delete_date is null`);
}
