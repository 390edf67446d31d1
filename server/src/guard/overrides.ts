/** The overrides that a company sets for one sub-account. Each change is in the company's audit log. */
import { limitsChanged } from '@parley/contract/guard/limits.ts';
import type { CountryExceptions, SubAccountLimit } from '@parley/contract/guard/overrides.ts';
import { Problem } from '@parley/contract/problem.ts';
import { lockSubAccount } from '../accounts/accounts.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { type Acting, record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceCountries } from './inheritance.ts';
import { lockLimit } from './queries.ts';
import { endViolations } from './violations.ts';
import { deleteWarnings } from './warnings.ts';

type Caller = Acting & { actor: Actor };

const limitsFor = (account_id: string, sub_id: string, now: Date, which: Sql): Sql => sql`
  select l.id, l.type, l.channels, l.countries, l.prefixes, l."limit", l."interval", l.block_traffic, l.sub_accounts,
    case when o.limit_id is not null then json_build_object('limit', o."limit",
      'update_date', to_char(o.update_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) end as override,
    case when l.type <> 'messages_per_recipient' and (l.sub_accounts = 'each' or o."limit" is not null) then coalesce((
      select max(c.used) from limit_counters c
      where c.account_id = ${sub_id} and c.limit_id = l.id and c.window_start =
        date_trunc(l."interval", ${now}::timestamptz at time zone 'UTC') at time zone 'UTC'), 0) end as used
  from limits l
  left join limit_overrides o on o.account_id = l.account_id and o.limit_id = l.id and o.sub_account_id = ${sub_id}
  where l.account_id = ${account_id} and l.sub_accounts <> 'none' and l.enabled and ${which}
  order by l.id desc`;

export async function listSubAccountLimits(
  db: Queryable,
  { account_id }: Actor,
  now: Date,
  id: string,
): Promise<SubAccountLimit[]> {
  await requireSubAccount(db, account_id, id);
  return db.rows<SubAccountLimit>(limitsFor(account_id, id, now, sql`true`));
}

async function requireSubAccount(db: Queryable, parent_id: string, id: string): Promise<void> {
  const found = await db.maybeOne(sql`
    select 1 from accounts where id = ${id} and parent_id = ${parent_id} and close_date is null`);
  if (!found) throw new Problem('SUBACCOUNT_NOT_FOUND');
}

export async function overrideLimit(
  tx: Tx,
  caller: Caller,
  { id, limit_id }: { id: string; limit_id: string },
  limit: number | null,
): Promise<SubAccountLimit> {
  const { account_id } = caller.actor;
  await change(tx, caller, id, limit_id, { limit }, () =>
    tx.run(sql`
      insert into limit_overrides (account_id, limit_id, sub_account_id, "limit", update_date)
      values (${account_id}, ${limit_id}, ${id}, ${limit}, ${tx.now})
      on conflict (account_id, limit_id, sub_account_id) do update set
        "limit" = excluded."limit", update_date = excluded.update_date`),
  );
  return tx.one<SubAccountLimit>(limitsFor(account_id, id, tx.now, sql`l.id = ${limit_id}`));
}

export const resetLimit = (tx: Tx, caller: Caller, { id, limit_id }: { id: string; limit_id: string }): Promise<void> =>
  change(tx, caller, id, limit_id, { inherits: true }, () =>
    tx.run(sql`
      delete from limit_overrides
      where account_id = ${caller.actor.account_id} and limit_id = ${limit_id} and sub_account_id = ${id}`),
  );

async function change(
  tx: Tx,
  caller: Caller,
  id: string,
  limit_id: string,
  detail: object,
  store: () => Promise<unknown>,
): Promise<void> {
  const { account_id } = caller.actor;
  const { company_name } = await lockSubAccount(tx, account_id, id);
  const limit = await lockLimit(tx, account_id, limit_id);
  if (!limit) throw new Problem('LIMIT_NOT_FOUND');
  if (limit.sub_accounts === 'none') throw new Problem('LIMIT_NOT_SHARED');
  await store();
  // The doctor ignores messages of transactions that read the earlier rule.
  await tx.run(sql`
    update limits set update_date = ${tx.now} where account_id = ${account_id} and id = ${limit_id}`);
  await endViolations(tx, id, limit_id);
  await deleteWarnings(tx, sql`select ${id}::uuid`, limit_id);
  record(tx, caller, {
    action: 'limit.overridden',
    target: { type: 'account', id, name: company_name },
    detail: { limit_id, ...detail },
  });
  for (const hears of [account_id, id]) emit(tx, limitsChanged, hears, { id: limit_id });
}

export async function getExceptions(db: Queryable, { account_id }: Actor, id: string): Promise<CountryExceptions> {
  await requireSubAccount(db, account_id, id);
  return readExceptions(db, account_id, id);
}

const readExceptions = (db: Queryable, account_id: string, id: string): Promise<CountryExceptions> =>
  db.one<CountryExceptions>(sql`
    select ${id}::uuid as sub_account_id, coalesce(e.countries, '{}') as countries, e.update_date,
      case when c.sub_accounts then c.countries end as blocked,
      case when c.allowed_sub_accounts and c.only_allowed then c.allowed end as allowed
    from (select 1) one
    left join country_blacklists c on c.account_id = ${account_id}
    left join country_exceptions e on e.account_id = ${account_id} and e.sub_account_id = ${id}`);

export async function saveExceptions(
  tx: Tx,
  caller: Caller,
  id: string,
  body: { countries: readonly string[]; acknowledges_risk?: boolean | undefined },
): Promise<CountryExceptions> {
  const { account_id } = caller.actor;
  const { company_name } = await lockSubAccount(tx, account_id, id);
  const before = await readExceptions(tx, account_id, id);
  const countries = [...new Set(body.countries)].sort();
  const added = countries.filter((country) => !before.countries.includes(country));
  const removed = before.countries.filter((country) => !countries.includes(country));
  if (added.length + removed.length === 0) return before;
  if (added.length > 0 && !body.acknowledges_risk) throw new Problem('COUNTRY_RISK_NOT_ACKNOWLEDGED');
  await tx.run(sql`
    insert into country_exceptions (account_id, sub_account_id, countries, update_date)
    values (${account_id}, ${id}, ${countries}, ${tx.now})
    on conflict (account_id, sub_account_id) do update set
      countries = excluded.countries, update_date = excluded.update_date`);
  record(tx, caller, {
    action: 'country_exceptions.changed',
    target: { type: 'account', id, name: company_name },
    detail: { added, removed, ...(added.length > 0 && { risk_acknowledged: added }) },
  });
  await announceCountries(tx, id);
  return readExceptions(tx, account_id, id);
}
