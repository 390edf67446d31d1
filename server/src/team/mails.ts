/** Emails about team membership. The invitation link is the only secret they contain. */
import { mailUser, type Who } from '../accounts/accounts.ts';
import { BRAND_NAME } from '../kernel/brand/brand.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { nameForStrangers } from '../kernel/http/stranger.ts';

/** The page where a person accepts an invitation. */
export const invitationPath = (token: string): string => `/invitations#token=${token}`;

/** The maximum length of a name in an email that the recipient did not request. */
const MAX_NAME = 60;

const selectCompany = (db: Queryable, id: string) =>
  db.one<{ id: string; company_name: string }>(sql`select id, company_name from accounts where id = ${id}`);

export async function mailInvitation(
  tx: Tx,
  kernel: Who['kernel'],
  account_id: string,
  person: { email: string; first_name: string },
  invitation: { token: string; invited_by_name: string; days: number; is_owner: boolean },
): Promise<void> {
  const company = await selectCompany(tx, account_id);
  const by = nameForStrangers(invitation.invited_by_name, MAX_NAME, 'A colleague');
  const name = nameForStrangers(company.company_name, MAX_NAME, 'their company');
  const first_name = nameForStrangers(person.first_name, MAX_NAME, '');
  await mailUser(tx, kernel, { ...person, first_name }, company, {
    subject: invitation.is_owner ? `You are the owner of ${name} on ${BRAND_NAME}` : `${by} invited you to ${name}`,
    paragraphs: [
      invitation.is_owner
        ? `${by} created the account ${name} on ${BRAND_NAME} and made you its owner. ` +
          'It has its own users, senders, and balance, and you decide who gets access.'
        : `${by} invited you to work with them in ${name} on ${BRAND_NAME}.`,
      `Choose a password to join, or sign in if you already use ${BRAND_NAME}.`,
      `The link expires in ${invitation.days} days and works once.`,
    ],
    action: { label: 'Accept the invitation', path: invitationPath(invitation.token) },
    footer: `${by} gave us your address. If you don’t know this person, ignore this email.`,
  });
}

export async function mailAcceptance(
  tx: Tx,
  kernel: Who['kernel'],
  account_id: string,
  inviter: { email: string; first_name: string },
  name: string,
): Promise<void> {
  const company = await selectCompany(tx, account_id);
  await mailUser(tx, kernel, inviter, company, {
    subject: `${name} joined ${company.company_name}`,
    paragraphs: [`${name} accepted your invitation and can now work in ${company.company_name}.`],
    action: { label: 'View your team', path: '/settings/users' },
  });
}

export async function mailBlock(
  tx: Tx,
  kernel: Who['kernel'],
  account_id: string,
  person: { email: string; first_name: string },
  reason: string,
): Promise<void> {
  const company = await selectCompany(tx, account_id);
  await mailUser(tx, kernel, person, company, {
    subject: 'Your access is blocked',
    paragraphs: [`Your access to ${company.company_name} is blocked.`, ...(reason ? [reason] : [])],
  });
}
