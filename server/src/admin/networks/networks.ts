/** The numbering plan: which network a number range was issued to. An update replaces the whole plan. */
import { type Network, type NetworkUpdate, networksChanged } from '@parley/contract/admin/networks.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { and, type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, likePattern, type Paged, paged, prefixPattern, readPage } from '../../kernel/db/list.ts';
import { type Acting, record } from '../../kernel/security/audit.ts';
import { type NumberingPlan, readBundledPlan, readPlan } from './numbering_plan.ts';

const SHOWN_PROBLEMS = 20;

type ListQuery = Parameters<typeof readPage>[0] & {
  filter?: { search?: string | undefined; country?: string | undefined } | undefined;
};

/** A search finds networks by name, code, or the start of a number. */
export async function listNetworks(db: Queryable, query: ListQuery): Promise<Paged<Network>> {
  const page = readPage(query);
  const { search, country } = query.filter ?? {};
  const digits = search?.replace(/^\+/, '');
  const where = and([
    search &&
      sql`(n.name ilike ${likePattern(search)} or n.mccmnc like ${prefixPattern(search)} or exists (
            select from network_prefixes p where p.mccmnc = n.mccmnc
              and (p.prefix like ${prefixPattern(digits!)} or ${digits!} like p.prefix || '%')))`,
    country && sql`n.country = ${country}`,
  ]);
  const rows = await db.rows<Network>(sql`
    select n.mccmnc, n.name, n.country,
           array(select prefix from network_prefixes p where p.mccmnc = n.mccmnc order by prefix) as prefixes
    from networks n where ${where} order by n.country, n.name, n.mccmnc limit ${page.size + 1} offset ${page.offset}`);
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) from (select 1 from networks n where ${where} limit ${CAP + 1}) capped`,
  );
  return paged(page, rows, count);
}

/**
 * Compares the plan with the stored one, and replaces it if `apply` is set and every line is valid. `text` is the
 * bundled plan if it is null. Without an acting operator (the command line), the operators' account is the actor.
 */
export async function updateNetworks(
  tx: Tx,
  acting: Acting | null,
  { text, apply }: { text: string | null; apply: boolean },
): Promise<NetworkUpdate> {
  const plan = readPlan(text ?? (await readBundledPlan()));
  // Other changes of prices and networks wait until this transaction ends.
  if (apply) await tx.run(sql`select 1 from price_revision for update`);
  const counts = await compare(tx, plan);
  const result: NetworkUpdate = {
    ...counts,
    prefixes: plan.networks.reduce((sum, { prefixes }) => sum + prefixes.length, 0),
    invalid: plan.problems.length,
    problems: plan.problems.slice(0, SHOWN_PROBLEMS),
    applied: apply && plan.problems.length === 0,
  };
  const count = counts.added + counts.changed + counts.removed;
  if (!result.applied || count === 0) return result;
  await replacePlan(tx, plan);
  await emitToOperators(tx, networksChanged, { count });
  const actor = acting ?? (await findOperatorsActor(tx));
  if (actor)
    record(tx, actor, {
      action: 'networks.updated',
      target: { type: 'networks', id: '', name: text === null ? 'Bundled plan' : 'File' },
      detail: counts,
    });
  return result;
}

async function compare(
  db: Queryable,
  { networks }: NumberingPlan,
): Promise<Pick<NetworkUpdate, 'added' | 'changed' | 'removed' | 'unchanged'>> {
  const describe = ({ name, country, prefixes }: Network): string => [country, ...prefixes.toSorted(), name].join(' ');
  const stored = await db.rows<Network>(sql`
    select n.mccmnc, n.name, n.country,
           coalesce(array_agg(p.prefix) filter (where p.prefix is not null), '{}') as prefixes
    from networks n left join network_prefixes p using (mccmnc) group by n.mccmnc`);
  const before = new Map(stored.map((network) => [network.mccmnc, describe(network)]));
  const added = networks.filter(({ mccmnc }) => !before.has(mccmnc)).length;
  const unchanged = networks.filter((network) => before.get(network.mccmnc) === describe(network)).length;
  const changed = networks.length - added - unchanged;
  return { added, changed, unchanged, removed: before.size - changed - unchanged };
}

async function replacePlan(tx: Tx, { networks }: NumberingPlan): Promise<void> {
  const prefixes = networks.flatMap((network) => network.prefixes.map((prefix) => [prefix, network.mccmnc] as const));
  await tx.run(sql`delete from network_prefixes`);
  await tx.run(sql`
    delete from networks where not mccmnc = any(${networks.map(({ mccmnc }) => mccmnc)}::text[])`);
  await tx.run(sql`
    insert into networks (mccmnc, name, country)
    select * from unnest(${networks.map(({ mccmnc }) => mccmnc)}::text[], ${networks.map(({ name }) => name)}::text[],
                         ${networks.map(({ country }) => country)}::text[])
    on conflict (mccmnc) do update set name = excluded.name, country = excluded.country`);
  await tx.run(sql`
    insert into network_prefixes (prefix, mccmnc)
    select * from unnest(${prefixes.map(([prefix]) => prefix)}::text[], ${prefixes.map(([, code]) => code)}::text[])`);
}

async function findOperatorsActor(db: Queryable): Promise<Acting | null> {
  const account = await db.maybeOne<{ id: string }>(
    sql`select id from accounts where kind = 'OPERATOR' order by id limit 1`,
  );
  return account && { actor: { account_id: account.id, user_id: null } };
}
