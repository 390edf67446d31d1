/**
 * Signing in with a provider's word. People are known by (issuer, subject). An address counts only when the provider confirmed it, and opens a door by
 * itself only where there is no password: else whoever gets hold of an address somewhere else would be in.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { Proof } from '@parley/contract/auth/proof.ts';
import type { SocialNetwork } from '@parley/contract/auth/social_networks.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { record } from '../kernel/security/audit.ts';
import { admit } from './admission.ts';
import { type Person, personByEmail, personByLogin } from './people.ts';
import { demandProof } from './proof.ts';
import { tellLocks } from './second_factor_mails.ts';
import { lockLogin } from './second_factor_queries.ts';
import { locksOf, logEverywhere, socialWays, type Who } from './second_factors.ts';
import { connect, keepTicket, readTicket, type SocialTicket, socialTokenOf, takeTicket } from './social_tickets.ts';
import { visitorOf } from './visitor.ts';

/** For a form to be filled in, or a password to be found. */
const FORM_MINUTES = 10;

export const listProviders = ({ config }: Kernel): { id: string; name: string }[] =>
  config.SIGN_IN_PROVIDERS.map(({ id, name }) => ({ id, name }));

type Answer = SignIn & { first_name: string; last_name: string };

export async function signInSocially(
  tx: Tx,
  who: Pick<Ctx, 'kernel' | 'headers' | 'address' | 'request_id'>,
): Promise<Answer> {
  const token = socialTokenOf(who.headers);
  const ticket = await readTicket(tx, token, tx.now);
  const { email, first_name, last_name } = ticket;
  const found = await personOfTicket(tx, who.kernel, ticket);
  if (typeof found === 'string') {
    await keepTicket(tx, token, FORM_MINUTES);
    const nothing = { access_token: null, expire_date: null, verification_id: null, methods: [] };
    return { ...nothing, next: found, email, first_name, last_name };
  }
  await takeTicket(tx, token);
  await tx.run(sql`
    update social_networks set last_used_date = ${tx.now}, email = ${email}
    where issuer = ${ticket.issuer} and subject = ${ticket.subject}`);
  return { ...(await admit(tx, who.kernel, found, visitorOf(who), { method: 'social' })), first_name, last_name };
}

async function personOfTicket(tx: Tx, kernel: Kernel, ticket: SocialTicket): Promise<Person | 'link' | 'sign_up'> {
  const known = await tx.maybeOne<{ login_id: string }>(sql`
    select login_id from social_networks where issuer = ${ticket.issuer} and subject = ${ticket.subject}`);
  if (known) return (await personByLogin(tx, known.login_id))!;
  if (!ticket.email_verified || ticket.email === '') return 'sign_up';
  const person = await personByEmail(tx, ticket.email);
  if (!person) return 'sign_up';
  if (person.password_hash !== null) return 'link';
  // Somebody else may have typed this address first.
  if (person.status === 'NEW') return 'sign_up';
  await connect(tx, person.login_id, ticket);
  await told(tx, null, kernel, person.login_id, person.email, 'connected', ticket);
  return person;
}

async function told(
  tx: Tx,
  who: Parameters<typeof record>[1] | null,
  kernel: Kernel,
  login_id: string,
  mailbox: string,
  what: 'connected' | 'disconnected',
  network: { provider: string; email: string },
): Promise<void> {
  const name = nameOf(kernel, network.provider);
  await logEverywhere(tx, who, login_id, `social_network.${what}`, {
    provider: network.provider,
    email: network.email,
  });
  await tellLocks(tx, kernel, mailbox, `social_${what}`, [`${name}: ${network.email || 'without an address'}`]);
}

const nameOf = ({ config }: Kernel, provider: string): string =>
  config.SIGN_IN_PROVIDERS.find(({ id }) => id === provider)?.name ?? provider;

interface Row {
  provider: string;
  email: string;
  create_date: string;
}

/** Those that are set up, and those that were and are connected still. */
export async function listSocialNetworks(db: Queryable, kernel: Kernel, actor: Ctx['actor']): Promise<SocialNetwork[]> {
  const rows = await db.rows<Row>(sql`
    select n.provider, n.email, n.create_date
    from social_networks n join users u on u.login_id = n.login_id
    where u.account_id = ${actor.account_id} and u.id = ${actor.user_id} order by n.provider`);
  const ids = new Set([
    ...kernel.config.SIGN_IN_PROVIDERS.map(({ id }) => id),
    ...rows.map(({ provider }) => provider),
  ]);
  return [...ids].map((provider) => {
    const row = rows.find((one) => one.provider === provider);
    return {
      provider,
      name: nameOf(kernel, provider),
      connected: row !== undefined,
      email: row?.email ?? '',
      connect_date: row?.create_date ?? null,
    };
  });
}

/** Looked at first: a proof is not spent on a ticket that is gone. Whoever is asked for a proof keeps the ticket until they have given it. */
export async function connectSocialNetwork(who: Who, proof: Proof): Promise<null> {
  const { kernel, actor, headers } = who;
  const token = socialTokenOf(headers);
  await readTicket(kernel.db, token, kernel.clock.now());
  await demandProof(who, proof, 'later').catch(async (error: unknown) => {
    await kernel.db.tx((tx) => keepTicket(tx, token, FORM_MINUTES));
    throw error;
  });
  return kernel.db.tx(async (tx) => {
    const ticket = await takeTicket(tx, token);
    const { login_id, email } = await locksOf(tx, actor);
    await connect(tx, login_id, ticket);
    await told(tx, who, kernel, login_id, email, 'connected', ticket);
    return null;
  });
}

export async function disconnectSocialNetwork(tx: Tx, who: Who, provider: string): Promise<null> {
  const { login_id } = await locksOf(tx, who.actor);
  await lockLogin(tx, login_id);
  const locks = await locksOf(tx, who.actor);
  const gone = await tx.maybeOne<{ provider: string; email: string }>(sql`
    delete from social_networks where login_id = ${login_id} and provider = ${provider} returning provider, email`);
  if (!gone) throw new Problem('SIGN_IN_PROVIDER_NOT_FOUND');
  const others = socialWays(who.kernel, {
    ...locks,
    social_providers: locks.social_providers.filter((id) => id !== provider),
  });
  if (locks.password_hash === null && locks.passkeys === 0 && others === 0) throw new Problem('LAST_SIGN_IN_METHOD');
  await told(tx, who, who.kernel, login_id, locks.email, 'disconnected', gone);
  return null;
}
