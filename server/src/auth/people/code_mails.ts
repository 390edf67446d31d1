/**
 * Handles requests for a code by email. A job writes the email, so that a request for an unknown address takes the same
 * amount of work.
 */
import type { Verification } from '@parley/contract/verify/codes.ts';
import { secret } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type CodeRequest, isCurrentCode, issueCode, openCode, sealCode } from '../../verify/verify.ts';
import type { Client } from './client.ts';
import * as mails from './mails.ts';
import type { Person } from './people.ts';
import { hashToken } from './tokens.ts';

/**
 * `sealed` contains the code, followed by a space and the link's secret, if there is one. It is sealed because more
 * people can read a queue than a mailbox.
 */
interface CodeMail {
  kind: 'sign_up' | 'password_reset' | 'already_there' | 'email_change';
  verification_id: string;
  sealed: string;
}
export const codeMail = job<CodeMail>('auth.send_code', { retry: 5, retry_seconds: 2, concurrency: 2 });

/**
 * Writes the email once, even if the job runs twice. If no user has the address, or the code was replaced, nothing is
 * sent.
 */
export async function sendCodeMail(kernel: Kernel, { kind, verification_id, sealed }: CodeMail): Promise<void> {
  const [code = '', secret = ''] = openCode(kernel, verification_id, sealed).split(' ');
  await kernel.db.tx(async (tx) => {
    const open = await tx.maybeOne<{ target: string; code_hash: Buffer; sends: number; silent: boolean }>(sql`
      select target, code_hash, sends, login_id is null or detail ? 'taken' as silent from verifications
      where id = ${verification_id} and use_date is null and expire_date > ${tx.now}`);
    if (!open || open.silent || !isCurrentCode(kernel, { id: verification_id, ...open }, code)) return;
    const mail = { to: open.target, verification_id, code, key: `code ${verification_id} ${open.sends}` };
    if (kind === 'sign_up') await mails.confirmAddress(tx, kernel, mail);
    else if (kind === 'password_reset') await mails.resetPassword(tx, kernel, { ...mail, secret });
    else if (kind === 'already_there') await mails.mailExistingUser(tx, kernel, { ...mail, secret });
    else await mails.confirmNewAddress(tx, mail);
  });
}

type OnLimit = 'refuse' | 'keep';

async function requestCode(
  tx: Tx,
  kernel: Kernel,
  kind: CodeMail['kind'],
  request: Omit<CodeRequest, 'channel' | 'address'>,
  client: Client,
  onLimit: OnLimit,
): Promise<Verification> {
  const link = request.purpose === 'password_reset' ? secret() : null;
  const link_hash = link === null ? null : hashToken(link);
  const { code, ...verification } = await issueCode(
    tx,
    kernel,
    { ...request, link_hash, channel: 'mail', address: client.address },
    onLimit,
  );
  // Without a code, the job sends nothing. It is enqueued all the same, so that both take the same amount of work.
  const text = link ? `${code ?? ''} ${link}` : (code ?? '');
  const sealed = sealCode(kernel, verification.id, text);
  await enqueue(tx, codeMail, { kind, verification_id: verification.id, sealed });
  return verification;
}

/** Sends a code only to an address that is not confirmed yet, because a code must not replace a password. */
export const requestSignUpCode = (
  tx: Tx,
  kernel: Kernel,
  person: Pick<Person, 'login_id' | 'email'> | null,
  client: Client,
  onLimit: OnLimit,
  email = person!.email,
) =>
  requestCode(
    tx,
    kernel,
    'sign_up',
    { purpose: 'sign_up', target: email.toLowerCase(), login_id: person?.login_id ?? null },
    client,
    onLimit,
  );

/** `already_there` is the email for someone who signed up with an address that already belongs to a user. */
export const requestPasswordReset = (
  tx: Tx,
  kernel: Kernel,
  kind: 'password_reset' | 'already_there',
  { email, login_id }: { email: string; login_id: string | null },
  client: Client,
) =>
  requestCode(
    tx,
    kernel,
    kind,
    { purpose: 'password_reset', target: email, login_id },
    client,
    kind === 'already_there' ? 'keep' : 'refuse',
  );

/** `taken` means that the address belongs to another user. The response is the same, but no email is sent. */
export const requestAddressCode = (
  tx: Tx,
  kernel: Kernel,
  request: { email: string; login_id: string; account_id: string; user_id: string; taken: boolean },
  client: Client,
) =>
  requestCode(
    tx,
    kernel,
    'email_change',
    {
      purpose: 'email_change',
      target: request.email,
      login_id: request.login_id,
      account_id: request.account_id,
      user_id: request.user_id,
      detail: request.taken ? { taken: true } : {},
    },
    client,
    'refuse',
  );
