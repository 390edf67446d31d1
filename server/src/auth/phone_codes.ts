/** What the module that sends needs to know of a code for a phone, and has to say about it. */
import { CODE_MINUTES } from '@parley/contract/auth/sign_up.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { nameForStrangers } from '../kernel/http/stranger.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { openCode } from './codes.ts';
import type { PhoneCode } from './jobs.ts';

export const PHONE_NOTICE_TEXT =
  'The phone number of your Parley user was changed. If this was not you, choose a new password now.';

/** What it says and to whom; null when it is no longer wanted. */
export async function readPhoneCode(
  kernel: Kernel,
  { verification_id, sealed }: PhoneCode,
): Promise<{ number: string; text: string } | null> {
  const open = await kernel.db.maybeOne<{ target: string; purpose: string; company_name: string | null }>(sql`
    select v.target, v.purpose, a.company_name from verifications v left join accounts a on a.id = v.account_id
    where v.id = ${verification_id} and v.use_date is null and v.expire_date > ${kernel.clock.now()}`);
  if (!open) return null;
  const code = openCode(kernel, verification_id, sealed);
  return { number: open.target, text: open.purpose === 'sender_number' ? numberText(code, open) : personText(code) };
}

const personText = (code: string): string =>
  `${code} is your Parley code. It works once and for ${CODE_MINUTES} minutes.`;

/** Whoever reads it may have nothing to do with that company: it says what is given away with the code. */
const numberText = (code: string, { company_name }: { company_name: string | null }): string =>
  `${code} lets ${nameForStrangers(company_name, 40, 'a company')} send messages from this number. Give it to them only if you agree. It works once and for ${CODE_MINUTES} minutes.`;

/** True for the first who says so: the message is written in the same transaction. */
export const markSent = async (tx: Tx, verification_id: string): Promise<boolean> =>
  (await tx.run(sql`
    update verifications set detail = detail || '{"sent": true}'
    where id = ${verification_id} and not detail ? 'sent'`)) > 0;

/** Whoever gives a code for it hears PHONE_VERIFICATION_FAILED instead of "wrong". */
export const markFailed = (db: Queryable, verification_id: string) =>
  db.run(sql`update verifications set detail = detail || '{"failed": true}' where id = ${verification_id}`);
