/** Overdue accounts and the reminders, for operators and for the account itself. */
import type {
  DunningSettings,
  OverdueAccount,
  updateOverdueAccount as Update,
} from '@parley/contract/admin/dunning.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { extend } from './cases.ts';
import * as queries from './queries.ts';

export async function updateSettings(ctx: Ctx, settings: DunningSettings): Promise<DunningSettings> {
  const { steps } = settings;
  const days = steps.map((step) => step.days);
  if (days.some((day, n) => n > 0 && day <= days[n - 1]!))
    throw new Problem('DUNNING_STEPS_INVALID', { message: 'Each step must be later than the one before it' });
  if (steps.slice(0, -1).some(({ pauses }) => pauses))
    throw new Problem('DUNNING_STEPS_INVALID', { message: 'Only the last step can pause sending' });
  await queries.writeSettings(ctx.tx, settings);
  record(ctx.tx, ctx, {
    action: 'dunning.changed',
    target: { type: 'dunning_settings', id: ctx.actor.account_id, name: '' },
    detail: { enabled: settings.enabled, days },
  });
  return queries.readSettings(ctx.tx);
}

export async function listOverdue(
  db: Queryable,
  query: Parameters<typeof readPage>[0],
): Promise<Paged<OverdueAccount>> {
  const page = readPage(query);
  return paged(page, await queries.listOverdue(db, page), await queries.countOverdue(db));
}

export async function updateOverdue(
  ctx: Ctx,
  account_id: string,
  { extend_date, exempt, reason }: Parsed<typeof Update>['body'],
): Promise<OverdueAccount> {
  const { tx, actor } = ctx;
  const before = await queries.findOverdueAccount(tx, account_id);
  if (!before) throw new Problem('OVERDUE_ACCOUNT_NOT_FOUND');
  const date = extend_date === null ? null : parseTimestamp(extend_date);
  if (date && date <= tx.now) throw new Problem('VALUE_INVALID', { field: 'extend_date' });
  if (exempt) await queries.exempt(tx, account_id, actor.user_id!, reason);
  else await queries.endExemption(tx, account_id);
  await extend(tx, account_id, date);
  record(tx, ctx, {
    action: exempt ? 'dunning.exempted' : date ? 'dunning.extended' : 'dunning.continued',
    account_id,
    target: { type: 'account', id: account_id, name: before.company_name },
    detail: { extend_date, reason },
  });
  return (await queries.findOverdueAccount(tx, account_id))!;
}
