/** Every mail about signing in. Security mails go to the person, whatever company they are in, and nobody can turn them off. */
import { CODE_MINUTES } from '@parley/contract/auth/sign_up.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Letter, letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';

const BRAND = 'Parley';
const NOT_YOU = 'If this was not you, choose a new password now: that ends all sessions.';

type Words = Omit<Letter, 'brand'> & { subject?: string };

/** `key`: a second mail with the same key is not written. */
async function post(tx: Tx, to: string, { subject, ...words }: Words, key?: string): Promise<void> {
  const { html, text } = letter({ brand: BRAND, ...words });
  await sendMail(tx, { to, subject: subject ?? words.title, html, text, ...(key ? { dedupe_key: key } : {}) });
}

const forgot = (home: string): { label: string; url: string } => ({
  label: 'Choose a new password',
  url: `${home}/forgot-password`,
});

/** Where the person of this address works: the admin view for operators who are nothing else. A passkey made at the other does not open it. */
export async function homeOf(tx: Tx, { config }: Pick<Kernel, 'config'>, email: string): Promise<string> {
  const { operator } = await tx.one<{ operator: boolean | null }>(sql`
    select bool_and(a.kind = 'OPERATOR') as operator
    from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
    where lower(l.email) = ${email.toLowerCase()} and a.close_date is null`);
  return operator ? config.ADMIN_URL : config.PUBLIC_URL;
}

export interface CodeMail {
  to: string;
  verification_id: string;
  code: string;
}

const validity = `It works once and for ${CODE_MINUTES} minutes.`;
const codeLink = ({ config }: Kernel, { verification_id, code }: CodeMail): string =>
  `${config.PUBLIC_URL}/email-verification/${verification_id}/${code}`;

export const confirmAddress = (tx: Tx, kernel: Kernel, mail: CodeMail) =>
  post(
    tx,
    mail.to,
    {
      subject: `${mail.code} is your code for ${BRAND}`,
      title: 'Confirm your e-mail address',
      paragraphs: [`Type this code to go on with your sign-up, or use the button. ${validity}`],
      code: mail.code,
      action: { label: 'Confirm my address', url: codeLink(kernel, mail) },
      footer: `You get this mail because this address was given at the sign-up for ${BRAND}. If that was not you, do nothing: without the code nothing happens.`,
    },
    `code ${mail.verification_id}`,
  );

export const resetPassword = async (tx: Tx, kernel: Kernel, mail: CodeMail & { secret: string }) => {
  const home = await homeOf(tx, kernel, mail.to);
  await post(
    tx,
    mail.to,
    {
      subject: `${mail.code} is your code for a new password`,
      title: 'Choose a new password',
      paragraphs: [
        `Use the button, or type this code where you asked for it. The code works once and for ${CODE_MINUTES} minutes.`,
      ],
      code: mail.code,
      action: { label: 'Choose a new password', url: `${home}/reset-password/${mail.secret}` },
      footer: `You get this mail because somebody asked for a new password for this address at ${BRAND}. If that was not you, do nothing: your password stays.`,
    },
    `code ${mail.verification_id}`,
  );
};

/** Somebody signed up with an address that is known: the page could not say so, the mailbox may. */
export const alreadyThere = async (tx: Tx, kernel: Kernel, mail: CodeMail & { secret: string }) => {
  const home = await homeOf(tx, kernel, mail.to);
  await post(
    tx,
    mail.to,
    {
      subject: `You already have a user at ${BRAND}`,
      title: 'You already have a user here',
      paragraphs: [
        'Somebody, probably you, tried to sign up with this address again. Nothing was created or changed.',
        `You can sign in with the password you have. If it is lost, choose a new one: use the button, or type this code where you signed up. The code works once and for ${CODE_MINUTES} minutes.`,
      ],
      code: mail.code,
      action: { label: 'Choose a new password', url: `${home}/reset-password/${mail.secret}` },
      also: { label: 'Sign in', url: `${home}/sign-in` },
      footer: `You get this mail because this address was given at the sign-up for ${BRAND}.`,
    },
    `code ${mail.verification_id}`,
  );
};

export const confirmNewAddress = (tx: Tx, mail: CodeMail) =>
  post(
    tx,
    mail.to,
    {
      subject: `${mail.code} confirms your new address`,
      title: 'Confirm your new e-mail address',
      paragraphs: [`Type this code on the page where you changed your address. ${validity}`],
      code: mail.code,
      footer: `You get this mail because somebody wants to use this address at ${BRAND}. If that was not you, do nothing.`,
    },
    `code ${mail.verification_id}`,
  );

export const passwordChanged = async (tx: Tx, kernel: Kernel, to: string) => {
  const home = await homeOf(tx, kernel, to);
  await post(tx, to, {
    title: 'Your password was changed',
    paragraphs: ['The password of your user was changed a moment ago. All other sessions have ended.', NOT_YOU],
    action: forgot(home),
    footer: `You get this mail because it is about the safety of your user at ${BRAND}.`,
  });
};

export const addressChanged = (tx: Tx, to: string, masked: string) =>
  post(tx, to, {
    title: 'Your e-mail address was changed',
    paragraphs: [
      `Your user at ${BRAND} now has the address ${masked}. This mailbox can no longer be used to sign in.`,
      'If this was not you, write to the support of your installation at once.',
    ],
    footer: 'This is the last mail to this address.',
  });

export const phoneChanged = async (tx: Tx, kernel: Kernel, to: string, masked: string) => {
  const home = await homeOf(tx, kernel, to);
  await post(tx, to, {
    title: 'Your phone number was changed',
    paragraphs: [`The phone number of your user is now ${masked}.`, NOT_YOU],
    action: forgot(home),
    footer: `You get this mail because it is about the safety of your user at ${BRAND}.`,
  });
};

export const newDevice = async (
  tx: Tx,
  kernel: Kernel,
  to: string,
  seen: { device: string; address: string; at: string },
  key: string,
) => {
  const home = await homeOf(tx, kernel, to);
  await post(
    tx,
    to,
    {
      subject: `New sign-in: ${seen.device}`,
      title: 'Sign-in from a new device',
      paragraphs: [`${seen.device}, from the address ${seen.address}, at ${seen.at} UTC.`, NOT_YOU],
      action: { label: 'See where you are signed in', url: `${home}/settings/security` },
      also: forgot(home),
      footer: `You get this mail because this device has not been used with your user in the last 90 days.`,
    },
    key,
  );
};

export const manyFailures = async (
  tx: Tx,
  kernel: Kernel,
  to: string,
  seen: { address: string; at: string },
  key: string,
) => {
  const home = await homeOf(tx, kernel, to);
  await post(
    tx,
    to,
    {
      title: 'Several failed sign-ins',
      paragraphs: [
        `Somebody gave a wrong password for your user several times, most recently at ${seen.at} UTC from the address ${seen.address}. Sign-in from there is slowed down for some minutes.`,
        'If this was you and the password is lost, choose a new one. If it was not you, there is nothing to do: nobody got in.',
      ],
      action: forgot(home),
      footer: `You get this mail at most once a day, because it is about the safety of your user at ${BRAND}.`,
    },
    key,
  );
};

/** To operators: `place` in words. */
export const codesStopped = (
  tx: Tx,
  { config }: Kernel,
  to: string,
  { place, sends, usual }: { place: string; sends: number; usual: number },
  key: string,
) =>
  post(
    tx,
    to,
    {
      title: `No more codes to ${place}`,
      paragraphs: [
        `${sends} codes went to phones of ${place} within an hour and nobody gave them back; ${usual === 0 ? 'in the week before there was no such hour' : `the busiest hour of the week before had ${usual}`}. This is how it looks when somebody earns by codes that are sent to numbers of their own, so no more go there.`,
        'People who have such a number cannot confirm it meanwhile. When you know what it was, allow codes there again.',
      ],
      action: { label: 'Open Health', url: `${config.ADMIN_URL}/health` },
      footer: `You get this mail because you look after ${BRAND} for your company.`,
    },
    key,
  );
