/**
 * The contacts that a campaign reaches. They come from audiences with their own contacts, from dynamic audiences as
 * they are now, and, after the start, from the people who were in a dynamic audience at the start.
 */
import type { Conditions } from '@parley/contract/audiences/conditions.ts';
import { selectPeople } from '../../audiences/audiences.ts';
import { newId } from '../../kernel/clock.ts';
import { customPlan, join, type Queryable, raw, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type CampaignRow, listAudienceIds } from './row.ts';

export interface Contact {
  id: string;
  number: string;
  country: string;
  first_name: string;
  last_name: string;
  custom1: string;
  custom2: string;
  /** The values of the account's own fields. */
  fields: Record<string, unknown>;
}

/** A contact of the audiences, and why it gets no message regardless of its content. */
export interface ReachedContact extends Contact {
  exclusion: 'duplicate' | 'excluded' | null;
}

type Source =
  | { kind: 'contacts'; audience_id: string }
  | { kind: 'set'; set_id: string }
  /** `where` is a condition on `people p`. */
  | { kind: 'people'; where: Sql };

export interface Reach {
  account_id: string;
  included: readonly Source[];
  excluded: readonly Source[];
}

/** The position before all contacts. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Audiences = Pick<CampaignRow, 'account_id' | 'audience_id' | 'audience_ids'> & {
  readonly excluded_audience_ids: readonly string[];
};

/** The key in `audience_sets` of the people who started a run of an automation. They replace its audiences. */
const TRIGGERED = 'triggered';

/** The reach of a campaign that has started. */
export function frozenReach(row: Audiences & Pick<CampaignRow, 'audience_sets'>): Reach {
  const toSource = (audience_id: string): Source => {
    const set_id = row.audience_sets[audience_id];
    return set_id ? { kind: 'set', set_id } : { kind: 'contacts', audience_id };
  };
  const triggered = row.audience_sets[TRIGGERED];
  return {
    account_id: row.account_id,
    included: triggered ? [{ kind: 'set', set_id: triggered }] : listAudienceIds(row).map(toSource),
    excluded: row.excluded_audience_ids.map(toSource),
  };
}

/** A draft's reach, with the current state of its dynamic audiences. */
export async function draftReach(db: Queryable, row: Audiences, now: Date): Promise<Reach> {
  const { account_id, excluded_audience_ids } = row;
  const dynamic = await listDynamicAudiences(db, row);
  const wheres = new Map<string, Sql>();
  for (const { id, conditions } of dynamic) wheres.set(id, await selectPeople(db, account_id, conditions, now));
  const toSource = (audience_id: string): Source => {
    const where = wheres.get(audience_id);
    return where ? { kind: 'people', where } : { kind: 'contacts', audience_id };
  };
  return {
    account_id,
    included: listAudienceIds(row).map(toSource),
    excluded: excluded_audience_ids.map(toSource),
  };
}

const listDynamicAudiences = (db: Queryable, row: Audiences) =>
  db.rows<{ id: string; conditions: Conditions }>(sql`
    select id, conditions from audiences
    where account_id = ${row.account_id} and conditions is not null
      and id = any(${[...listAudienceIds(row), ...row.excluded_audience_ids]}::uuid[])
    order by id`);

/**
 * Stores who is in the dynamic audiences of a campaign, which then reads only these people. Their new IDs are in the
 * order of time, so contacts that are added to other audiences later come after them.
 */
export async function freezeAudiences(tx: Tx, row: CampaignRow): Promise<CampaignRow['audience_sets']> {
  const sets: Record<string, string> = {};
  if (isTriggeredRun(row)) {
    sets[TRIGGERED] = newId();
    const { account_id } = row;
    const people = await tx.rows<{ number: string }>(sql`
      select number from campaign_entries where account_id = ${account_id} and run_id = ${row.id}`);
    await addTriggered(tx, { ...row, audience_sets: sets }, people, null);
  }
  for (const { id, conditions } of await listDynamicAudiences(tx, row)) {
    const set_id = newId();
    sets[id] = set_id;
    const where = await selectPeople(tx, row.account_id, conditions, tx.now);
    await tx.run(
      customPlan(sql`
        insert into campaign_people (account_id, set_id, id, number)
        select p.account_id, ${set_id}::uuid,
               (${newId().slice(0, 14)}::text || substr(gen_random_uuid()::text, 15))::uuid, p.number
        from people p where ${where}`),
    );
  }
  return sets;
}

/** Returns whether the campaign's recipients are the people in `campaign_entries`. */
export const isTriggeredRun = ({ trigger, series_id }: Pick<CampaignRow, 'trigger' | 'series_id'>): boolean =>
  trigger !== null && series_id !== null;

/**
 * Adds people to a run of an automation, and returns the last ID. The IDs come after all earlier ones, even if the
 * clock of another worker is ahead, so the cursor of the fan-out cannot have passed them.
 */
export async function addTriggered(
  tx: Tx,
  { account_id, audience_sets }: Pick<CampaignRow, 'account_id' | 'audience_sets'>,
  people: readonly { number: string }[],
  after: string | null,
): Promise<string | null> {
  const last = after === null ? 0 : Number.parseInt(after.replaceAll('-', '').slice(0, 12), 16);
  const prefix = newId(Math.max(Date.now(), last + 1)).slice(0, 14);
  const row = await tx.maybeOne<{ id: string }>(sql`
    with added as (
      insert into campaign_people (account_id, set_id, id, number)
      select ${account_id}::uuid, ${audience_sets[TRIGGERED]!}::uuid,
             (${prefix}::text || substr(gen_random_uuid()::text, 15))::uuid, n.number
      from unnest(${people.map(({ number }) => number)}::text[]) as n(number)
      returning id
    )
    select id from added order by id desc limit 1`);
  return row?.id ?? after;
}

/** Returns a condition on `k.number`: the person is in the audiences now. Without audiences, everyone is. */
export const isInAudiences = (reach: Reach): Sql =>
  reach.included.length === 0 ? raw('true') : contain(reach, reach.included, false);

interface SetsRef {
  account_id: string;
  set_ids: string[];
}
export const removeSets = job<SetsRef>('campaigns.remove_sets', { retry: 20 });
const REMOVED_AT_ONCE = 10_000;

/** Removes the people of a campaign that reads no more contacts. */
export async function releaseAudiences(tx: Tx, { account_id, audience_sets }: CampaignRow): Promise<void> {
  const set_ids = Object.values(audience_sets);
  if (set_ids.length > 0) await enqueue(tx, removeSets, { account_id, set_ids });
}

export async function runRemoveSets({ db }: Kernel, { account_id, set_ids }: SetsRef, signal?: AbortSignal) {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    if (signal?.aborted) throw new Error('stopped before all people were removed');
    removed = await db.run(sql`
      delete from campaign_people p using (
        select set_id, id from campaign_people
        where account_id = ${account_id} and set_id = any(${set_ids}::uuid[]) limit ${REMOVED_AT_ONCE}
      ) old
      where p.account_id = ${account_id} and p.set_id = old.set_id and p.id = old.id`);
  }
}

const texts = (alias: string): Sql =>
  raw(['country', 'first_name', 'last_name', 'custom1', 'custom2'].map((name) => `${alias}.${name}`).join(', '));

/** Selects the contacts of a source. The caller orders them by ID, with a limit, and reads no more than it needs. */
function selectFrom(account_id: string, source: Source): Sql {
  switch (source.kind) {
    case 'contacts':
      return sql`
        select c.id, c.number, ${texts('c')} from contacts c
        where c.account_id = ${account_id} and c.audience_id = ${source.audience_id}`;
    case 'set':
      return sql`
        select s.id, s.number, ${texts('p')} from campaign_people s
        cross join lateral (
          select * from people where account_id = s.account_id and number = s.number offset 0
        ) p
        where s.account_id = ${account_id} and s.set_id = ${source.set_id}`;
    case 'people':
      return sql`select p.id, p.number, ${texts('p')} from people p where ${source.where}`;
  }
}

/**
 * Whether any of the sources has the number `k.number`, or has it before `k`. A person and a contact may have the same
 * ID. The place of their sources decides then, and contacts come first.
 */
function contain({ account_id }: Reach, sources: readonly Source[], isBefore: boolean): Sql {
  const before = (id: string, place: number) =>
    isBefore ? raw(`and (${id} < k.id or (${id} = k.id and k.place > ${place}))`) : sql``;
  const audience_ids = sources.flatMap((source) => (source.kind === 'contacts' ? [source.audience_id] : []));
  const set_ids = sources.flatMap((source) => (source.kind === 'set' ? [source.set_id] : []));
  const parts: Sql[] = [];
  if (audience_ids.length > 0)
    parts.push(sql`
      exists (select from contacts o where o.account_id = ${account_id}
        and o.audience_id = any(${audience_ids}::uuid[]) and o.number = k.number ${before('o.id', 0)})`);
  if (set_ids.length > 0)
    parts.push(sql`
      exists (select from campaign_people o where o.account_id = ${account_id} and o.number = k.number
        and o.set_id = any(${set_ids}::uuid[]) ${before('o.id', 0)})`);
  for (const [index, source] of sources.entries())
    if (source.kind === 'people')
      parts.push(sql`
        exists (select from people p where p.account_id = ${account_id} and p.number = k.number
          ${before('p.id', toPlace(source, index))} and ${source.where})`);
  return parts.length === 0 ? raw('false') : sql`(${join(parts, ' or ')})`;
}

const toPlace = ({ kind }: Source, index: number): number => (kind === 'people' ? index + 1 : 0);

/** Statements with conditions of customers are planned for each call and are not kept. */
const planned = (reach: Reach, statement: Sql): Sql =>
  [...reach.included, ...reach.excluded].some(({ kind }) => kind === 'people') ? customPlan(statement) : statement;

/**
 * Returns the next contacts, paged by key, so that page 100 costs as much as page 1. Of the contacts with the same
 * number, the one with the lowest key counts. A page may contain one more contact, so that it ends between two IDs.
 */
export const listContactsAfter = (
  db: Queryable,
  reach: Reach,
  { after, until }: { after: string | null; until: string | null },
  limit: number,
): Promise<ReachedContact[]> => {
  const { account_id, included, excluded } = reach;
  const next = (source: Source, index: number) => sql`
    (select x.*, ${raw(String(toPlace(source, index)))} as place from (${selectFrom(account_id, source)}) x
     where x.id > ${after ?? FIRST_ID} and x.id <= ${until ?? LAST_ID} order by x.id limit ${limit})`;
  if (included.length === 0) return Promise.resolve([]);
  if (included.length === 1 && excluded.length === 0)
    return db.rows<ReachedContact>(
      planned(
        reach,
        sql`
        select k.*, coalesce(p.fields, '{}') as fields, null as exclusion from ${next(included[0]!, 0)} k
        ${joinFields(account_id)} order by k.id`,
      ),
    );
  return db.rows<ReachedContact>(
    planned(
      reach,
      sql`
      select k.*, coalesce(p.fields, '{}') as fields, case
        when ${contain(reach, excluded, false)} then 'excluded'
        when ${contain(reach, included, true)} then 'duplicate'
        end as exclusion
      from (
        select * from (${join(included.map(next), ' union all ')}) n
        order by n.id fetch first (${limit}::int) rows with ties
      ) k ${joinFields(account_id)}
      order by k.id, k.place`,
    ),
  );
};

/** Returns the contacts with these ids that are still in the audiences. */
export const listContactsWithIds = (db: Queryable, reach: Reach, ids: readonly string[]) =>
  db.rows<ReachedContact>(sql`
    select k.*, coalesce(p.fields, '{}') as fields,
           case when ${contain(reach, reach.excluded, false)} then 'excluded' end as exclusion
    from (
      ${join(
        reach.included.map(
          (source) => sql`select * from (${selectFrom(reach.account_id, source)}) x where x.id = any(${ids}::uuid[])`,
        ),
        ' union all ',
      )}
    ) k ${joinFields(reach.account_id)}`);

/** One index lookup for each contact, and none if the account has not defined any fields. */
const joinFields = (account_id: string): Sql => sql`
  left join lateral (
    select fields from people where account_id = ${account_id} and number = k.number
      and (select exists (select from contact_fields where account_id = ${account_id})) offset 0
  ) p on true`;

/** Returns a part of the contacts for a preview. */
export const listContactsFrom = (db: Queryable, reach: Reach, offset: number, limit: number) =>
  db.rows<Contact>(
    planned(
      reach,
      sql`
      select k.*, coalesce(p.fields, '{}') as fields from (
        select * from (${selectFrom(reach.account_id, reach.included[0]!)}) x order by x.id limit ${limit}
          offset ${offset}
      ) k ${joinFields(reach.account_id)}
      order by k.id`,
    ),
  );

/** Returns the number of contacts of the first audience. */
export const countContacts = async (db: Queryable, reach: Reach): Promise<number> =>
  (
    await db.one<{ count: number }>(
      planned(reach, sql`select count(*) from (${selectFrom(reach.account_id, reach.included[0]!)}) x`),
    )
  ).count;

/** Returns whether the audiences have any contacts other than the one with the number `excluded`. */
export const hasContacts = async (db: Queryable, reach: Reach, excluded = ''): Promise<boolean> => {
  const parts = reach.included.map(
    (source) => sql`exists (select from (${selectFrom(reach.account_id, source)}) x where x.number <> ${excluded})`,
  );
  if (parts.length === 0) return false;
  const statement = sql`select ${join(parts, ' or ')} as has_contacts`;
  return (await db.one<{ has_contacts: boolean }>(planned(reach, statement))).has_contacts;
};

/** Returns the numbers in the audiences that are on the stop list. */
export const listStopped = (db: Queryable, reach: Reach, sender_id: string | null) =>
  db.rows<{ number: string }>(
    planned(
      reach,
      sql`
      select distinct k.number from stop_list k
      where k.account_id = ${reach.account_id} and (k.sender_id is null or k.sender_id = ${sender_id}::uuid)
        and ${contain(reach, reach.included, false)}`,
    ),
  );

/** Selects the contact that a message `m` of the campaign was written for. */
export const recipientContact = (campaign: Pick<CampaignRow, 'audience_id' | 'audience_ids'>): Sql => sql`
  select f.* from (
    (select k.number, ${texts('k')} from contacts k
     where k.account_id = m.account_id and k.audience_id = any(${listAudienceIds(campaign)}::uuid[])
       and k.number = m.number
     order by k.id limit 1)
    union all
    select p.number, ${texts('p')} from people p where p.account_id = m.account_id and p.number = m.number
  ) f limit 1`;
