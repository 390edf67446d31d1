/** A person's connected identities from sign-in providers. */
import type { Reauthentication } from '@parley/contract/auth/reauthentication.ts';
import type { SocialNetwork } from '@parley/contract/auth/social_networks.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Acting } from '../../kernel/security/audit.ts';
import { type Caller, countProviders, readSecurity, recordSecurityChange } from '../factors/factors.ts';
import { sendSecurityMail } from '../factors/mails.ts';
import { lockLogin } from '../factors/queries.ts';
import { reauthenticate } from '../factors/reauthentication.ts';
import { connectIdentity, extendTicket, readSocialToken, readTicket, useTicket } from './tickets.ts';

/** The time that a ticket is valid while the person fills in a form or enters a password. */
export const FORM_MINUTES = 10;

export const listProviders = ({ config }: Kernel): { id: string; name: string }[] =>
  config.SIGN_IN_PROVIDERS.map(({ id, name }) => ({ id, name }));

/** Records that an identity was connected or disconnected, and emails the person. */
export async function reportChange(
  tx: Tx,
  acting: Acting | null,
  kernel: Kernel,
  login_id: string,
  mailbox: string,
  change: 'connected' | 'disconnected',
  network: { provider: string; email: string },
): Promise<void> {
  const name = providerName(kernel, network.provider);
  await recordSecurityChange(tx, acting, login_id, `social_network.${change}`, {
    provider: network.provider,
    email: network.email,
  });
  await sendSecurityMail(tx, kernel, mailbox, `social_${change}`, [`${name}: ${network.email || 'no address'}`]);
}

const providerName = ({ config }: Kernel, provider: string): string =>
  config.SIGN_IN_PROVIDERS.find(({ id }) => id === provider)?.name ?? provider;

interface Row {
  provider: string;
  email: string;
  create_date: string;
}

/** Lists the configured providers, and those that are no longer configured but still connected. */
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
    const row = rows.find((candidate) => candidate.provider === provider);
    return {
      provider,
      name: providerName(kernel, provider),
      connected: row !== undefined,
      email: row?.email ?? '',
      connect_date: row?.create_date ?? null,
    };
  });
}

/** Reads the ticket first, and extends it if the person must re-authenticate, so that the next request can use it. */
export async function connectSocialNetwork(caller: Caller, credentials: Reauthentication): Promise<null> {
  const { kernel, actor, headers } = caller;
  const token = readSocialToken(headers, kernel.config);
  await readTicket(kernel.db, token, kernel.clock.now());
  await reauthenticate(caller, credentials, 'unless_recent').catch(async (error: unknown) => {
    await kernel.db.tx((tx) => extendTicket(tx, token, FORM_MINUTES));
    throw error;
  });
  return kernel.db.tx(async (tx) => {
    const ticket = await useTicket(tx, token);
    const { login_id, email } = await readSecurity(tx, actor);
    await connectIdentity(tx, login_id, ticket);
    await reportChange(tx, caller, kernel, login_id, email, 'connected', ticket);
    return null;
  });
}

export async function disconnectSocialNetwork(tx: Tx, caller: Caller, provider: string): Promise<null> {
  const { login_id } = await readSecurity(tx, caller.actor);
  await lockLogin(tx, login_id);
  const security = await readSecurity(tx, caller.actor);
  const removed = await tx.maybeOne<{ provider: string; email: string }>(sql`
    delete from social_networks where login_id = ${login_id} and provider = ${provider} returning provider, email`);
  if (!removed) throw new Problem('SIGN_IN_PROVIDER_NOT_FOUND');
  const otherProviders = countProviders(caller.kernel, {
    ...security,
    social_providers: security.social_providers.filter((id) => id !== provider),
  });
  if (security.password_hash === null && security.passkeys === 0 && otherProviders === 0)
    throw new Problem('LAST_SIGN_IN_METHOD');
  await reportChange(tx, caller, caller.kernel, login_id, security.email, 'disconnected', removed);
  return null;
}
