/** Asking for a code by mail. The mail itself is written by a job, so that the answer takes the same work whether anybody has the address or not. */
import type { Verification } from '@parley/contract/auth/sign_up.ts';
import { secret } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { issue, sealCode, type Wanted } from './codes.ts';
import { type CodeLetter, codeLetter } from './jobs.ts';
import type { Person } from './people.ts';
import { hashToken } from './tokens.ts';
import type { Visitor } from './visitor.ts';

type WhenEarly = 'refuse' | 'keep';

async function send(
  tx: Tx,
  kernel: Kernel,
  kind: CodeLetter['kind'],
  wanted: Omit<Wanted, 'channel' | 'address'>,
  visitor: Visitor,
  whenEarly: WhenEarly,
): Promise<Verification> {
  const link = wanted.purpose === 'password_reset' ? secret() : null;
  const link_hash = link === null ? null : hashToken(link);
  const { code, ...verification } = await issue(
    tx,
    kernel,
    { ...wanted, link_hash, channel: 'mail', address: visitor.address },
    whenEarly,
  );
  if (code === null) return verification;
  const text = link ? `${code} ${link}` : code;
  const sealed = sealCode(kernel, verification.id, text);
  await enqueue(tx, codeLetter, { kind, verification_id: verification.id, sealed });
  return verification;
}

/** Only somebody whose address is not confirmed yet gets one; a code must not replace a password. */
export const sendSignUpCode = (
  tx: Tx,
  kernel: Kernel,
  person: Pick<Person, 'login_id' | 'email'> | null,
  visitor: Visitor,
  whenEarly: WhenEarly,
  email = person!.email,
) =>
  send(
    tx,
    kernel,
    'sign_up',
    { purpose: 'sign_up', target: email.toLowerCase(), login_id: person?.login_id ?? null },
    visitor,
    whenEarly,
  );

/** `already_there`: the same, for somebody who signed up with an address that is known. */
export const sendReset = (
  tx: Tx,
  kernel: Kernel,
  kind: 'password_reset' | 'already_there',
  { email, login_id }: { email: string; login_id: string | null },
  visitor: Visitor,
) =>
  send(
    tx,
    kernel,
    kind,
    { purpose: 'password_reset', target: email, login_id },
    visitor,
    kind === 'already_there' ? 'keep' : 'refuse',
  );

/** `taken`: somebody has that address; nobody is told, and the code that would be right is sent to nobody. */
export const sendAddressCode = (
  tx: Tx,
  kernel: Kernel,
  wanted: { email: string; login_id: string; account_id: string; user_id: string; taken: boolean },
  visitor: Visitor,
) =>
  send(
    tx,
    kernel,
    'email_change',
    {
      purpose: 'email_change',
      target: wanted.email,
      login_id: wanted.login_id,
      account_id: wanted.account_id,
      user_id: wanted.user_id,
      detail: wanted.taken ? { taken: true } : {},
    },
    visitor,
    'refuse',
  );
