/**
 * Scheduled exports. A job starts the exports that are due. The user gets an email with a link to each file, or an SFTP
 * server gets the file.
 */

import type { Parsed } from '@parley/contract/endpoint.ts';
import { EXPORT_LISTS, type ExportList } from '@parley/contract/exports/lists.ts';
import {
  type createExportSchedule,
  type ExportSchedule,
  exportScheduleChanged,
  MAX_EXPORT_SCHEDULES,
} from '@parley/contract/exports/schedules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { canView, parseListCall, requireList } from '../kernel/http/list_calls.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { readCurrentPermissions } from '../team/team.ts';
import { findSecret, lockDestinations } from './destination_queries.ts';
import { startExport } from './exports.ts';
import * as queries from './schedule_queries.ts';

const announce = (tx: Tx, { account_id, id, list }: Pick<ExportSchedule, 'account_id' | 'id' | 'list'>): void =>
  emit(tx, exportScheduleChanged, account_id, { account_id, id, list });

export const listSchedules = async (db: Queryable, actor: Actor): Promise<ExportSchedule[]> =>
  (await queries.listSchedules(db, actor.account_id)).filter(({ list }) => canView(actor, EXPORT_LISTS[list]));

/** Throws EXPORT_SCHEDULES_LIMIT_EXCEEDED, and the problems of the list for these parameters. */
export async function createSchedule(
  ctx: Ctx,
  body: Parsed<typeof createExportSchedule>['body'],
): Promise<ExportSchedule> {
  const { tx, actor } = ctx;
  const { list, params, sort = null } = body;
  const filter = withoutDates(list, body.filter);
  requireList(actor, EXPORT_LISTS[list]);
  parseListCall({ endpoint: EXPORT_LISTS[list], params, filter, sort });
  await queries.lockSchedules(tx, actor.account_id);
  if ((await queries.countSchedules(tx, actor.account_id)) >= MAX_EXPORT_SCHEDULES)
    throw new Problem('EXPORT_SCHEDULES_LIMIT_EXCEEDED');
  const destination_id = body.destination_id ?? null;
  if (destination_id) await requireDestination(tx, actor.account_id, destination_id);
  const id = newId();
  await queries.insertSchedule(tx, { ...body, id, filter, sort, columns: body.columns ?? null, destination_id, actor });
  const schedule = (await queries.listSchedules(tx, actor.account_id, id))[0]!;
  record(tx, ctx, { action: 'list.exported', target: { type: 'export_schedule', id, name: list } });
  announce(tx, schedule);
  return schedule;
}

/** The lock keeps the destination from being deleted before the schedule uses it. */
async function requireDestination(tx: Tx, account_id: string, id: string): Promise<void> {
  await lockDestinations(tx, account_id);
  if (!(await findSecret(tx, account_id, id))) throw new Problem('EXPORT_DESTINATION_NOT_FOUND');
}

export async function removeSchedule({ tx, actor }: Ctx, id: string): Promise<void> {
  const [schedule] = await queries.listSchedules(tx, actor.account_id, id);
  if (!schedule || !canView(actor, EXPORT_LISTS[schedule.list])) throw new Problem('EXPORT_SCHEDULE_NOT_FOUND');
  await queries.deleteSchedule(tx, actor.account_id, id);
  announce(tx, schedule);
}

/** An export of the message log gets the dates of its run instead of those of the screen. */
const isDated = (list: ExportList): boolean => list === 'messages';

function withoutDates(list: ExportList, filter: Record<string, unknown>): Record<string, unknown> {
  const { created_date_start, created_date_end, ...rest } = filter;
  return isDated(list) ? rest : filter;
}

/** Starts the exports that are due. Each schedule has its own transaction, so that one cannot hold up the others. */
export async function runSchedules(kernel: Kernel, signal?: AbortSignal): Promise<void> {
  for (const { account_id, id } of await queries.listDue(kernel.db, kernel.clock.now())) {
    if (signal?.aborted) return;
    await kernel.db
      .tx((tx) => runSchedule(tx, account_id, id))
      .catch((error: unknown) => {
        // The account has too many exports. The schedule is due again until there is room.
        if (!(error instanceof Problem)) throw error;
        kernel.log.info({ problem: error.name, schedule_id: id }, 'scheduled export postponed');
      });
  }
}

async function runSchedule(tx: Tx, account_id: string, id: string): Promise<void> {
  const due = await queries.lockDue(tx, account_id, id, tx.now);
  if (!due) return;
  const permissions = await readCurrentPermissions(tx, due.actor);
  const actor = { ...due.actor, permissions: permissions ?? {} };
  if (permissions === null || !canView(actor, EXPORT_LISTS[due.list])) {
    await queries.deleteSchedule(tx, account_id, id);
    announce(tx, due);
    return;
  }
  const { list, params, sort, columns, format, time_zone, period_start, period_end } = due;
  const dates = { created_date_start: period_start, created_date_end: period_end };
  const filter = isDated(list) ? { ...due.filter, ...dates } : due.filter;
  await queries.setNext(tx, due);
  await startExport(tx, actor, { list, params, filter, sort, columns, format, time_zone }, id);
  announce(tx, due);
}
