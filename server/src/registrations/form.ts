/** The form of a registration, saved section by section, and its preflight check. It is locked during a review. */

import { type Draft, preflight } from '@parley/contract/preflight/preflight.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { PreflightFinding } from '@parley/contract/registrations/finding.ts';
import { type Registration, requestKind, type SectionName } from '@parley/contract/registrations/registration.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { createOutbound } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceSender, isEditable, lockSender, readSender, type SenderRow } from '../senders/senders.ts';
import { recordPart } from './form_log.ts';
import { listProvenNumbers } from './own_number_queries.ts';
import * as queries from './queries.ts';
import { findPageProblems } from './website.ts';

/** Locks the sender. Throws SENDER_NOT_FOUND or SENDER_STATE_INVALID (its form is locked). */
export async function requireEditable(tx: Tx, account_id: string, id: string): Promise<SenderRow> {
  const sender = await lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  if (!isEditable(sender)) throw new Problem('SENDER_STATE_INVALID');
  return sender;
}

/** The keyword responses of a sender in use can also change. The changes apply immediately. */
export async function putSection(ctx: Ctx, id: string, name: SectionName, value: object): Promise<Registration> {
  const { tx } = ctx;
  const { account_id } = ctx.actor;
  const sender = await lockSender(tx, account_id, id);
  if (!sender) throw new Problem('SENDER_NOT_FOUND');
  const isInUse = sender.status === 'available' || sender.status === 'approved';
  const isKeywords = name === 'compliance_keyword_responses';
  if (!isEditable(sender) && !(isKeywords && isInUse)) throw new Problem('SENDER_STATE_INVALID');
  recordPart(ctx, sender, name, (await queries.readRegistration(tx, account_id, id))[name], value);
  await queries.saveSection(tx, account_id, id, name, value);
  if (isKeywords) await queries.saveKeywords(tx, account_id, id, value as Parameters<typeof queries.saveKeywords>[3]);
  await announceSender(tx, account_id, id);
  return queries.readRegistration(tx, account_id, id);
}

/** The input of the preflight check. Null for a sender that needs no registration. */
export async function readDraft(db: Queryable, account_id: string, sender: SenderRow): Promise<Draft | null> {
  const kind = requestKind(sender);
  if (!kind) return null;
  const registration = await queries.readRegistration(db, account_id, sender.id);
  const attached = await queries.listAttachments(db, account_id, sender.id);
  return {
    kind,
    sender,
    brand: sender.brand || sender.company_name,
    registration,
    attached: attached.map((file) => file.kind),
    numbers: await listProvenNumbers(db, account_id, kind, registration),
  };
}

export async function checkSender({ db, config }: Kernel, account_id: string, id: string): Promise<PreflightFinding[]> {
  const sender = await readSender(db, account_id, id);
  if (!sender || sender.deleted) throw new Problem('SENDER_NOT_FOUND');
  const draft = await readDraft(db, account_id, sender);
  return draft ? [...preflight(draft), ...(await findPageProblems(createOutbound(config), draft.registration))] : [];
}
