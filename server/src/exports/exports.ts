/**
 * Exports of lists. A job (write.ts) reads the list in batches and writes a file. Every caller who may view the list
 * may see, download, and delete its exports. Exports of conversations belong to the user who started them, and to users
 * who may view all conversations.
 */

import {
  EXPORT_DAYS,
  type Export,
  exportProgressed,
  MAX_EXPORTS,
  MAX_UNFINISHED_EXPORTS,
} from '@parley/contract/exports/exports.ts';
import {
  EXPORT_LIST_NAMES,
  EXPORT_LISTS,
  type ExportList,
  isExportShared,
  PERSONAL_LISTS,
  seesAllConversations,
} from '@parley/contract/exports/lists.ts';
import { BUCKETS, canViewBucket } from '@parley/contract/inbox/inbox.ts';
import { type Need, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hasSpend, seesSpend } from '@parley/contract/spend.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { canView, parseListCall, requireList } from '../kernel/http/list_calls.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { FILE_FORMATS } from './file_format.ts';
import { DOOR, type ExportLink, exportLink, readExportLink } from './links.ts';
import * as queries from './queries.ts';

/** Writes the file of an export. Safe to repeat: every run writes its own file from the start. */
export const exportJob = job<{ account_id: string; id: string }>('exports.write', {
  concurrency: 2,
  expire_seconds: 3_600,
});

interface Request {
  list: ExportList;
  params?: Record<string, string>;
  filter: Record<string, unknown>;
  sort?: string | undefined;
  columns?: string[] | undefined;
  format: queries.Selection['format'];
  time_zone: string;
}

export async function listExports(
  db: Queryable,
  actor: Actor,
  query: Parameters<typeof readPage>[0] & { filter?: { list?: ExportList | undefined } | undefined },
): Promise<Paged<Export>> {
  const page = readPage(query);
  const list = query.filter?.list;
  const own_lists = (list ? [list] : EXPORT_LIST_NAMES).filter((name) => canView(actor, EXPORT_LISTS[name]));
  const lists = seesAllConversations(actor) ? own_lists : own_lists.filter((name) => !PERSONAL_LISTS.includes(name));
  const scope = { account_id: actor.account_id, user_id: actor.user_id, lists, own_lists };
  const rows = await queries.exportPage(db, scope, page);
  return paged(page, rows, await queries.countExports(db, scope));
}

/** Throws EXPORT_LIMIT_REACHED, and the problems of the list for these parameters. */
export async function createExport(ctx: Ctx, request: Request): Promise<Export> {
  const { tx, actor } = ctx;
  const { list, params = {}, filter, sort = null } = request;
  requireList(actor, EXPORT_LISTS[list]);
  parseListCall({ endpoint: EXPORT_LISTS[list], params, filter, sort });
  const row = await startExport(tx, actor, { ...request, params, sort, columns: request.columns ?? null }, null);
  const isLog = list === 'audit_log';
  record(tx, ctx, {
    action: isLog ? 'audit_log.exported' : 'list.exported',
    target: { type: 'export', id: row.id, name: row.filename },
  });
  return row;
}

/** Throws EXPORT_LIMIT_REACHED. */
export async function startExport(
  tx: Tx,
  actor: Actor,
  selection: queries.Selection,
  schedule_id: string | null,
): Promise<Export> {
  const { list, params, filter, sort, columns, format, time_zone } = selection;
  await requireRoom(tx, actor.account_id, 1);
  const row = await queries.insertExport(tx, {
    ...{ list, params, filter, sort, columns, format, time_zone, actor, schedule_id },
    account_id: actor.account_id,
    id: newId(),
    filename: `${list.replaceAll('_', '-')}-${tx.now.toISOString().slice(0, 10)}.${format}`,
    expire_date: expireDate(tx),
  });
  return start(tx, row);
}

/** Writes the file again. A waiting or running export is unchanged. */
export async function restartExport({ tx, actor }: Ctx, id: string, list?: ExportList): Promise<Export> {
  const current = await requireExport(tx, actor, id, list);
  if (current.status !== 'COMPLETED' && current.error_message === null) return current;
  await requireRoom(tx, actor.account_id, 0);
  const row = await queries.setWaiting(tx, actor.account_id, id, actor, expireDate(tx));
  return row ? start(tx, row) : current;
}

export async function removeExport({ tx, actor, kernel }: Ctx, id: string, list?: ExportList): Promise<void> {
  await requireExport(tx, actor, id, list);
  const row = await queries.setRemoved(tx, actor.account_id, id);
  if (!row) throw new Problem('EXPORT_NOT_FOUND');
  announceExport(tx, row, true);
  const { storage_key } = row;
  // If a crash prevents it, the sweep removes the file.
  if (storage_key) tx.afterCommit(() => void kernel.storage.remove(storage_key).catch(() => {}));
}

/** Anyone who has the link can download the file until the link expires or the export is deleted. */
export async function createExportLink({ tx, kernel, actor }: Ctx, id: string): Promise<ExportLink> {
  const row = await requireExport(tx, actor, id);
  requireContents(actor, row);
  if (row.status !== 'COMPLETED') throw new Problem('FILE_NOT_FOUND');
  return exportLink(kernel, row);
}

export async function sendExportFile({ tx, kernel, actor, reply }: Ctx, id: string): Promise<void> {
  const row = await requireExport(tx, actor, id);
  requireContents(actor, row);
  await sendFile(kernel, reply, row);
}

/** The route of signed links. It is not a contract endpoint, because the link itself is the permission. */
export function exportDoors(http: FastifyInstance, kernel: Kernel): void {
  http.get(`${DOOR}/:name`, async ({ query }, reply) => {
    await sendLinkedFile(kernel, query, reply);
    return reply;
  });
}

async function sendLinkedFile(kernel: Kernel, query: unknown, reply: FastifyReply): Promise<void> {
  const link = readExportLink(kernel, query as Record<string, unknown>);
  if (!link) throw new Problem('FILE_LINK_EXPIRED');
  const row = await queries.findExport(kernel.db, link.account_id, link.id);
  if (!row) throw new Problem('FILE_NOT_FOUND');
  await sendFile(kernel, reply, row);
}

async function sendFile(kernel: Kernel, reply: FastifyReply, row: queries.ExportRow): Promise<void> {
  const isReady = row.status === 'COMPLETED' && row.storage_key !== null;
  const file = isReady ? await kernel.storage.open(row.storage_key!) : null;
  if (!file) throw new Problem('FILE_NOT_FOUND');
  reply
    .header('content-type', FILE_FORMATS[row.format].content_type)
    .header('content-length', file.bytes)
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', `attachment; filename="${row.filename}"`);
  await reply.send(file.stream);
}

/** Callers who may not view the list do not find its exports. */
async function requireExport(db: Queryable, actor: Actor, id: string, list?: ExportList): Promise<queries.ExportRow> {
  const row = await queries.findExport(db, actor.account_id, id);
  if (!row || (list && row.list !== list) || !canView(actor, EXPORT_LISTS[row.list]) || !isExportShared(row, actor))
    throw new Problem('EXPORT_NOT_FOUND');
  return row;
}

/** The permissions that decide the content of a person's export. */
const PERSON_NEEDS = ['MESSAGES:view', 'SHORT_URLS:view', 'CAMPAIGNS:view'] as const satisfies readonly Need[];

/** A file has the amounts and the conversations that the user who started the export could see at that time. */
function requireContents(reader: Actor, { actor, list }: queries.ExportRow): void {
  const isHidden = (bucket: (typeof BUCKETS)[number]) => canViewBucket(bucket, actor) && !canViewBucket(bucket, reader);
  if (PERSONAL_LISTS.includes(list) && BUCKETS.some(isHidden))
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This file contains conversations that you cannot view. Export the conversations again.',
    });
  const isLost = (need: Need) => permits(actor.permissions, need) && !permits(reader.permissions, need);
  if (list === 'person' && PERSON_NEEDS.some(isLost))
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This file contains data that you cannot view. Export the person again.',
    });
  if (seesSpend(reader.permissions) || !seesSpend(actor.permissions) || !hasSpend(EXPORT_LISTS[list].output)) return;
  throw new Problem('PERMISSION_REQUIRED', {
    message: 'This file contains amounts. You need permission to view payments or rates, or run the export yourself.',
  });
}

async function requireRoom(tx: Tx, account_id: string, added: number): Promise<void> {
  await queries.lockExports(tx, account_id);
  const { kept, unfinished } = await queries.countKept(tx, account_id);
  if (kept + added > MAX_EXPORTS || unfinished >= MAX_UNFINISHED_EXPORTS) throw new Problem('EXPORT_LIMIT_REACHED');
}

async function start(tx: Tx, row: queries.ExportRow): Promise<Export> {
  await enqueue(tx, exportJob, { account_id: row.account_id, id: row.id });
  announceExport(tx, row);
  return row;
}

const expireDate = (tx: Tx): Date => new Date(tx.now.getTime() + EXPORT_DAYS * 86_400_000);

export function announceExport(tx: Tx, row: queries.ExportRow, is_deleted = false): void {
  emit(tx, exportProgressed, row.account_id, exportProgressed.payload.parse({ ...row, is_deleted }));
}

/** Waits until runs that were writing when their export was deleted have noticed it. */
const MAX_NOTICE_MS = 3_600_000;
/** A run that shows no progress for longer than all retries of its job could take is lost. */
const MAX_SILENT_MS = 30 * 60_000;

/** Deletes expired exports, removes the files of deleted exports, and restarts exports whose job was lost. */
export async function sweepExports(kernel: Kernel): Promise<void> {
  const { db } = kernel;
  const now = kernel.clock.now();
  for (const { account_id, id } of await queries.listExpired(db, now))
    await db.tx(async (tx) => {
      const row = await queries.setRemoved(tx, account_id, id);
      if (row) announceExport(tx, row, true);
    });
  for (const { account_id, id, storage_key } of await queries.listRemoved(
    db,
    new Date(now.getTime() - MAX_NOTICE_MS),
  )) {
    if (storage_key) await kernel.storage.remove(storage_key);
    await queries.deleteExport(db, account_id, id);
  }
  for (const { account_id, id } of await queries.listSilent(db, new Date(now.getTime() - MAX_SILENT_MS)))
    await db.tx((tx) => enqueue(tx, exportJob, { account_id, id }));
}
