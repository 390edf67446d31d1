/** The mails of a team. Who invites and for which company is said by name; the link is the only secret in them. */
import { type Who, writeTo } from '../accounts/accounts.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { nameForStrangers } from '../kernel/http/stranger.ts';

/** Characters of a name in a mail to somebody who did not ask for it. */
const MOST = 60;

export const companyOf = (db: Queryable, id: string) =>
  db.one<{ id: string; company_name: string }>(sql`select id, company_name from accounts where id = ${id}`);

export async function invited(
  tx: Tx,
  kernel: Who['kernel'],
  account_id: string,
  person: { email: string; first_name: string },
  invitation: { token: string; invited_by_name: string; days: number; is_owner: boolean },
): Promise<void> {
  const company = await companyOf(tx, account_id);
  const by = nameForStrangers(invitation.invited_by_name, MOST, 'A colleague');
  const name = nameForStrangers(company.company_name, MOST, 'their company');
  const first_name = nameForStrangers(person.first_name, MOST, '');
  await writeTo(tx, kernel, { ...person, first_name }, company, {
    subject: invitation.is_owner ? `${name} on Parley is yours to take over` : `${by} invites you to ${name}`,
    paragraphs: [
      invitation.is_owner
        ? `${by} has created the account ${name} on Parley and makes you its owner: it has its own people, senders and balance, and you decide who gets in.`
        : `${by} would like to work with you in ${name} on Parley.`,
      'Choose a password, or sign in if you are here already, and you are in.',
      `The link works once and for ${invitation.days} days. Nothing happens if you do not follow it.`,
    ],
    action: { label: 'Accept the invitation', path: `/invitations?token=${invitation.token}` },
    footer: `${by} gave us your address. If you do not know them, do nothing: the link ends after ${invitation.days} days.`,
  });
}

export async function accepted(
  tx: Tx,
  kernel: Who['kernel'],
  account_id: string,
  inviter: { email: string; first_name: string },
  name: string,
): Promise<void> {
  const company = await companyOf(tx, account_id);
  await writeTo(tx, kernel, inviter, company, {
    subject: `${name} has joined ${company.company_name}`,
    paragraphs: [`${name} has accepted your invitation and can work in ${company.company_name} now.`],
    action: { label: 'See the team', path: '/settings/users' },
  });
}

export async function blocked(
  tx: Tx,
  kernel: Who['kernel'],
  account_id: string,
  person: { email: string; first_name: string },
  reason: string,
): Promise<void> {
  const company = await companyOf(tx, account_id);
  await writeTo(tx, kernel, person, company, {
    subject: 'Your access is blocked',
    paragraphs: [`Your access to ${company.company_name} is blocked.`, ...(reason ? [reason] : [])],
  });
}
