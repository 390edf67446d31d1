/**
 * Sends verification codes and notices from the operator's own sender as regular messages: they are priced, routed, and
 * logged. The log shows a code masked. If a code cannot be sent, its verification fails, and the waiting user sees the
 * failure.
 */

import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type PhoneNotice, phoneNoticeText } from '../../auth/auth.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findCodeSender, markFailed, markSent, type PhoneCode, readPhoneCode } from '../../verify/verify.ts';
import { accept } from './accept.ts';

/** The time after which the code is void. */
const VALID_SECONDS = 600;
const NOTICE_VALID_SECONDS = 86_400;

/** A repeated run detects that the code was sent. Problems are final; other errors are retried. */
export async function sendPhoneCode(kernel: Kernel, job: PhoneCode): Promise<void> {
  const code = await readPhoneCode(kernel, job);
  if (!code) return;
  try {
    await kernel.db.tx(async (tx) => {
      if (await markSent(tx, job.verification_id)) await send(tx, kernel, code, VALID_SECONDS);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.error(
      { verification_id: job.verification_id, problem: error.name },
      'could not send a verification code',
    );
    await markFailed(kernel.db, job.verification_id);
  }
}

export const sendPhoneNotice = (kernel: Kernel, notice: PhoneNotice): Promise<void> =>
  sendNotice(kernel, { number: notice.number, text: phoneNoticeText(notice) });

export const sendAlertText = (kernel: Kernel, { number, text }: { number: string; text: string }): Promise<void> =>
  sendNotice(kernel, { number, text });

async function sendNotice(kernel: Kernel, notice: { number: string; text: string }): Promise<void> {
  try {
    await kernel.db.tx((tx) => send(tx, kernel, notice, NOTICE_VALID_SECONDS));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.warn({ problem: error.name }, 'could not send a notice to the phone of a user');
  }
}

async function send(
  tx: Tx,
  kernel: Kernel,
  { number, text, code }: { number: string; text: string; code?: string },
  validity_seconds: number,
): Promise<void> {
  const sender = await findCodeSender(tx);
  if (!sender) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  await accept(tx, kernel, {
    account_id: sender.account_id,
    channel: PHONE_CHANNEL,
    from: sender.id,
    recipients: [{ to: number, text }],
    ...(code === undefined ? {} : { code }),
    source: 'verification',
    refusal: 'throw',
    validity_seconds,
  });
}
