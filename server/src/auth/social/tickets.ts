/**
 * A ticket stores what a provider reported about a person. The browser sends it as the social token. `useTicket` uses
 * it up: a second request gets VERIFICATION_EXPIRED, and a rolled-back transaction releases it. People are identified
 * by (issuer, subject), never by their email address.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx, violates } from '../../kernel/db/db.ts';
import type { Config } from '../../kernel/settings/config.ts';
import { hashToken } from '../people/tokens.ts';
import { cookieName, readCookie } from './cookies.ts';

export interface SocialTicket {
  provider: string;
  issuer: string;
  subject: string;
  email: string;
  email_verified: boolean;
  first_name: string;
  last_name: string;
}

/**
 * Set together with the ticket, which is valid only with this cookie, so that attackers cannot plant their own token in
 * a browser.
 */
export const BROWSER_COOKIE = 'parley-social-browser';

/** A ticket is stored as the hash of this token. */
export const ticketToken = (ticket: string, browser: string): string => `${ticket}.${browser}`;

/** Combines the header `X-Social-Token` with the cookie. Throws VERIFICATION_EXPIRED if either is missing. */
export function readSocialToken(headers: IncomingHttpHeaders, config: Pick<Config, 'PUBLIC_URL'>): string {
  const ticket = headers['x-social-token'];
  const browser = readCookie(headers, cookieName(BROWSER_COOKIE, config));
  if (typeof ticket !== 'string' || !/^[\w-]{20,100}$/.test(ticket) || browser === null)
    throw new Problem('VERIFICATION_EXPIRED');
  return ticketToken(ticket, browser);
}

const columns = sql`provider, issuer, subject, email, email_verified, first_name, last_name`;

export async function useTicket(tx: Tx, token: string): Promise<SocialTicket> {
  const ticket = await tx.maybeOne<SocialTicket>(sql`
    update social_tickets set use_date = ${tx.now}
    where ticket_hash = ${hashToken(token)} and use_date is null and expire_date > ${tx.now}
    returning ${columns}`);
  if (!ticket) throw new Problem('VERIFICATION_EXPIRED');
  return ticket;
}

/**
 * Reads a ticket without using it up, because the browser sends the token again with the sign-up form or the password.
 */
export async function readTicket(db: Queryable, token: string, now: Date): Promise<SocialTicket> {
  const ticket = await db.maybeOne<SocialTicket>(sql`
    select ${columns} from social_tickets
    where ticket_hash = ${hashToken(token)} and use_date is null and expire_date > ${now}`);
  if (!ticket) throw new Problem('VERIFICATION_EXPIRED');
  return ticket;
}

/** Extends a ticket, since filling in a form takes longer than a minute. */
export const extendTicket = (tx: Tx, token: string, minutes: number) =>
  tx.run(sql`
    update social_tickets
    set expire_date = greatest(expire_date, ${tx.now}::timestamptz + make_interval(mins => ${minutes}))
    where ticket_hash = ${hashToken(token)} and use_date is null and expire_date > ${tx.now}`);

/**
 * Does nothing if this identity is already connected to the person. Throws SOCIAL_LOGIN_EXISTS if the identity belongs
 * to another user, or this person has another identity from the same provider.
 */
export async function connectIdentity(tx: Tx, login_id: string, ticket: SocialTicket): Promise<void> {
  try {
    const connected = await tx.run(sql`
      insert into social_networks as n (issuer, subject, login_id, provider, email, create_date)
      values (${ticket.issuer}, ${ticket.subject}, ${login_id}, ${ticket.provider}, ${ticket.email}, ${tx.now})
      on conflict (issuer, subject) do update set email = excluded.email where n.login_id = excluded.login_id`);
    if (connected === 0) throw new Problem('SOCIAL_LOGIN_EXISTS');
  } catch (error) {
    if (violates(error)) throw new Problem('SOCIAL_LOGIN_EXISTS');
    throw error;
  }
}
