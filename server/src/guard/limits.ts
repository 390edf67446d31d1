/** The limits of an account: people and API keys create, change, and delete them. Each change is in the audit log. */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/guard/limits.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { CAP, type Paged, paged, readPage } from '../kernel/db/list.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { type Acting, record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { deleteOverrides, isSubAccount, spreadChange } from './inheritance.ts';
import * as queries from './queries.ts';
import { endViolations, seenBy } from './violations.ts';
import { deleteWarnings } from './warnings.ts';

type Caller = Acting & { actor: Actor };

export async function listLimits(
  db: Queryable,
  { account_id }: Actor,
  now: Date,
  query: Parsed<typeof contract.listLimits>['query'],
): Promise<Paged<contract.Limit>> {
  const page = readPage(query);
  const [rows, total] = await runTogether(
    queries.listLimitRows(db, account_id, now, page),
    queries.countAllLimits(db, account_id),
  );
  return paged(page, rows, total);
}

export async function getLimit(db: Queryable, { account_id }: Actor, now: Date, id: string): Promise<contract.Limit> {
  const limit = await queries.findLimit(db, account_id, id, now);
  if (!limit) throw new Problem('LIMIT_NOT_FOUND');
  return limit;
}

export async function createLimit(
  tx: Tx,
  caller: Caller,
  body: Parsed<typeof contract.createLimit>['body'],
): Promise<contract.Limit> {
  const { account_id } = caller.actor;
  await queries.lockLimits(tx, account_id);
  if ((await queries.countLimits(tx, account_id)) >= contract.MAX_LIMITS) throw new Problem('LIMITS_LIMIT_EXCEEDED');
  const row = { enabled: true, warn_at: [], sub_accounts: 'none' as const, ...withDefaults(body), id: newId() };
  await requireShareable(tx, account_id, row.sub_accounts);
  await queries.insertLimit(tx, account_id, row);
  announce(tx, caller, 'limit.created', row, row);
  await tellSubAccounts(tx, account_id, [row]);
  return getLimit(tx, caller.actor, tx.now, row.id);
}

const DEFAULTS = {
  channels: [PHONE_CHANNEL],
  countries: [] as string[],
  prefixes: [] as string[],
  block_traffic: true,
};

export const withDefaults = <T extends object>(body: T) => ({ ...DEFAULTS, ...unique(body) });

/** The fields that decide which messages count, and in which unit. */
const COUNTED = ['type', 'channels', 'countries', 'prefixes', 'interval', 'sub_accounts'] as const;

export async function updateLimit(
  tx: Tx,
  caller: Caller,
  id: string,
  body: Parsed<typeof contract.updateLimit>['body'],
): Promise<contract.Limit> {
  const { account_id } = caller.actor;
  const before = await lock(tx, caller.actor, id);
  const after = { ...before, ...unique(body) };
  await requireShareable(tx, account_id, after.sub_accounts);
  const changed = (Object.keys(after) as (keyof queries.LimitRow)[]).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  if (changed.length > 0) {
    const restarts = COUNTED.some((name) => changed.includes(name));
    await queries.updateLimit(tx, account_id, after, restarts);
    const group = sharedBy([before, after], account_id);
    if (restarts) await queries.deleteCounters(tx, group, id);
    await endViolations(tx, account_id, id);
    await deleteWarnings(tx, group, id);
    if (after.sub_accounts === 'none') await deleteOverrides(tx, account_id, id);
    const detail = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
    announce(tx, caller, 'limit.updated', before, detail);
    await tellSubAccounts(tx, account_id, [before, after]);
  }
  return getLimit(tx, caller.actor, tx.now, id);
}

export async function removeLimit(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { account_id } = caller.actor;
  const before = await lock(tx, caller.actor, id);
  await queries.deleteLimit(tx, account_id, id);
  const group = sharedBy([before], account_id);
  await queries.deleteCounters(tx, group, id);
  await endViolations(tx, account_id, id);
  await deleteWarnings(tx, group, id);
  await deleteOverrides(tx, account_id, id);
  announce(tx, caller, 'limit.deleted', before, {});
  await tellSubAccounts(tx, account_id, [before]);
}

async function lock(tx: Tx, { account_id }: Actor, id: string): Promise<queries.LimitRow> {
  const limit = await queries.lockLimit(tx, account_id, id);
  if (limit) return limit;
  throw new Problem((await queries.isInherited(tx, account_id, id)) ? 'LIMIT_INHERITED' : 'LIMIT_NOT_FOUND');
}

type Shared = Pick<queries.LimitRow, 'id' | 'sub_accounts'>;
const isShared = (rows: readonly Shared[]): boolean => rows.some(({ sub_accounts }) => sub_accounts !== 'none');

/** The accounts that may have counters and warnings of the limit. */
const sharedBy = (rows: readonly Shared[], account_id: string): Sql =>
  isShared(rows) ? queries.groupIds(account_id) : sql`select ${account_id}::uuid`;

async function requireShareable(tx: Tx, account_id: string, sub_accounts: string): Promise<void> {
  if (sub_accounts !== 'none' && (await isSubAccount(tx, account_id))) throw new Problem('LIMIT_NOT_SHAREABLE');
}

async function tellSubAccounts(tx: Tx, account_id: string, rows: readonly Shared[]): Promise<void> {
  if (isShared(rows)) await enqueue(tx, spreadChange, { account_id, limit_id: rows[0]!.id });
}

/** Removes repeated values and fields without a value, and sorts lists, so that equal rules have equal rows. */
function unique<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? sortUnique(value) : value]),
  ) as { [K in keyof T]: Exclude<T[K], undefined> };
}

const sortUnique = (values: readonly (string | number)[]) =>
  [...new Set(values)].sort((a, b) => (typeof a === 'number' ? a - Number(b) : a < b ? -1 : 1));

function announce(tx: Tx, caller: Caller, action: string, { id, type }: queries.LimitRow, detail: object): void {
  const target = { type: 'limit', id, name: contract.LIMIT_TYPE_WORDS[type].label };
  record(tx, caller, { action, target, detail: { ...detail } });
  emit(tx, contract.limitsChanged, caller.actor.account_id, { id });
}

export async function listViolations(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof contract.listViolations>['query'],
): Promise<Paged<contract.Violation>> {
  const page = readPage(query);
  const filter = { limit_id: query.filter?.limit_id, active: query.filter?.active };
  const [rows, total] = await runTogether(
    queries.listViolations(db, account_id, filter, page),
    queries.countViolations(db, account_id, filter, CAP),
  );
  return paged(
    page,
    rows.map((row) => seenBy(account_id, row)),
    total,
  );
}
