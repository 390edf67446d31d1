/** Requests codes for phones. The `messages` module sends them, and reports whether each code was sent. */
import { Problem } from '@parley/contract/problem.ts';
import { CODE_MINUTES, type Verification } from '@parley/contract/verify/codes.ts';
import { INSTALLATION, readBrand } from '../kernel/brand/brand.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { nameForStrangers } from '../kernel/http/stranger.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { findCodeSender } from './code_sender.ts';
import { type CodeRequest, issueCode, openCode, sealCode } from './codes.ts';
import { type PhoneCode, phoneCode } from './jobs.ts';

/**
 * Issues a code and requests its sending. Throws CODE_SENT_RECENTLY (too soon) or PHONE_VERIFICATION_FAILED (too many
 * codes, or no sender).
 */
export async function requestPhoneCode(
  tx: Tx,
  { kernel, actor, address }: Pick<Ctx, 'kernel' | 'actor' | 'address'>,
  request: Pick<CodeRequest, 'purpose' | 'target' | 'detail'> & { login_id: string },
): Promise<Verification> {
  // Checked before the code is issued, so that a misconfigured installation is noticed immediately. Whether the carrier
  // accepts the message is known only later.
  if (!(await findCodeSender(tx))) {
    kernel.log.error(
      { user_id: actor.user_id },
      'phone numbers cannot be verified: the operator account has no active SMS sender',
    );
    throw new Problem('PHONE_VERIFICATION_FAILED');
  }
  const { code, ...verification } = await issueCode(tx, kernel, {
    ...request,
    channel: 'sms',
    address,
    account_id: actor.account_id,
    user_id: actor.user_id,
  });
  const sealed = sealCode(kernel, verification.id, code!);
  await enqueue(tx, phoneCode, { verification_id: verification.id, sealed });
  return verification;
}

/** Returns the recipient and text of a code, or null if the code is no longer needed. */
export async function readPhoneCode(
  kernel: Kernel,
  { verification_id, sealed }: PhoneCode,
): Promise<{ number: string; text: string; code: string } | null> {
  const open = await kernel.db.maybeOne<Recipient>(sql`
    select v.target, v.purpose, v.account_id, a.company_name from verifications v
    left join accounts a on a.id = v.account_id
    where v.id = ${verification_id} and v.use_date is null and v.expire_date > ${kernel.clock.now()}`);
  if (!open) return null;
  const code = openCode(kernel, verification_id, sealed);
  const text = open.purpose === 'sender_number' ? numberText(code, open) : await writePersonText(kernel, code, open);
  return { number: open.target, text, code };
}

interface Recipient {
  target: string;
  purpose: string;
  account_id: string | null;
  company_name: string | null;
}

const validity = `It expires in ${CODE_MINUTES} minutes and works once.`;

async function writePersonText({ db }: Pick<Kernel, 'db'>, code: string, { account_id }: Recipient): Promise<string> {
  const { name } = await readBrand(db, account_id ?? INSTALLATION);
  return `${code} is your ${nameForStrangers(name, 40, 'account')} code. ${validity}`;
}

/** The recipient may not know the company, so the text states what they allow by sharing the code. */
const numberText = (code: string, { company_name }: { company_name: string | null }): string => {
  const company = nameForStrangers(company_name, 40, 'a company');
  return `${code} lets ${company} send messages from this number. Share it with them only if you agree. ${validity}`;
};

/** Returns true for the first call only. The message is written in the same transaction, so it is sent only once. */
export const markSent = async (tx: Tx, verification_id: string): Promise<boolean> =>
  (await tx.run(sql`
    update verifications set detail = detail || '{"sent": true}'
    where id = ${verification_id} and not detail ? 'sent'`)) > 0;

/**
 * After this call, entering any code for this verification returns PHONE_VERIFICATION_FAILED instead of "wrong code".
 */
export const markFailed = (db: Queryable, verification_id: string) =>
  db.run(sql`update verifications set detail = detail || '{"failed": true}' where id = ${verification_id}`);
