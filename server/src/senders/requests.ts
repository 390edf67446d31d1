/** Sending a sender for approval and deciding on it: the only place where the status of a request changes, and with it the sender's. */

import type * as contract from '@parley/contract/admin/requests.ts';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { preflight } from '@parley/contract/preflight/preflight.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Finding } from '@parley/contract/registrations/finding.ts';
import { type Attachment, type FieldReason, putTcr } from '@parley/contract/registrations/registration.ts';
import { expectedDays } from '@parley/contract/senders/countries.ts';
import type { ListedSender, Sender } from '@parley/contract/senders/senders.ts';
import type { z } from 'zod';
import { announceRequest } from '../accounts/accounts.ts';
import { newId } from '../kernel/clock.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { createOutbound } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { record } from '../kernel/security/audit.ts';
import { demandFree } from './access.ts';
import { announceSender, remember } from './announce.ts';
import { shortCodeOf } from './create.ts';
import { type Carried, carriedBy, carry } from './enrollment.ts';
import { decisionMail } from './mails.ts';
import { shownNumbers } from './own_number_queries.ts';
import { codeInUse, insertInboundAddress, listedSender, ownerOf } from './queries.ts';
import { attachmentsOf, draftOf } from './registration.ts';
import { isEditable, lockSender, type SenderState } from './registration_queries.ts';
import * as queries from './request_queries.ts';
import { demandSeen } from './seen.ts';
import { verificationOf } from './verification_queries.ts';
import { pageFindings } from './website.ts';

const CALENDAR_DAYS = 7 / 5;
const DAY_MS = 86_400_000;

/** REQUEST_CHECK_FAILED names what the check holds against it, each with its field. */
export async function submitSender(ctx: Ctx, id: string): Promise<ListedSender> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const sender = await lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  const draft = await draftOf(tx, account_id, sender);
  if (!draft || !isEditable(sender)) throw new Problem('SENDER_STATE_INVALID');
  const { kind, registration: form } = draft;
  const access = isAccessKind(kind);
  const formal = kind === 'toll_free' || kind === 'tcr';
  if (!permits(actor.permissions, formal ? putTcr.needs : 'SENDERS:add')) throw new Problem('PERMISSION_REQUIRED');
  const [first, ...others] = preflight(draft).filter(({ level }) => level === 'blocker');
  if (first)
    throw new Problem('REQUEST_CHECK_FAILED', {
      field: first.field,
      message: first.title,
      others: others.map(({ field, title }) => ({ code: 'REQUEST_CHECK_FAILED', field, message: title })),
    });
  if (access) await demandFree(tx, sender, sender.code);
  else if (sender.code && (await codeInUse(tx, account_id, PHONE_CHANNEL, sender.code, id)))
    throw new Problem('SENDER_ID_EXISTS');
  const [, most] = expectedDays(sender.countries, sender.type);
  const expected_date = new Date(tx.now.getTime() + Math.ceil(most * CALENDAR_DAYS) * DAY_MS);
  const answered = await queries.answerRequest(tx, { account_id, sender_id: id, form, expected_date });
  const request_id = answered ?? newId();
  if (!answered)
    await queries.insertRequest(tx, { account_id, id: request_id, sender_id: id, kind, form, expected_date });
  await setStatus(tx, account_id, id, 'pending');
  await remember(tx, account_id, id, sender.status === 'unregistered' ? 'submitted' : 'resubmitted');
  record(tx, ctx, {
    action: 'sender.submitted',
    target: { type: 'sender', id, name: sender.code || sender.name },
    detail: { kind },
  });
  await announceSender(tx, account_id, id);
  await announceRequest(tx, kind, request_id);
  return (await listedSender(tx, account_id, id))!;
}

const setStatus = (tx: Tx, account_id: string, id: string, status: Sender['status']) =>
  tx.run(sql`
    update senders set status = ${status}, update_date = ${tx.now} where account_id = ${account_id} and id = ${id}`);

/** What operators look at, beside what all requests have: the form as it was sent, and what the check finds in it now. */
export async function senderRequest(
  kernel: Kernel,
  id: string,
): Promise<{
  revision: number;
  findings: Finding[];
  documents: Attachment[];
  sender: NonNullable<z.input<typeof RequestDetail>['sender']>;
}> {
  const { db, config } = kernel;
  const found = await queries.request(db, id);
  if (!found) throw new Problem('REQUEST_NOT_FOUND');
  const { account_id, sender_id, form, kind, revision } = found;
  const [sender, documents, state, pages, numbers, connections, verification] = await Promise.all([
    listedSender(db, account_id, sender_id),
    attachmentsOf(kernel, account_id, sender_id),
    db.one<Pick<SenderState, 'wish' | 'brand' | 'connection_id' | 'carrier_address'>>(sql`
      select s.wish, coalesce(nullif(s.brand, ''), a.company_name) as brand, s.connection_id, s.carrier_address
      from senders s join accounts a on a.id = s.account_id where s.account_id = ${account_id} and s.id = ${sender_id}`),
    pageFindings(createOutbound(config), form),
    shownNumbers(db, account_id, form),
    queries.connectionsFor(db, kind),
    verificationOf(db, { account_id, sender_id }),
  ]);
  const { wish, brand, connection_id, carrier_address } = state;
  const attached = documents.map((file) => file.kind);
  return {
    revision,
    findings: [...preflight({ kind, sender: sender!, brand, registration: form, attached, numbers }), ...pages],
    documents,
    sender: { sender: sender!, wish, form, connections, connection_id, carrier_address, verification },
  };
}

type Decision = Parsed<typeof contract.decideRequest>['body'];

/**
 * ALREADY_DECIDED the second of two, what waits for an answer, or another form than the one that was looked at;
 * REASON_REQUIRED a refusal or a question without words; SENDER_CODE_REQUIRED, SENDER_CODE_INVALID, SENDER_ID_EXISTS
 * the short code; of WhatsApp and Viber CONNECTION_REQUIRED to CARRIER_UNAVAILABLE what carries it and
 * SENDER_ID_EXISTS, BUSINESS_NAME_EXISTS a number or name that has become somebody's. The carrier is asked before and
 * outside of the transaction that decides.
 */
export async function decideSender(ctx: Ctx, id: string, given: Decision): Promise<void> {
  const { kernel } = ctx;
  const carried = given.decision === 'approve' ? await carriedBy(kernel, id, given) : null;
  await kernel.db.tx((tx) => decide({ ...ctx, tx }, id, given, carried));
}

async function decide(ctx: Ctx, id: string, given: Decision, carried: Carried | null): Promise<void> {
  const { tx, kernel, actor } = ctx;
  const found = await queries.request(tx, id);
  if (!found) throw new Problem('REQUEST_NOT_FOUND');
  const { account_id, sender_id } = found;
  // The sender first, as its owner does: neither waits for the other in a circle.
  const sender = await lockSender(tx, account_id, sender_id);
  // While the carrier was asked, a colleague may have asked the customer, and got another form.
  demandSeen((await queries.request(tx, id))!, { ...given, revision: carried?.revision ?? given.revision });
  const { decision, note } = given;
  const reasons = decision === 'approve' ? [] : given.reasons;
  if ((decision === 'reject' && reasons.length === 0 && !note) || (decision === 'ask' && !note && reasons.length === 0))
    throw new Problem('REASON_REQUIRED');
  const verdict = {
    status: decision === 'approve' ? 'COMPLETED' : decision === 'reject' ? 'CANCELED' : 'IN_PROCESS',
    asked: decision === 'ask',
    reasons,
    note,
    reviewer_id: actor.user_id,
  } as const;
  if (!sender || (await queries.decide(tx, account_id, id, verdict)) === 0) throw new Problem('ALREADY_DECIDED');
  if (decision === 'approve') await approve(tx, account_id, sender, given.code, carried);
  if (decision === 'reject') await setStatus(tx, account_id, sender_id, 'rejected');
  const kind = ({ approve: 'approved', reject: 'rejected', ask: 'asked' } as const)[decision];
  await remember(tx, account_id, sender_id, kind, wordsOf(reasons, note));
  const now = await announceSender(tx, account_id, sender_id);
  await announceRequest(tx, found.kind, id);
  record(tx, ctx, {
    action: `sender.${kind}`,
    account_id,
    target: { type: 'sender', id: sender_id, name: now.code || now.name },
    detail: { request_id: id, ...(decision === 'approve' ? {} : { reason: wordsOf(reasons, note).slice(0, 500) }) },
  });
  const owner = await ownerOf(tx, account_id);
  if (owner)
    await sendMail(tx, decisionMail(kernel.config, account_id, owner, now, { decision, reasons, note, key: newId() }));
}

const wordsOf = (reasons: readonly FieldReason[], note: string): string =>
  [...reasons.map(({ text }) => text), note].filter(Boolean).join(' ');

async function approve(
  tx: Tx,
  account_id: string,
  sender: SenderState,
  given: string,
  carried: Carried | null,
): Promise<void> {
  const { id } = sender;
  if (sender.type === 'business') return carry(tx, account_id, sender, carried!);
  if (sender.type !== 'short_code')
    return void (await setStatus(tx, account_id, id, sender.type === 'alphanumeric' ? 'approved' : 'available'));
  if (given === '') throw new Problem('SENDER_CODE_REQUIRED');
  const code = shortCodeOf(given);
  if (await codeInUse(tx, account_id, PHONE_CHANNEL, code, id)) throw new Problem('SENDER_ID_EXISTS');
  if ((await insertInboundAddress(tx, { account_id, id, channel: PHONE_CHANNEL, code })) === 0)
    throw new Problem('SENDER_ID_EXISTS');
  await tx.run(sql`
    update senders set code = ${code}, status = 'available', update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
}
