/** Sending a sender for approval and deciding on it: the only place where the status of a request changes, and with it the sender's. */

import type * as contract from '@parley/contract/admin/requests.ts';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { preflight } from '@parley/contract/preflight/preflight.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  type Attachment,
  type FieldReason,
  type Finding,
  putTcr,
} from '@parley/contract/registrations/registration.ts';
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
import { announceSender, remember } from '../senders/announce.ts';
import { shortCodeOf } from '../senders/create.ts';
import { type Carried, carriedBy, carry } from './enrollment.ts';
import { decisionMail } from '../senders/emails.ts';
import { shownNumbers } from './own_number_queries.ts';
import { codeInUse, insertInboundAddress, listedSender, ownerOf } from '../senders/queries.ts';
import { attachmentsOf, draftOf } from './form.ts';
import { isEditable, lockSender, type SenderState } from './queries.ts';
import * as queries from './request_queries.ts';
import { demandSeen } from './revision.ts';
import { verificationOf } from '../senders/carrier/verification_queries.ts';
import { pageFindings } from './website.ts';

const CALENDAR_DAYS = 7 / 5;
const DAY_MS = 86_400_000;

/** 1476 names what the check holds against it, each with its field. */
export async function submitSender(ctx: Ctx, id: string): Promise<ListedSender> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const sender = await lockSender(tx, account_id, id);
  if (!sender) throw new Problem(1402);
  const draft = await draftOf(tx, account_id, sender);
  if (!draft || !isEditable(sender)) throw new Problem(1472);
  const { kind, registration: form } = draft;
  const access = kind === 'whatsapp' || kind === 'viber';
  const formal = kind === 'toll_free' || kind === 'tcr';
  if (!permits(actor.permissions, formal ? putTcr.needs : 'SENDERS:add')) throw new Problem(1136);
  const [first, ...others] = preflight(draft).filter(({ level }) => level === 'blocker');
  if (first)
    throw new Problem(1476, {
      field: first.field,
      message: first.title,
      others: others.map(({ field, title }) => ({ code: 1476, field, message: title })),
    });
  if (access) await demandFree(tx, sender, sender.code);
  else if (sender.code && (await codeInUse(tx, account_id, 'SMS', sender.code, id))) throw new Problem(1440);
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
  if (!found) throw new Problem(1477);
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
 * 1156 the second of two, what waits for an answer, or another form than the one that was looked at; 1157 a refusal or a question without words; 1409 1407 1440 the short code; of WhatsApp and Viber 1482 to 1486 what carries it
 * and 1440 1446 a number or name that has become somebody's. The carrier is asked before and outside of the transaction that decides.
 */
export async function decideSender(ctx: Ctx, id: string, given: Decision): Promise<void> {
  const { kernel } = ctx;
  const carried = given.decision === 'approve' ? await carriedBy(kernel, id, given) : null;
  await kernel.db.tx((tx) => decide({ ...ctx, tx }, id, given, carried));
}

async function decide(ctx: Ctx, id: string, given: Decision, carried: Carried | null): Promise<void> {
  const { tx, kernel, actor } = ctx;
  const found = await queries.request(tx, id);
  if (!found) throw new Problem(1477);
  const { account_id, sender_id } = found;
  // The sender first, as its owner does: neither waits for the other in a circle.
  const sender = await lockSender(tx, account_id, sender_id);
  // While the carrier was asked, a colleague may have asked the customer, and got another form.
  demandSeen((await queries.request(tx, id))!, { ...given, revision: carried?.revision ?? given.revision });
  const { decision, note } = given;
  const reasons = decision === 'approve' ? [] : given.reasons;
  if ((decision === 'reject' && reasons.length === 0 && !note) || (decision === 'ask' && !note && reasons.length === 0))
    throw new Problem(1157);
  const verdict = {
    status: decision === 'approve' ? 'COMPLETED' : decision === 'reject' ? 'CANCELED' : 'IN_PROCESS',
    asked: decision === 'ask',
    reasons,
    note,
    reviewer_id: actor.user_id,
  } as const;
  if (!sender || (await queries.decide(tx, account_id, id, verdict)) === 0) throw new Problem(1156);
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
  if (given === '') throw new Problem(1409);
  const code = shortCodeOf(given);
  if (await codeInUse(tx, account_id, 'SMS', code, id)) throw new Problem(1440);
  if ((await insertInboundAddress(tx, { account_id, id, channel: 'SMS', code })) === 0) throw new Problem(1440);
  await tx.run(sql`
    update senders set code = ${code}, status = 'available', update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
}
