/**
 * The limits that operators set for all SMPP accounts of a company together. They apply when an account is created or
 * changed, when a program binds, and within seconds to the sessions that are bound.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type * as contract from '@parley/contract/smpp/caps.ts';
import { MAX_SMPP_ACCOUNTS, SMPP_BINDS, smppAccountsChanged } from '@parley/contract/smpp/smpp.ts';
import { announceCustomer } from '../accounts/accounts.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import { isLive, lockAccounts, type Settings } from './queries.ts';

type Caps = Pick<contract.SmppCaps, 'max_accounts' | 'max_binds' | 'throughput'>;

const NO_CAPS: Caps = { max_accounts: null, max_binds: null, throughput: null };

const findCaps = async (db: Queryable, account_id: string): Promise<Caps> =>
  (await db.maybeOne<Caps>(sql`
    select max_accounts, max_binds, throughput from smpp_caps where account_id = ${account_id}`)) ?? NO_CAPS;

interface Company {
  name: string;
  closed: boolean;
}

async function requireCompany(db: Queryable, account_id: string): Promise<Company> {
  const company = await db.maybeOne<Company>(sql`
    select company_name as name, close_date is not null as closed from accounts where id = ${account_id}`);
  if (!company) throw new Problem('ACCOUNT_NOT_FOUND');
  return company;
}

export async function getCaps(db: Queryable, account_id: string): Promise<contract.SmppCaps> {
  await requireCompany(db, account_id);
  const used = await db.one<Pick<contract.SmppCaps, 'accounts_count' | 'bound_count'>>(sql`
    select
      (select count(*)::int from smpp_accounts where account_id = ${account_id} and delete_date is null)
        as accounts_count,
      (select count(*)::int from smpp_sessions s where s.account_id = ${account_id} and ${isLive}) as bound_count`);
  return { account_id, ...(await findCaps(db, account_id)), ...used };
}

export async function updateCaps(
  ctx: Ctx,
  account_id: string,
  change: Parsed<typeof contract.updateSmppCaps>['body'],
): Promise<contract.SmppCaps> {
  const { tx } = ctx;
  const { name, closed } = await requireCompany(tx, account_id);
  if (closed) throw new Problem('ACCOUNT_CLOSED');
  await lockAccounts(tx, account_id);
  const before = await findCaps(tx, account_id);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const after: Caps = { ...before, ...Object.fromEntries(given) };
  const changed = (Object.keys(NO_CAPS) as (keyof Caps)[]).filter((cap) => before[cap] !== after[cap]);
  if (changed.length > 0) {
    await tx.run(sql`
      insert into smpp_caps (account_id, max_accounts, max_binds, throughput, update_date)
      values (${account_id}, ${after.max_accounts}::int, ${after.max_binds}::int, ${after.throughput}::int, ${tx.now})
      on conflict (account_id) do update set max_accounts = excluded.max_accounts, max_binds = excluded.max_binds,
        throughput = excluded.throughput, update_date = excluded.update_date`);
    record(tx, ctx, {
      action: 'smpp_caps.updated',
      account_id,
      target: { type: 'account', id: account_id, name },
      detail: Object.fromEntries(changed.map((cap) => [cap, { from: before[cap], to: after[cap] }])),
    });
    emit(tx, smppAccountsChanged, account_id, { id: account_id });
    await announceCustomer(tx, account_id);
  }
  return getCaps(tx, account_id);
}

/** The limits of a company as its own users see them. */
export async function readEffectiveCaps(db: Queryable, { config }: Pick<Kernel, 'config'>, account_id: string) {
  const caps = await findCaps(db, account_id);
  return {
    max_accounts: Math.min(caps.max_accounts ?? MAX_SMPP_ACCOUNTS, MAX_SMPP_ACCOUNTS),
    max_binds: Math.min(caps.max_binds ?? SMPP_BINDS.max, SMPP_BINDS.max),
    max_throughput: Math.min(caps.throughput ?? config.SMPP_THROUGHPUT, config.SMPP_THROUGHPUT),
  };
}

/** Throws SMPP_ACCOUNTS_LIMIT_EXCEEDED if the company has as many accounts as it may have. Needs their lock. */
export async function requireRoom(tx: Tx, account_id: string, existing: number): Promise<void> {
  const { max_accounts } = await findCaps(tx, account_id);
  if (existing >= MAX_SMPP_ACCOUNTS) throw new Problem('SMPP_ACCOUNTS_LIMIT_EXCEEDED');
  if (max_accounts !== null && existing >= max_accounts)
    throw new Problem('SMPP_ACCOUNTS_LIMIT_EXCEEDED', {
      message: `Your company can have at most ${max_accounts} SMPP accounts. Contact support to raise the limit.`,
    });
}

/** Refuses settings above the company's limits. Settings from before a limit was lowered may stay. */
export async function requireBelowCaps(
  tx: Tx,
  account_id: string,
  after: Pick<Settings, 'max_binds' | 'throughput'>,
  before?: Pick<Settings, 'max_binds' | 'throughput'>,
): Promise<void> {
  const { max_binds, throughput } = await findCaps(tx, account_id);
  const isAbove = (value: number | null, cap: number | null, old: number | null | undefined) =>
    value !== null && cap !== null && value > cap && value !== old;
  if (isAbove(after.max_binds, max_binds, before?.max_binds))
    throw new Problem('SMPP_BINDS_ABOVE_CAP', {
      message: `Your company can have at most ${max_binds} sessions. Contact support to raise the limit.`,
    });
  if (isAbove(after.throughput, throughput, before?.throughput))
    throw new Problem('SMPP_THROUGHPUT_ABOVE_CAP', {
      message: `Your company can send at most ${throughput} messages per second. Contact support to raise the limit.`,
    });
}
