/** The mailbox hears of every change to the locks: whoever did not make it can still act. Not opt-out. */
import type { Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { homeOf } from './mails.ts';

const WORDS = {
  totp_added: {
    title: 'An authenticator protects your sign-in now',
    text: 'From now on a code of your authenticator app is asked for after your password. Keep the recovery codes somewhere safe: each opens your account once when the phone is not at hand.',
  },
  totp_removed: {
    title: 'Your authenticator was removed',
    text: 'Signing in no longer asks for a code of an authenticator app, and the recovery codes have ended.',
  },
  recovery_codes_renewed: {
    title: 'You have new recovery codes',
    text: 'Ten new recovery codes were made. The old ones no longer work.',
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    text: 'Somebody signed in, or changed the second factor, with one of your recovery codes. Each works once.',
  },
  passkey_added: {
    title: 'A passkey was added',
    text: 'Your account can be opened with this passkey from now on, without the password.',
  },
  passkey_removed: { title: 'A passkey was removed', text: 'This passkey no longer opens your account.' },
  social_connected: {
    title: 'A sign-in was connected',
    text: 'Your account can be opened with it from now on, without the password.',
  },
  social_disconnected: { title: 'A sign-in was disconnected', text: 'It no longer opens your account.' },
} as const;

/** `facts`: what it is about, a line each. */
export async function tellLocks(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  to: string,
  what: keyof typeof WORDS,
  facts: readonly string[] = [],
): Promise<void> {
  const { title, text } = WORDS[what];
  await sendMail(tx, {
    to,
    subject: title,
    ...letter({
      brand: 'Parley',
      title,
      paragraphs: [
        text,
        ...facts,
        'If this was not you, change your password at once and look at the open sessions and second factors of your account.',
      ],
      action: { label: 'Look at your security settings', url: `${await homeOf(tx, kernel, to)}/settings/security` },
      footer: `This mail was sent because the security settings of your account (${to}) changed.`,
    }),
  });
}
