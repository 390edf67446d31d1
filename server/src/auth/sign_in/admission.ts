/**
 * `admit` is the only way for a sign-in to open a session, regardless of the method. It checks these conditions in
 * order: no open company (ACCOUNT_CLOSED), blocked (USER_BLOCKED, which is returned only for valid credentials),
 * unconfirmed address, missing second factor.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { Problem } from '@parley/contract/problem.ts';
import { CODE_MINUTES } from '@parley/contract/verify/codes.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { addressNetwork } from '../../kernel/http/network.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { record } from '../../kernel/security/audit.ts';
import { wireTime } from '../../verify/verify.ts';
import { listFactors } from '../factors/factors.ts';
import * as attempts from '../passwords/attempts.ts';
import { actingAs, type Client } from '../people/client.ts';
import { requestSignUpCode } from '../people/code_mails.ts';
import { describeDevice } from '../people/device.ts';
import * as mails from '../people/mails.ts';
import type { Person } from '../people/people.ts';
import { openSession, SESSIONS_KEPT_DAYS, type SignInMethod } from '../sessions/sessions.ts';

export interface Authentication {
  method: Exclude<SignInMethod, 'switch' | 'impersonation'>;
  /** True if the method counts as both factors or the second factor was given. */
  second_factor?: boolean;
}

export async function admit(
  tx: Tx,
  kernel: Kernel,
  person: Person,
  client: Client,
  authentication: Authentication,
): Promise<SignIn> {
  const { login_id, account_id, user_id, email } = person;
  if (account_id === null || user_id === null || person.closed) throw new Problem('ACCOUNT_CLOSED');
  if (person.blocked) {
    attempts.countRefusal('blocked');
    throw new Problem('USER_BLOCKED');
  }
  const noSession = { access_token: null, expire_date: null, verification_id: null, methods: [], email };
  if (person.status === 'NEW')
    return {
      ...noSession,
      next: 'email_verification',
      verification_id: (await requestSignUpCode(tx, kernel, person, client, 'keep')).id,
    };
  const methods = authentication.second_factor ? [] : await listFactors(tx, login_id);
  if (methods.length > 0)
    return {
      ...noSession,
      next: 'login_verification',
      verification_id: await awaitSecondFactor(tx, person, client, authentication.method),
      methods,
    };
  await notifyNewDevice(tx, kernel, person, client);
  const { access_token, expire_date } = await openSession(tx, { account_id, user_id }, client, authentication);
  await tx.run(sql`
    update users set last_seen_date = ${tx.now} where account_id = ${account_id} and id = ${user_id}`);
  await attempts.clearFailures(tx, email.toLowerCase(), client.address);
  record(tx, actingAs(client, { account_id, user_id }), {
    action: 'session.signed_in',
    target: { type: 'user', id: user_id, name: email },
    detail: { method: authentication.method, second_factor: authentication.second_factor ?? false },
  });
  return { access_token, expire_date, next: null, verification_id: null, methods: [], email };
}

/** Remembers the first factor for ten minutes. It applies only to this company and sign-in method. */
async function awaitSecondFactor(tx: Tx, person: Person, client: Client, method: SignInMethod): Promise<string> {
  const id = newId();
  const expire_date = new Date(tx.now.getTime() + CODE_MINUTES * 60_000);
  await tx.run(sql`
    insert into verifications (id, purpose, login_id, account_id, user_id, target, network, code_hash, detail,
                               create_date, send_date, expire_date)
    values (${id}, 'login', ${person.login_id}, ${person.account_id}, ${person.user_id}, ${person.email},
            ${addressNetwork(client.address)}, '', ${JSON.stringify({ method })}::jsonb, ${tx.now}, ${tx.now},
            ${expire_date})`);
  return id;
}

/**
 * Emails the person about a new device, at most once a day for each device and network. The first session does not
 * count.
 */
async function notifyNewDevice(tx: Tx, kernel: Kernel, person: Person, client: Client): Promise<void> {
  const sessions = await tx.rows<{ agent: string; address: string }>(sql`
    select distinct agent, address from sessions
    where login_id = ${person.login_id} and real_user_id is null
      and create_date > ${tx.now}::timestamptz - make_interval(days => ${SESSIONS_KEPT_DAYS}) limit 1000`);
  const device = describeDevice(client.agent);
  const network = addressNetwork(client.address);
  const isKnown = sessions.some(
    ({ agent, address }) => describeDevice(agent) === device && addressNetwork(address) === network,
  );
  if (sessions.length === 0 || isKnown) return;
  const at = wireTime(tx.now);
  const key = `device ${person.login_id} ${device} ${network} ${at.slice(0, 10)}`;
  await mails.mailNewDevice(tx, kernel, person.email, { device, address: client.address, at }, key);
}
