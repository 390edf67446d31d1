/** Messages sent when deals enter a stage. */
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { crmChanged } from '@parley/contract/crm/crm.ts';
import type * as contract from '@parley/contract/crm/triggers.ts';
import type { CrmStage, CrmTrigger, CrmTriggerRun } from '@parley/contract/crm/triggers.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { findSender, isUsable } from '../../senders/senders.ts';
import { requireTemplate } from '../../templates/templates.ts';
import { callAsAny, requireConnection, toCallProblem } from '../access.ts';
import { label, provider } from '../apps.ts';
import { insertSync } from '../sync/queries.ts';
import * as queries from './queries.ts';

type Input = Parsed<typeof contract.createCrmTrigger>['body'];

export async function listStages({ kernel, actor }: Pick<Ctx, 'kernel' | 'actor'>, name: CrmName): Promise<CrmStage[]> {
  const call = await callAsAny(kernel, actor.account_id, name);
  return provider(name).stages(call).catch(toCallProblem);
}

export async function listTriggers(db: Queryable, { account_id }: Actor, name: CrmName): Promise<CrmTrigger[]> {
  await requireConnection(db, account_id, name);
  return queries.listTriggers(db, { account_id, provider: name });
}

async function requireTrigger(db: Queryable, { account_id }: Actor, name: CrmName, id: string): Promise<CrmTrigger> {
  const found = (await listTriggers(db, { account_id } as Actor, name)).find((one) => one.id === id);
  if (!found) throw new Problem('CRM_TRIGGER_NOT_FOUND');
  return found;
}

/** The stages are read from the CRM, before the transaction begins. */
export async function createTrigger(ctx: Ctx, name: CrmName, input: Input): Promise<CrmTrigger> {
  const stage = await requireStage(ctx, name, input.stage_id);
  return ctx.kernel.db.tx((tx) => storeTrigger(tx, ctx, name, newId(), input, stage.name));
}

export async function updateTrigger(
  ctx: Ctx,
  name: CrmName,
  id: string,
  changes: Parsed<typeof contract.updateCrmTrigger>['body'],
): Promise<CrmTrigger> {
  const before = await requireTrigger(ctx.kernel.db, ctx.actor, name, id);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const input: Input = { ...before, ...given };
  const stage =
    input.stage_id === before.stage_id ? before.stage_name : (await requireStage(ctx, name, input.stage_id)).name;
  return ctx.kernel.db.tx((tx) => storeTrigger(tx, ctx, name, id, input, stage));
}

async function requireStage(ctx: Ctx, name: CrmName, id: string): Promise<CrmStage> {
  const stage = (await listStages(ctx, name)).find((one) => one.id === id);
  if (!stage) throw new Problem('CRM_TRIGGER_INVALID');
  return stage;
}

async function storeTrigger(
  tx: Tx,
  ctx: Ctx,
  name: CrmName,
  id: string,
  input: Input,
  stage_name: string,
): Promise<CrmTrigger> {
  const { account_id } = ctx.actor;
  const key = { account_id, provider: name };
  await requireConnection(tx, account_id, name);
  const sender = await findSender(tx, account_id, input.sender_id);
  if (!sender || !isUsable(sender)) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  await requireTemplate(tx, account_id, input.template_id, sender.channel, sender).catch((error: unknown) => {
    throw error instanceof Problem ? new Problem('MESSAGE_TEMPLATE_ID_INVALID', { field: 'template_id' }) : error;
  });
  const { stage_id, sender_id, template_id, purpose, reentry, is_on } = input;
  await insertSync(tx, key);
  await queries.putTrigger(tx, { ...key, id, stage_name, stage_id, sender_id, template_id, purpose, reentry, is_on });
  await announce(tx, ctx, name, stage_name, is_on ? 'on' : 'off');
  return requireTrigger(tx, ctx.actor, name, id);
}

async function announce(tx: Tx, ctx: Ctx, name: CrmName, stage: string, state: string): Promise<void> {
  const { account_id } = ctx.actor;
  await queries.noteTriggers(tx, { account_id, provider: name });
  record(tx, ctx, {
    action: 'crm.trigger_changed',
    target: { type: 'crm', id: name, name: label(name) },
    detail: { stage, state },
  });
  emit(tx, crmChanged, account_id, { provider: name });
}

export async function removeTrigger(tx: Tx, ctx: Ctx, name: CrmName, id: string): Promise<void> {
  const { account_id } = ctx.actor;
  const { stage_name } = await requireTrigger(tx, ctx.actor, name, id);
  await queries.deleteTrigger(tx, { account_id, provider: name }, id);
  await announce(tx, ctx, name, stage_name, 'deleted');
}

export async function listRuns(
  db: Queryable,
  actor: Actor,
  { provider: name, id }: { provider: CrmName; id: string },
  query: Parameters<typeof readPage>[0],
): Promise<Paged<CrmTriggerRun>> {
  await requireTrigger(db, actor, name, id);
  const key = { account_id: actor.account_id, provider: name };
  const page = readPage(query);
  const [rows, total] = await runTogether(queries.listRuns(db, key, id, page), queries.countRuns(db, key, id));
  return paged(page, rows, total);
}
