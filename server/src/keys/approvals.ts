/**
 * Approvals of messages. A key can have a daily amount that it may send without an approval. Above it, a person
 * approves each message. The approval has a token, which the program sends with the message: it is valid for a short
 * time, once, and for exactly this message and key (decision 89).
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/keys/approvals.ts';
import type { MessageRehearsal } from '@parley/contract/messages/rehearsals.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hashToken } from '../auth/auth.ts';
import { idAt, newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import { type Acting, record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './approval_queries.ts';

const KEPT_DAYS = 30;
/** A program cannot fill the list with more than this. */
const MAX_KEPT = 500;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const newToken = (): string => randomBytes(24).toString('base64url');
const addMilliseconds = (tx: Tx, ms: number): Date => new Date(tx.now.getTime() + ms);

/** Equal for messages with equal fields. The fields are in the order of their schema. */
const contentHash = (body: object): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

/** Counts what a key sends without an approval. Returns false if that exceeds its daily limit. */
export async function countUnapproved(
  tx: Tx,
  { account_id, key_id, approval }: Actor,
  recipients: number,
  micros: number,
): Promise<boolean> {
  if (!key_id || !approval) return true;
  const sums = await queries.addUnapproved(tx, account_id, key_id, recipients, micros);
  return (
    (approval.recipients === null || sums.recipients <= approval.recipients) &&
    (approval.micros === null || sums.spent_micros <= approval.micros)
  );
}

/** Throws APPROVAL_TOKEN_INVALID, or APPROVAL_REQUIRED without a token if the message needs an approval. */
export async function requireApproval(
  tx: Tx,
  actor: Actor,
  { token, body, recipients, micros }: { token: string | undefined; body: object; recipients: number; micros: number },
): Promise<void> {
  if (!actor.key_id || !actor.approval) return;
  if (token === undefined) {
    if (!(await countUnapproved(tx, actor, recipients, micros))) throw new Problem('APPROVAL_REQUIRED');
    return;
  }
  const used = await queries.useToken(tx, actor.account_id, actor.key_id, hashToken(token), contentHash(body));
  if (!used) throw new Problem('APPROVAL_TOKEN_INVALID');
  emit(tx, contract.approvalChanged, actor.account_id, { id: used.id });
}

export async function requestApproval(
  tx: Tx,
  { account_id, key_id }: Actor,
  body: object,
  rehearsal: MessageRehearsal,
): Promise<contract.SendApproval> {
  if (!key_id) throw new Problem('VALUE_INVALID', { field: 'key', message: 'Only API keys can request approvals' });
  const id = await queries.insertApproval(tx, {
    ...{ account_id, id: newId(), key_id, content_hash: contentHash(body), rehearsal },
    expire_date: addMilliseconds(tx, contract.PENDING_HOURS * 60 * MINUTE_MS),
  });
  await queries.pruneApprovals(tx, account_id, idAt(tx.now.getTime() - KEPT_DAYS * DAY_MS), MAX_KEPT);
  emit(tx, contract.approvalChanged, account_id, { id });
  return (await queries.findApproval(tx, account_id, id))!;
}

export async function listApprovals(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof contract.listApprovals>['query'],
): Promise<Paged<contract.SendApproval>> {
  const page = readPage(query);
  const [rows, total] = await runTogether(
    queries.listApprovals(db, account_id, page),
    queries.countApprovals(db, account_id),
  );
  return paged(page, rows, total);
}

export async function getApproval(db: Queryable, { account_id }: Actor, id: string): Promise<contract.SendApproval> {
  const approval = await queries.findApproval(db, account_id, id);
  if (!approval) throw new Problem('SEND_APPROVAL_NOT_FOUND');
  return approval;
}

export async function decideApproval(
  tx: Tx,
  caller: Acting & { actor: Actor },
  id: string,
  { status }: Parsed<typeof contract.decideApproval>['body'],
): Promise<contract.SendApproval> {
  const { account_id, user_id } = caller.actor;
  const before = await getApproval(tx, caller.actor, id);
  const token = status === 'approved' ? newToken() : null;
  const is_decided = await queries.decide(tx, {
    ...{ account_id, id, status, user_id, token_hash: token === null ? null : hashToken(token) },
    expire_date: addMilliseconds(tx, contract.TOKEN_MINUTES * MINUTE_MS),
  });
  if (!is_decided) throw new Problem('SEND_APPROVAL_DECIDED');
  record(tx, caller, {
    action: `send_approval.${status}`,
    target: { type: 'key', id: before.key_id, name: before.key_name ?? '' },
    detail: { approval_id: id, recipients: before.rehearsal.messages.length },
  });
  emit(tx, contract.approvalChanged, account_id, { id });
  return { ...(await getApproval(tx, caller.actor, id)), token };
}
