/**
 * Submits senders for review, and handles their reviews. Only this file changes the status of a request and of its
 * sender.
 */

import type * as contract from '@parley/contract/admin/requests.ts';
import type { RequestDetail } from '@parley/contract/admin/requests.ts';
import { isAccessKind } from '@parley/contract/channels/access_kinds.ts';
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { preflight } from '@parley/contract/preflight/preflight.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { PreflightFinding } from '@parley/contract/registrations/finding.ts';
import { type Attachment, putTcr } from '@parley/contract/registrations/registration.ts';
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
import {
  addTimelineEntry,
  announceSender,
  findListedSender,
  findOwner,
  insertInboundAddress,
  isCodeInUse,
  isEditable,
  lockSender,
  parseShortCode,
  readVerification,
  type SenderRow,
} from '../senders/senders.ts';
import { requireUnusedCode } from './access.ts';
import { listAttachments } from './attachments.ts';
import { decisionEmail } from './emails.ts';
import { activateSender, type Enrollment, enrollRequested } from './enrollment.ts';
import { readDraft } from './form.ts';
import { listProvenNumbers } from './own_number_queries.ts';
import * as queries from './request_queries.ts';
import { requireRevision } from './revision.ts';
import { findPageProblems } from './website.ts';

const CALENDAR_DAYS = 7 / 5;
const DAY_MS = 86_400_000;

/** Throws REQUEST_CHECK_FAILED, which lists the blockers of the preflight check, each with its field. */
export async function submitSender(ctx: Ctx, id: string): Promise<ListedSender> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const sender = await lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  const draft = await readDraft(tx, account_id, sender);
  if (!draft || !isEditable(sender)) throw new Problem('SENDER_STATE_INVALID');
  const { kind, registration: form } = draft;
  const access = isAccessKind(kind);
  const isRegistration = kind === 'toll_free' || kind === 'tcr';
  if (!permits(actor.permissions, isRegistration ? putTcr.needs : 'SENDERS:add'))
    throw new Problem('PERMISSION_REQUIRED');
  const [first, ...others] = preflight(draft).filter(({ level }) => level === 'blocker');
  if (first)
    throw new Problem('REQUEST_CHECK_FAILED', {
      field: first.field,
      message: first.title,
      others: others.map(({ field, title }) => ({ code: 'REQUEST_CHECK_FAILED', field, message: title })),
    });
  if (access) await requireUnusedCode(tx, sender, sender.code);
  else if (sender.code && (await isCodeInUse(tx, account_id, PHONE_CHANNEL, sender.code, id)))
    throw new Problem('SENDER_ID_EXISTS');
  const [, maxDays] = expectedDays(sender.countries, sender.type);
  const expected_date = new Date(tx.now.getTime() + Math.ceil(maxDays * CALENDAR_DAYS) * DAY_MS);
  const resubmitted = await queries.resubmitRequest(tx, { account_id, sender_id: id, form, expected_date });
  const request_id = resubmitted ?? newId();
  if (!resubmitted)
    await queries.insertRequest(tx, { account_id, id: request_id, sender_id: id, kind, form, expected_date });
  await setStatus(tx, account_id, id, 'pending');
  await addTimelineEntry(tx, account_id, id, sender.status === 'unregistered' ? 'submitted' : 'resubmitted');
  record(tx, ctx, {
    action: 'sender.submitted',
    target: { type: 'sender', id, name: sender.code || sender.name },
    detail: { kind },
  });
  await announceSender(tx, account_id, id);
  await announceRequest(tx, kind, request_id);
  return (await findListedSender(tx, account_id, id))!;
}

const setStatus = (tx: Tx, account_id: string, id: string, status: Sender['status']) =>
  tx.run(sql`
    update senders set status = ${status}, update_date = ${tx.now} where account_id = ${account_id} and id = ${id}`);

/** A sender request as operators review it: the submitted form, and the current findings of the preflight check. */
export async function readSenderRequest(
  kernel: Kernel,
  id: string,
): Promise<{
  revision: number;
  findings: PreflightFinding[];
  documents: Attachment[];
  sender: NonNullable<z.input<typeof RequestDetail>['sender']>;
}> {
  const { db, config } = kernel;
  const request = await queries.findRequest(db, id);
  if (!request) throw new Problem('REQUEST_NOT_FOUND');
  const { account_id, sender_id, form, kind, revision } = request;
  const [sender, documents, row, pages, numbers, connections, verification] = await Promise.all([
    findListedSender(db, account_id, sender_id),
    listAttachments(kernel, account_id, sender_id),
    db.one<Pick<SenderRow, 'wish' | 'brand' | 'connection_id' | 'carrier_address'>>(sql`
      select s.wish, coalesce(nullif(s.brand, ''), a.company_name) as brand, s.connection_id, s.carrier_address
      from senders s join accounts a on a.id = s.account_id
      where s.account_id = ${account_id} and s.id = ${sender_id}`),
    findPageProblems(createOutbound(config), form),
    listProvenNumbers(db, account_id, kind, form),
    queries.listConnectionsFor(db, kind),
    readVerification(db, { account_id, sender_id }),
  ]);
  const { wish, brand, connection_id, carrier_address } = row;
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
 * Throws ALREADY_DECIDED (also for a request awaiting the customer or with a different revision) or REASON_REQUIRED.
 * For short codes, also throws SENDER_CODE_INVALID, SENDER_CODE_REQUIRED, or SENDER_ID_EXISTS. For WhatsApp and Viber,
 * also throws SENDER_ID_EXISTS, BUSINESS_NAME_EXISTS, CARRIER_ADDRESS_EXISTS, or a problem from `enrollRequested`. The
 * carrier is called before the transaction of the decision.
 */
export async function decideSender(ctx: Ctx, id: string, input: Decision): Promise<void> {
  const { kernel } = ctx;
  const enrollment = input.decision === 'approve' ? await enrollRequested(kernel, id, input) : null;
  await kernel.db.tx((tx) => decide({ ...ctx, tx }, id, input, enrollment));
}

async function decide(ctx: Ctx, id: string, input: Decision, enrollment: Enrollment | null): Promise<void> {
  const { tx, kernel, actor } = ctx;
  const request = await queries.findRequest(tx, id);
  if (!request) throw new Problem('REQUEST_NOT_FOUND');
  const { account_id, sender_id } = request;
  // Every transaction locks the sender before the request, so that no two wait for each other.
  const sender = await lockSender(tx, account_id, sender_id);
  // During the call to the carrier, another operator may have requested more information, and the form may have
  // changed.
  requireRevision((await queries.findRequest(tx, id))!, {
    ...input,
    revision: enrollment?.revision ?? input.revision,
  });
  const { decision, note } = input;
  const reasons = decision === 'approve' ? [] : input.reasons;
  if ((decision === 'reject' && reasons.length === 0 && !note) || (decision === 'ask' && !note && reasons.length === 0))
    throw new Problem('REASON_REQUIRED');
  const verdict = {
    status: decision === 'approve' ? 'COMPLETED' : decision === 'reject' ? 'CANCELED' : 'IN_PROCESS',
    info_requested: decision === 'ask',
    reasons,
    note,
    reviewer_id: actor.user_id,
  } as const;
  if (!sender || (await queries.decide(tx, account_id, id, verdict)) === 0) throw new Problem('ALREADY_DECIDED');
  if (decision === 'approve') await approve(tx, account_id, sender, input.code, enrollment);
  if (decision === 'reject') await setStatus(tx, account_id, sender_id, 'rejected');
  const kind = ({ approve: 'approved', reject: 'rejected', ask: 'asked' } as const)[decision];
  const text = [...reasons.map((reason) => reason.text), note].filter(Boolean).join(' ');
  await addTimelineEntry(tx, account_id, sender_id, kind, text);
  const updated = await announceSender(tx, account_id, sender_id);
  await announceRequest(tx, request.kind, id);
  record(tx, ctx, {
    action: `sender.${kind}`,
    account_id,
    target: { type: 'sender', id: sender_id, name: updated.code || updated.name },
    detail: { request_id: id, ...(decision === 'approve' ? {} : { reason: text.slice(0, 500) }) },
  });
  const owner = await findOwner(tx, account_id);
  const email = { decision, reasons, note, key: newId() };
  if (owner) await sendMail(tx, decisionEmail(kernel.config, account_id, owner, updated, email));
}

async function approve(
  tx: Tx,
  account_id: string,
  sender: SenderRow,
  input: string,
  enrollment: Enrollment | null,
): Promise<void> {
  const { id } = sender;
  if (sender.type === 'business') return activateSender(tx, account_id, sender, enrollment!);
  if (sender.type !== 'short_code')
    return void (await setStatus(tx, account_id, id, sender.type === 'alphanumeric' ? 'approved' : 'available'));
  if (input === '') throw new Problem('SENDER_CODE_REQUIRED');
  const code = parseShortCode(input);
  if (await isCodeInUse(tx, account_id, PHONE_CHANNEL, code, id)) throw new Problem('SENDER_ID_EXISTS');
  if ((await insertInboundAddress(tx, { account_id, id, channel: PHONE_CHANNEL, code })) === 0)
    throw new Problem('SENDER_ID_EXISTS');
  await tx.run(sql`
    update senders set code = ${code}, status = 'available', update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
}
