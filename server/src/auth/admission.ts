/**
 * The one door to a session, whatever a person proved themselves with: `admit`. It decides in this order: no company
 * left or closed (ACCOUNT_CLOSED), blocked (USER_BLOCKED, only ever said after the proof), address not confirmed,
 * second factor missing, in. Nothing else may open a session for a sign-in.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { CODE_MINUTES } from '@parley/contract/auth/sign_up.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import * as attempts from './attempts.ts';
import { deviceOf } from './device.ts';
import { sendSignUpCode } from './letters.ts';
import * as mails from './mails.ts';
import type { Person } from './people.ts';
import { factorsOf } from './second_factors.ts';
import { type Method, openSession, SESSIONS_KEPT_DAYS } from './sessions.ts';
import { actingAs, networkOf, type Visitor, wireTime } from './visitor.ts';

export interface Proof {
  method: Exclude<Method, 'switch' | 'impersonation'>;
  /** The proof stands for both factors, or the second was given. */
  second_factor?: boolean;
}

export async function admit(tx: Tx, kernel: Kernel, person: Person, visitor: Visitor, proof: Proof): Promise<SignIn> {
  const { login_id, account_id, user_id, email } = person;
  if (account_id === null || user_id === null || person.closed) throw new Problem('ACCOUNT_CLOSED');
  if (person.blocked) {
    attempts.refused('blocked');
    throw new Problem('USER_BLOCKED');
  }
  const nothing = { access_token: null, expire_date: null, verification_id: null, methods: [], email };
  if (person.status === 'NEW')
    return {
      ...nothing,
      next: 'email_verification',
      verification_id: (await sendSignUpCode(tx, kernel, person, visitor, 'keep')).id,
    };
  const methods = proof.second_factor ? [] : await factorsOf(tx, login_id);
  if (methods.length > 0)
    return {
      ...nothing,
      next: 'login_verification',
      verification_id: await awaitSecondFactor(tx, person, visitor, proof.method),
      methods,
    };
  await tellNewDevice(tx, kernel, person, visitor);
  const { access_token, expire_date } = await openSession(tx, { account_id, user_id }, visitor, proof);
  await tx.run(sql`
    update users set last_seen_date = ${tx.now} where account_id = ${account_id} and id = ${user_id}`);
  await attempts.succeeded(tx, email.toLowerCase(), visitor.address);
  record(tx, actingAs(visitor, { account_id, user_id }), {
    action: 'session.signed_in',
    target: { type: 'user', id: user_id, name: email },
    detail: { method: proof.method, second_factor: proof.second_factor ?? false },
  });
  return { access_token, expire_date, next: null, verification_id: null, methods: [], email };
}

/** The first factor is remembered for ten minutes, for this company and way of signing in. */
async function awaitSecondFactor(tx: Tx, person: Person, visitor: Visitor, method: Method): Promise<string> {
  const id = newId();
  await tx.run(sql`
    insert into verifications (id, purpose, login_id, account_id, user_id, target, network, code_hash, detail, create_date, send_date, expire_date)
    values (${id}, 'login', ${person.login_id}, ${person.account_id}, ${person.user_id}, ${person.email}, ${networkOf(visitor.address)}, '',
            ${JSON.stringify({ method })}::jsonb, ${tx.now}, ${tx.now}, ${new Date(tx.now.getTime() + CODE_MINUTES * 60_000)})`);
  return id;
}

// Not for the very first session, and once a day for each device and network.
async function tellNewDevice(tx: Tx, kernel: Kernel, person: Person, visitor: Visitor): Promise<void> {
  const before = await tx.rows<{ agent: string; address: string }>(sql`
    select distinct agent, address from sessions
    where login_id = ${person.login_id} and real_user_id is null
      and create_date > ${tx.now}::timestamptz - make_interval(days => ${SESSIONS_KEPT_DAYS}) limit 1000`);
  const device = deviceOf(visitor.agent);
  const network = networkOf(visitor.address);
  if (before.length === 0 || before.some((one) => deviceOf(one.agent) === device && networkOf(one.address) === network))
    return;
  const at = wireTime(tx.now);
  const key = `device ${person.login_id} ${device} ${network} ${at.slice(0, 10)}`;
  await mails.newDevice(tx, kernel, person.email, { device, address: visitor.address, at }, key);
}
