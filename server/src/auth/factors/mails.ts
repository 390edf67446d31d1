/** Emails about changes to how a person signs in. They cannot be turned off, so that the person notices an intruder. */
import type { Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { findHomeUrl } from '../people/mails.ts';

const WORDS = {
  totp_added: {
    title: 'An authenticator now protects your sign-in',
    text:
      'From now on, enter a code from your authenticator app after your password. ' +
      'Keep the recovery codes somewhere safe. Each code lets you sign in once if you lose your phone.',
  },
  totp_removed: {
    title: 'Your authenticator was removed',
    text: 'You no longer need a code from an authenticator app to sign in. Your recovery codes no longer work.',
  },
  recovery_codes_renewed: {
    title: 'You have new recovery codes',
    text: 'Ten new recovery codes were created. The old codes no longer work.',
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    text: 'Someone used one of your recovery codes to sign in or to change security settings. Each code works once.',
  },
  passkey_added: {
    title: 'A passkey was added',
    text: 'You can now sign in with this passkey instead of your password.',
  },
  passkey_removed: { title: 'A passkey was removed', text: 'You can no longer sign in with this passkey.' },
  social_connected: {
    title: 'A sign-in provider was connected',
    text: 'You can now sign in with this provider instead of your password.',
  },
  social_disconnected: {
    title: 'A sign-in provider was disconnected',
    text: 'You can no longer sign in with this provider.',
  },
} as const;

/** `facts` contains additional paragraphs, such as the name of a passkey. */
export async function sendSecurityMail(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  to: string,
  change: keyof typeof WORDS,
  facts: readonly string[] = [],
): Promise<void> {
  const { title, text } = WORDS[change];
  await sendMail(tx, {
    to,
    subject: title,
    ...letter({
      title,
      paragraphs: [
        text,
        ...facts,
        'If this wasn’t you, change your password now and review your sessions and sign-in methods.',
      ],
      action: { label: 'Review security settings', url: `${await findHomeUrl(tx, kernel, to)}/settings/security` },
      footer: `You received this email because the security settings of your account (${to}) were changed.`,
    }),
  });
}
