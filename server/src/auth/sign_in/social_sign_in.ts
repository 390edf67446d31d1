/**
 * Signs people in with a provider. People are identified by (issuer, subject). An email address counts only if the
 * provider has confirmed it, and it opens a session only if its user has no password. Otherwise, anyone who obtained
 * the address elsewhere could sign in.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type AnonymousRequest, readClient } from '../people/client.ts';
import { findPersonByEmail, findPersonByLogin, type Person } from '../people/people.ts';
import { FORM_MINUTES, reportChange } from '../social/networks.ts';
import {
  connectIdentity,
  extendTicket,
  readSocialToken,
  readTicket,
  type SocialTicket,
  useTicket,
} from '../social/tickets.ts';
import { admit } from './admission.ts';

export async function signInSocially(
  tx: Tx,
  request: AnonymousRequest,
): Promise<SignIn & { first_name: string; last_name: string }> {
  const { kernel } = request;
  const token = readSocialToken(request.headers, kernel.config);
  const ticket = await readTicket(tx, token, tx.now);
  const { email, first_name, last_name } = ticket;
  const match = await findPerson(tx, kernel, ticket);
  if (typeof match === 'string') {
    await extendTicket(tx, token, FORM_MINUTES);
    const noSession = { access_token: null, expire_date: null, verification_id: null, methods: [] };
    return { ...noSession, next: match, email, first_name, last_name };
  }
  await useTicket(tx, token);
  await tx.run(sql`
    update social_networks set last_used_date = ${tx.now}, email = ${email}
    where issuer = ${ticket.issuer} and subject = ${ticket.subject}`);
  return { ...(await admit(tx, kernel, match, readClient(request), { method: 'social' })), first_name, last_name };
}

/** Finds the person that an identity belongs to, or returns the step that must come first. */
async function findPerson(tx: Tx, kernel: Kernel, ticket: SocialTicket): Promise<Person | 'link' | 'sign_up'> {
  const identity = await tx.maybeOne<{ login_id: string }>(sql`
    select login_id from social_networks where issuer = ${ticket.issuer} and subject = ${ticket.subject}`);
  if (identity) return (await findPersonByLogin(tx, identity.login_id))!;
  if (!ticket.email_verified || ticket.email === '') return 'sign_up';
  const person = await findPersonByEmail(tx, ticket.email);
  if (!person) return 'sign_up';
  if (person.password_hash !== null) return 'link';
  // Someone else may have entered this address, because it is unconfirmed.
  if (person.status === 'NEW') return 'sign_up';
  await connectIdentity(tx, person.login_id, ticket);
  await reportChange(tx, null, kernel, person.login_id, person.email, 'connected', ticket);
  return person;
}
