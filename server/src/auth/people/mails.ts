/**
 * Emails about signing in. Security emails are sent to the person, regardless of their company, and cannot be turned
 * off.
 */
import { CODE_MINUTES } from '@parley/contract/verify/codes.ts';
import { BRAND_NAME } from '../../kernel/brand/brand.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Letter, letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';

const NOT_YOU = 'If this wasn’t you, reset your password now. This signs you out everywhere.';
const SECURITY_FOOTER = `You received this email because it concerns the security of your ${BRAND_NAME} account.`;

type Words = Letter & { subject?: string };

/** If an email with the same `key` already exists, no second email is written. */
async function send(tx: Tx, to: string, { subject, ...words }: Words, key?: string): Promise<void> {
  await sendMail(tx, {
    ...{ to, subject: subject ?? words.title },
    ...letter(words),
    ...(words.code ? { kept_subject: words.title } : {}),
    ...(key ? { dedupe_key: key } : {}),
  });
}

const resetAction = (home: string): { label: string; url: string } => ({
  label: 'Reset your password',
  url: `${home}/forgot-password`,
});

/**
 * The URL of the app the person works in. For people who are only operators, this is the admin view. A passkey created
 * in one app does not work in the other.
 */
export async function findHomeUrl(tx: Tx, { config }: Pick<Kernel, 'config'>, email: string): Promise<string> {
  const { operator } = await tx.one<{ operator: boolean | null }>(sql`
    select bool_and(a.kind = 'OPERATOR') as operator
    from logins l join users u on u.login_id = l.id join accounts a on a.id = u.account_id
    where lower(l.email) = ${email.toLowerCase()} and a.close_date is null`);
  return operator ? config.ADMIN_URL : config.PUBLIC_URL;
}

interface Code {
  to: string;
  verification_id: string;
  code: string;
  /** Identifies the email, so that it is written once. */
  key: string;
}

const validity = `It expires in ${CODE_MINUTES} minutes and works once.`;
const codeLink = ({ config }: Kernel, { verification_id, code }: Code): string =>
  `${config.PUBLIC_URL}/email-verification/${verification_id}/${code}`;

export const confirmAddress = (tx: Tx, kernel: Kernel, mail: Code) =>
  send(
    tx,
    mail.to,
    {
      subject: `${mail.code} is your code for ${BRAND_NAME}`,
      title: 'Confirm your email address',
      paragraphs: [`Enter this code to continue your sign-up, or use the button. ${validity}`],
      code: mail.code,
      action: { label: 'Confirm my address', url: codeLink(kernel, mail) },
      footer:
        `You received this email because someone signed up for ${BRAND_NAME} with this address. ` +
        'If that wasn’t you, ignore this email. Nothing happens without the code.',
    },
    mail.key,
  );

export const resetPassword = async (tx: Tx, kernel: Kernel, mail: Code & { secret: string }) => {
  const home = await findHomeUrl(tx, kernel, mail.to);
  await send(
    tx,
    mail.to,
    {
      subject: `${mail.code} is your password reset code`,
      title: 'Choose a new password',
      paragraphs: [`Use the button, or enter this code on the page where you requested it. ${validity}`],
      code: mail.code,
      action: { label: 'Choose a new password', url: `${home}/reset-password/${mail.secret}` },
      footer:
        `You received this email because someone requested a password reset for this address on ${BRAND_NAME}. ` +
        'If that wasn’t you, ignore this email. Your password stays the same.',
    },
    mail.key,
  );
};

/**
 * The email to someone who signed up with an address that already belongs to a user. The page must not reveal this, but
 * the email may.
 */
export const mailExistingUser = async (tx: Tx, kernel: Kernel, mail: Code & { secret: string }) => {
  const home = await findHomeUrl(tx, kernel, mail.to);
  await send(
    tx,
    mail.to,
    {
      subject: `You already have a ${BRAND_NAME} account`,
      title: `You already have a ${BRAND_NAME} account`,
      paragraphs: [
        'Someone, probably you, tried to sign up with this address again. Nothing was created or changed.',
        'You can sign in with your existing password. If you forgot it, choose a new password: use the button, ' +
          `or enter this code on the sign-up page. The code expires in ${CODE_MINUTES} minutes and works once.`,
      ],
      code: mail.code,
      action: { label: 'Choose a new password', url: `${home}/reset-password/${mail.secret}` },
      also: { label: 'Sign in', url: `${home}/sign-in` },
      footer: `You received this email because someone signed up for ${BRAND_NAME} with this address.`,
    },
    mail.key,
  );
};

export const confirmNewAddress = (tx: Tx, mail: Code) =>
  send(
    tx,
    mail.to,
    {
      subject: `${mail.code} confirms your new address`,
      title: 'Confirm your new email address',
      paragraphs: [`Enter this code on the page where you changed your address. ${validity}`],
      code: mail.code,
      footer:
        `You received this email because someone entered it as their new email address on ${BRAND_NAME}. ` +
        'If that wasn’t you, ignore this email.',
    },
    mail.key,
  );

export const mailPasswordChanged = async (tx: Tx, kernel: Kernel, to: string) => {
  const home = await findHomeUrl(tx, kernel, to);
  await send(tx, to, {
    title: 'Your password was changed',
    paragraphs: ['Your password was changed a moment ago. All other sessions have ended.', NOT_YOU],
    action: resetAction(home),
    footer: SECURITY_FOOTER,
  });
};

export const mailAddressChanged = (tx: Tx, to: string, masked: string) =>
  send(tx, to, {
    title: 'Your email address was changed',
    paragraphs: [
      `You now sign in to ${BRAND_NAME} as ${masked}. You can no longer sign in with this address.`,
      'If this wasn’t you, contact support immediately.',
    ],
    footer: 'This is the last email to this address.',
  });

export const mailPhoneChanged = async (tx: Tx, kernel: Kernel, to: string, masked: string) => {
  const home = await findHomeUrl(tx, kernel, to);
  await send(tx, to, {
    title: 'Your phone number was changed',
    paragraphs: [`Your phone number is now ${masked}.`, NOT_YOU],
    action: resetAction(home),
    footer: SECURITY_FOOTER,
  });
};

export const mailNewDevice = async (
  tx: Tx,
  kernel: Kernel,
  to: string,
  sign_in: { device: string; address: string; at: string },
  key: string,
) => {
  const home = await findHomeUrl(tx, kernel, to);
  await send(
    tx,
    to,
    {
      subject: `New sign-in: ${sign_in.device}`,
      title: 'Sign-in from a new device',
      paragraphs: [`${sign_in.device}, from the IP address ${sign_in.address}, at ${sign_in.at} UTC.`, NOT_YOU],
      action: { label: 'Review your sessions', url: `${home}/settings/security` },
      also: resetAction(home),
      footer: 'You received this email because you have not signed in from this device in the last 90 days.',
    },
    key,
  );
};

export const mailFailedSignIns = async (
  tx: Tx,
  kernel: Kernel,
  to: string,
  attempt: { address: string; at: string },
  key: string,
) => {
  const home = await findHomeUrl(tx, kernel, to);
  await send(
    tx,
    to,
    {
      title: 'Several failed sign-ins',
      paragraphs: [
        'Someone entered a wrong password for your account several times, most recently at ' +
          `${attempt.at} UTC from the IP address ${attempt.address}. Sign-ins from there are paused for a few minutes.`,
        'If this was you and you forgot your password, reset it. ' +
          'If it wasn’t you, you don’t need to do anything: no one signed in.',
      ],
      action: resetAction(home),
      footer: `${SECURITY_FOOTER} We send this email at most once a day.`,
    },
    key,
  );
};
