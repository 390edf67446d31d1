/** The texts of emails about an account. The callers decide when to send them. */

import { BRAND_NAME } from '../kernel/brand/brand.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { selectOwners, type Who } from './announce.ts';

interface Words {
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; path: string };
  dedupe_key?: string;
  /** States why the email was sent, for recipients outside the company. */
  footer?: string;
}

export async function mailOwners(
  tx: Tx,
  kernel: Who['kernel'],
  company: { id: string; company_name: string },
  words: Words,
): Promise<void> {
  for (const owner of await selectOwners(tx, company.id)) {
    await mailUser(tx, kernel, owner, company, {
      ...words,
      ...(words.dedupe_key ? { dedupe_key: `${words.dedupe_key}:${owner.id}` } : {}),
    });
  }
}

export async function mailUser(
  tx: Tx,
  kernel: Who['kernel'],
  person: { email: string; first_name: string },
  company: { id: string; company_name: string },
  { subject, paragraphs, action, dedupe_key, footer }: Words,
): Promise<void> {
  if (!person.email) return;
  const home = action && (await findHomeUrl(tx, kernel, company.id));
  await sendMail(tx, {
    to: person.email,
    account_id: company.id,
    // The subject contains a name, which may include line breaks.
    subject: subject.replace(/\s+/g, ' '),
    ...(dedupe_key ? { dedupe_key } : {}),
    ...letter({
      title: subject,
      paragraphs: [person.first_name ? `Hello ${person.first_name},` : 'Hello,', ...paragraphs],
      ...(action ? { action: { label: action.label, url: `${home}${action.path}` } } : {}),
      footer: footer ?? `You received this email because you work with ${company.company_name} on ${BRAND_NAME}.`,
    }),
  });
}

/** Operators use the admin view. A passkey created in the app does not work there. */
async function findHomeUrl(tx: Tx, { config }: Who['kernel'], account_id: string): Promise<string> {
  const { kind } = await tx.one<{ kind: string }>(sql`select kind from accounts where id = ${account_id}`);
  return kind === 'OPERATOR' ? config.ADMIN_URL : config.PUBLIC_URL;
}

export const WORDS = {
  formReceived: (company: string): Words => ({
    subject: 'We have received your form',
    paragraphs: [
      `Thank you. We are reviewing the details for ${company} and will respond within one business day.`,
      'Until then, you can set up your audiences. Templates, users, and sending become available after approval.',
    ],
    action: { label: 'View your form', path: '/verification' },
  }),
  approved: (company: string): Words => ({
    subject: 'Your account is approved',
    paragraphs: [`${company} can now send messages, request sender IDs, and create API keys.`],
    action: { label: `Open ${BRAND_NAME}`, path: '/' },
  }),
  rejected: (company: string, reason: string): Words => ({
    subject: 'Your account could not be approved',
    paragraphs: [
      `We reviewed the verification form for ${company} and cannot approve it yet.`,
      reason,
      'You can edit the form and resubmit it.',
    ],
    action: { label: 'Open the form', path: '/verification' },
  }),
  infoRequested: (company: string, reason: string): Words => ({
    subject: 'We need more information about your company',
    paragraphs: [
      `Before we can approve ${company}, we need more information:`,
      reason,
      'Complete the form and resubmit it.',
    ],
    action: { label: 'Complete the form', path: '/verification' },
  }),
  blocked: (company: string, reason: string): Words => ({
    subject: 'Your account is blocked',
    paragraphs: [
      `${company} is blocked. Its users cannot sign in, and it cannot send messages.`,
      reason,
      'Contact support if you think this is a mistake.',
    ],
  }),
  unblocked: (company: string): Words => ({
    subject: 'Your account is no longer blocked',
    paragraphs: [`${company} is no longer blocked. Its users can sign in again, and nothing was deleted.`],
    action: { label: 'Sign in', path: '/sign-in' },
  }),
  userBlocked: (company: string, reason: string): Words => ({
    subject: 'Your access is blocked',
    paragraphs: [`Your access to ${company} is blocked.`, ...(reason ? [reason] : [])],
  }),
  closed: (company: string, last: string): Words => ({
    subject: 'Your account is closed',
    paragraphs: [
      `${company} is closed. All sessions have ended, and API keys no longer work.`,
      `Personal data will be erased on ${last}. Until then, support can reopen the account.`,
    ],
  }),
  reopened: (company: string): Words => ({
    subject: 'Your account was reopened',
    paragraphs: [`${company} was reopened. Sign in as before, and create new API keys.`],
    action: { label: 'Sign in', path: '/sign-in' },
  }),
  trialStarted: (company: string, days: number): Words => ({
    subject: 'Your free trial has started',
    paragraphs: [
      `The free trial for ${company} lasts ${days === 1 ? 'one more day' : `${days} more days`}. ` +
        'Messages use your trial credit.',
      'When the trial ends, you keep everything you set up. Add funds to continue sending.',
    ],
    action: { label: 'Send your first message', path: '/' },
  }),
  trialEnding: (company: string, days: number): Words => ({
    subject: days === 1 ? 'Your free trial ends tomorrow' : `Your free trial ends in ${days} days`,
    paragraphs: [
      `The free trial for ${company} has ${days === 1 ? 'one day' : `${days} days`} left.`,
      'Add funds to continue without interruption. When the trial ends, you keep everything you set up.',
    ],
    action: { label: 'Add funds', path: '/add-funds' },
  }),
  trialEnded: (company: string): Words => ({
    subject: 'Your free trial has ended',
    paragraphs: [
      `The free trial for ${company} has ended. You keep everything you set up. Add funds to continue sending.`,
    ],
    action: { label: 'Add funds', path: '/add-funds' },
  }),
} as const;
