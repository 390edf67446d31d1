/**
 * What a sign-in provider said of somebody, brought back by the browser as the social token. `takeTicket` is its one use: whoever comes second gets
 * 1140. A transaction that fails gives it back. People are known by (issuer, subject), never by their address.
 */
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx, violates } from '../kernel/db.ts';
import { hashToken } from './tokens.ts';

export interface SocialTicket {
  provider: string;
  issuer: string;
  subject: string;
  email: string;
  email_verified: boolean;
  first_name: string;
  last_name: string;
}

const columns = sql`provider, issuer, subject, email, email_verified, first_name, last_name`;

export async function takeTicket(tx: Tx, token: string): Promise<SocialTicket> {
  const ticket = await tx.maybeOne<SocialTicket>(sql`
    update social_tickets set use_date = ${tx.now}
    where ticket_hash = ${hashToken(token)} and use_date is null and expire_date > ${tx.now}
    returning ${columns}`);
  if (!ticket) throw new Problem(1140);
  return ticket;
}

/** Looks without using it up: the same token is brought again with the sign-up form, or after the password. */
export async function readTicket(db: Queryable, token: string, now: Date): Promise<SocialTicket> {
  const ticket = await db.maybeOne<SocialTicket>(sql`
    select ${columns} from social_tickets
    where ticket_hash = ${hashToken(token)} and use_date is null and expire_date > ${now}`);
  if (!ticket) throw new Problem(1140);
  return ticket;
}

/** A form takes longer than a minute. */
export const keepTicket = (tx: Tx, token: string, minutes: number) =>
  tx.run(sql`
    update social_tickets set expire_date = greatest(expire_date, ${tx.now}::timestamptz + make_interval(mins => ${minutes}))
    where ticket_hash = ${hashToken(token)} and use_date is null and expire_date > ${tx.now}`);

/** Problems: 1128 somebody else has it, or this person has another identity of the provider. */
export async function connect(tx: Tx, login_id: string, ticket: SocialTicket): Promise<void> {
  try {
    await tx.run(sql`
      insert into social_networks (issuer, subject, login_id, provider, email, create_date)
      values (${ticket.issuer}, ${ticket.subject}, ${login_id}, ${ticket.provider}, ${ticket.email}, ${tx.now})`);
  } catch (error) {
    if (violates(error)) throw new Problem(1128);
    throw error;
  }
}
