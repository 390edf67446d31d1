/** The mails of a company's life. Words only: when they are due is decided by the operations. */

import { sql, type Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { ownersOf, type Who } from './announce.ts';

interface Words {
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; path: string };
  dedupe_key?: string;
  /** Why this mail was sent, for people who are not of the company. */
  footer?: string;
}

const BRAND = 'Parley';

/** To every owner of the company. */
export async function writeToOwners(
  tx: Tx,
  kernel: Who['kernel'],
  company: { id: string; company_name: string },
  words: Words,
): Promise<void> {
  for (const owner of await ownersOf(tx, company.id)) {
    await writeTo(tx, kernel, owner, company, {
      ...words,
      ...(words.dedupe_key ? { dedupe_key: `${words.dedupe_key}:${owner.id}` } : {}),
    });
  }
}

export async function writeTo(
  tx: Tx,
  kernel: Who['kernel'],
  person: { email: string; first_name: string },
  company: { id: string; company_name: string },
  { subject, paragraphs, action, dedupe_key, footer }: Words,
): Promise<void> {
  if (!person.email) return;
  const home = action && (await homeOf(tx, kernel, company.id));
  await sendMail(tx, {
    to: person.email,
    account_id: company.id,
    // Names of people and companies stand in it, and a subject is one line.
    subject: subject.replace(/\s+/g, ' '),
    ...(dedupe_key ? { dedupe_key } : {}),
    ...letter({
      brand: BRAND,
      title: subject,
      paragraphs: [person.first_name ? `Hello ${person.first_name},` : 'Hello,', ...paragraphs],
      ...(action ? { action: { label: action.label, url: `${home}${action.path}` } } : {}),
      footer: footer ?? `You get this mail because you work with ${company.company_name} on Parley.`,
    }),
  });
}

/** Operators work in their own view, and a passkey made at the other does not open it. */
async function homeOf(tx: Tx, { config }: Who['kernel'], account_id: string): Promise<string> {
  const { kind } = await tx.one<{ kind: string }>(sql`select kind from accounts where id = ${account_id}`);
  return kind === 'OPERATOR' ? config.ADMIN_URL : config.PUBLIC_URL;
}

export const WORDS = {
  formReceived: (company: string): Words => ({
    subject: 'We have received your form',
    paragraphs: [
      `Thank you. We are looking at what you told us about ${company} and answer within one working day.`,
      'Until then you can set up your audiences. Templates, colleagues and sending open with the approval.',
    ],
    action: { label: 'See what you sent', path: '/verification' },
  }),
  approved: (company: string): Words => ({
    subject: 'Your account is approved',
    paragraphs: [`${company} can now send messages, request sender IDs and create API keys.`],
    action: { label: 'Open Parley', path: '/' },
  }),
  rejected: (company: string, reason: string): Words => ({
    subject: 'Your account could not be approved',
    paragraphs: [
      `We looked at the form of ${company} and cannot approve it as it is.`,
      reason,
      'You can change what is needed and send the form again.',
    ],
    action: { label: 'Open the form', path: '/verification' },
  }),
  moreAsked: (company: string, reason: string): Words => ({
    subject: 'We need a little more about your company',
    paragraphs: [
      `Before we can approve ${company} one thing is missing:`,
      reason,
      'Please complete the form and send it again.',
    ],
    action: { label: 'Complete the form', path: '/verification' },
  }),
  blocked: (company: string, reason: string): Words => ({
    subject: 'Your account is blocked',
    paragraphs: [
      `${company} is blocked: nobody can sign in and nothing is sent.`,
      reason,
      'Answer our support if you think this is a mistake.',
    ],
  }),
  unblocked: (company: string): Words => ({
    subject: 'Your account is open again',
    paragraphs: [`${company} is no longer blocked. Everything is as it was.`],
    action: { label: 'Sign in', path: '/sign-in' },
  }),
  userBlocked: (company: string, reason: string): Words => ({
    subject: 'Your access is blocked',
    paragraphs: [`Your access to ${company} is blocked.`, ...(reason ? [reason] : [])],
  }),
  closed: (company: string, last: string): Words => ({
    subject: 'Your account is closed',
    paragraphs: [
      `${company} is closed. All sessions and API keys have ended.`,
      `Personal data is erased on ${last}. Until then our support can open the account again; afterwards nobody can.`,
    ],
  }),
  reopened: (company: string): Words => ({
    subject: 'Your account is open again',
    paragraphs: [`${company} has been opened again. Sign in as before; API keys have to be created anew.`],
    action: { label: 'Sign in', path: '/sign-in' },
  }),
  trialStarted: (company: string, days: number): Words => ({
    subject: 'Your free trial has started',
    paragraphs: [
      `The free trial of ${company} lasts ${days === 1 ? 'one more day' : `${days} more days`}. Messages go out of the trial credit.`,
      'When it is over everything is kept and can be read; sending goes on as soon as you add funds.',
    ],
    action: { label: 'Send a first message', path: '/' },
  }),
  trialEnding: (company: string, days: number): Words => ({
    subject: days === 1 ? 'Your free trial ends tomorrow' : `Your free trial ends in ${days} days`,
    paragraphs: [
      `The free trial of ${company} has ${days === 1 ? 'one day' : `${days} days`} left.`,
      'Add funds to go on without a break. Nothing you set up is lost when the trial ends.',
    ],
    action: { label: 'Add funds', path: '/add-funds' },
  }),
  trialEnded: (company: string): Words => ({
    subject: 'Your free trial has ended',
    paragraphs: [
      `The free trial of ${company} is over. Everything is kept and can be read; sending goes on as soon as you add funds.`,
    ],
    action: { label: 'Add funds', path: '/add-funds' },
  }),
} as const;
