/** Handles a failed sign-in. Runs as a job, so that responses take equally long for known and unknown addresses. */
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { record } from '../../kernel/security/audit.ts';
import { actingAs, type Client } from '../people/client.ts';
import * as mails from '../people/mails.ts';
import { findPersonByEmail } from '../people/people.ts';

interface FailedSignIn {
  email: string;
  /** True if this failure started a pause. */
  paused: boolean;
  /** True if the password was correct but the user or the account is blocked. */
  blocked?: boolean;
  visitor: Client;
  at: string;
}
export const failedSignIn = job<FailedSignIn>('auth.sign_in_failed', { retry: 3, concurrency: 2 });

/**
 * Writes a failed sign-in to the audit log. If the failures started a pause, also emails the person, at most once a
 * day.
 */
export async function reportFailure(
  kernel: Kernel,
  { email, paused, blocked, visitor: client, at }: FailedSignIn,
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person?.account_id) return;
    record(tx, actingAs(client, { account_id: person.account_id, user_id: null }), {
      action: 'session.sign_in_failed',
      target: { type: 'user', id: person.user_id!, name: person.email },
      detail: { at, ...(blocked ? { blocked } : {}) },
    });
    if (!paused) return;
    const attempt = { address: client.address, at };
    await mails.mailFailedSignIns(tx, kernel, person.email, attempt, `failures ${person.login_id} ${at.slice(0, 10)}`);
  });
}
