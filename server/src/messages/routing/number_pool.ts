/**
 * Chooses the pool member that sends to a person: the member they already know, otherwise a member from their country,
 * a member with their calling code, or any member. Weights decide between equally suitable members, and the same person
 * always gets the same member. Concurrent batches make the same choice. A batch costs one read, plus one write if it
 * contains new people.
 */
import { callingCode } from '../../audiences/audiences.ts';
import { type Queryable, runTogether, sql, type Tx } from '../../kernel/db/db.ts';
import { listPoolMembers, type PoolMember, reaches } from '../../senders/senders.ts';

interface Person {
  readonly number: string;
  readonly country: string;
}

interface Pool {
  readonly account_id: string;
  readonly pool_id: string;
}

/** Returns each person's pool member, in the order of the people, or null if the sender has no pool. */
export async function assignOrigins(
  tx: Tx,
  { account_id, id, pool_id }: { account_id: string; id: string; pool_id: string | null },
  people: readonly Person[],
): Promise<PoolMember[] | null> {
  if (pool_id !== id) return null;
  const pool = { account_id, pool_id };
  const numbers = people.map(({ number }) => number);
  const [members, assigned] = await runTogether(
    listPoolMembers(tx, account_id, pool_id),
    selectPairs(tx, pool, numbers),
  );
  // The pool was dissolved in the meantime.
  if (members.length === 0) return null;
  const chooser = createChooser(members);
  let unassigned = people.filter(({ number, country }) => !chooser.fits(assigned.get(number), country));
  // A concurrent batch may assign a person first. Its choice stands unless that member has left the pool.
  for (let round = 0; unassigned.length > 0 && round < 3; round++) {
    const replaced = [...new Set(unassigned.flatMap(({ number }) => assigned.get(number) ?? []))];
    const choices = unassigned.map((person) => ({
      number: person.number,
      sender_id: chooser.choose(person).sender_id,
    }));
    for (const { number, sender_id } of await insertPairs(tx, pool, choices, replaced)) assigned.set(number, sender_id);
    unassigned = unassigned.filter(({ number, country }) => !chooser.fits(assigned.get(number), country));
    const missing = unassigned.map(({ number }) => number);
    if (missing.length > 0)
      for (const [number, sender_id] of await selectPairs(tx, pool, missing)) assigned.set(number, sender_id);
    unassigned = unassigned.filter(({ number, country }) => !chooser.fits(assigned.get(number), country));
  }
  const byId = new Map(members.map((member) => [member.sender_id, member]));
  return people.map((person) => {
    const sender_id = assigned.get(person.number);
    return (chooser.fits(sender_id, person.country) && byId.get(sender_id!)) || chooser.choose(person);
  });
}

export interface Origin extends Pool {
  readonly sender_id: string;
}

/**
 * Counts one message for each origin. Call it once, late in the transaction and before money moves, because from here
 * on every transaction that sends from the pool waits for this one.
 */
export async function countOrigins(tx: Tx, origins: readonly Origin[]): Promise<void> {
  if (origins.length === 0) return;
  const counts = new Map<string, Origin & { messages: number }>();
  for (const { account_id, pool_id, sender_id } of origins) {
    const key = `${account_id} ${pool_id} ${sender_id}`;
    const counted = counts.get(key) ?? { account_id, pool_id, sender_id, messages: 0 };
    counted.messages += 1;
    counts.set(key, counted);
  }
  // A fixed order prevents deadlocks.
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await tx.run(sql`
    insert into number_pool_days as d (account_id, pool_id, sender_id, day, messages)
    select account_id, pool_id, sender_id, (${tx.now}::timestamptz at time zone 'UTC')::date, messages
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.pool_id)}::uuid[],
                ${rows.map((row) => row.sender_id)}::uuid[], ${rows.map(({ messages }) => messages)}::int[])
      as t(account_id, pool_id, sender_id, messages)
    on conflict (account_id, pool_id, sender_id, day) do update set messages = d.messages + excluded.messages`);
}

interface PoolReply {
  readonly account_id: string;
  readonly sender_id: string;
  readonly number: string;
  /** The pool member that the person wrote to. */
  readonly member_id: string | null;
}

/** Assigns people to the pool member they last wrote to. */
export async function rememberMembers(tx: Tx, messages: readonly PoolReply[]): Promise<void> {
  const latest = new Map<string, PoolReply>();
  for (const message of messages)
    if (message.member_id !== null) latest.set(`${message.account_id} ${message.sender_id} ${message.number}`, message);
  if (latest.size === 0) return;
  // A fixed order prevents deadlocks.
  const rows = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await tx.run(sql`
    insert into number_pool_contacts as p (account_id, pool_id, number, sender_id)
    select * from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.sender_id)}::uuid[],
                         ${rows.map(({ number }) => number)}::text[], ${rows.map((row) => row.member_id)}::uuid[])
    on conflict (account_id, pool_id, number) do update set sender_id = excluded.sender_id
      where p.sender_id <> excluded.sender_id`);
}

async function selectPairs(db: Queryable, { account_id, pool_id }: Pool, numbers: readonly string[]) {
  const rows = await db.rows<{ number: string; sender_id: string }>(sql`
    select n.number, p.sender_id from unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select sender_id from number_pool_contacts
      where account_id = ${account_id} and pool_id = ${pool_id} and number = n.number limit 1
    ) p`);
  return new Map(rows.map(({ number, sender_id }) => [number, sender_id]));
}

/**
 * Inserts the pairs and returns the inserted ones. A person whose pair is not in `replaced` keeps it and is missing
 * from the result.
 */
const insertPairs = (
  tx: Tx,
  { account_id, pool_id }: Pool,
  choices: readonly { number: string; sender_id: string }[],
  replaced: readonly string[],
) => {
  const rows = choices.toSorted((a, b) => (a.number < b.number ? -1 : 1));
  return tx.rows<{ number: string; sender_id: string }>(sql`
    insert into number_pool_contacts as p (account_id, pool_id, number, sender_id)
    select ${account_id}, ${pool_id}, number, sender_id
    from unnest(${rows.map(({ number }) => number)}::text[], ${rows.map(({ sender_id }) => sender_id)}::uuid[])
      as t(number, sender_id)
    on conflict (account_id, pool_id, number) do update set sender_id = excluded.sender_id
      where p.sender_id = any(${replaced}::uuid[])
    returning number, sender_id`);
};

interface Candidates {
  readonly ids: ReadonlySet<string>;
  /** The best members, each with the upper end of its range in the sum of the weights. */
  readonly best: readonly { member: PoolMember; upto: number }[];
}

interface Chooser {
  fits(sender_id: string | undefined, country: string): boolean;
  choose(person: Person): PoolMember;
}

/** This function is pure: the same people and members always lead to the same choice. It is exported for tests. */
export function createChooser(members: readonly PoolMember[]): Chooser {
  const codes = new Map(members.map(({ sender_id, country }) => [sender_id, country && callingCode(country)]));
  const countries = new Map<string, Candidates>();
  const candidatesFor = (country: string): Candidates => {
    const cached = countries.get(country);
    if (cached) return cached;
    const code = callingCode(country);
    const rank = (member: PoolMember) =>
      member.country === country ? 0 : code !== null && codes.get(member.sender_id) === code ? 1 : 2;
    const reaching = members.filter((member) => reaches(member, country));
    // The gate refuses people whom no member can reach. `reaching` is empty only if the last member that could reach
    // them has just left.
    const usable = reaching.length > 0 ? reaching : members;
    const least = Math.min(...usable.map(rank));
    let upto = 0;
    const best = usable
      .filter((member) => rank(member) === least)
      .map((member) => {
        upto += member.weight;
        return { member, upto };
      });
    const candidates = { ids: new Set(usable.map(({ sender_id }) => sender_id)), best };
    countries.set(country, candidates);
    return candidates;
  };
  return {
    fits: (sender_id, country) => sender_id !== undefined && candidatesFor(country).ids.has(sender_id),
    choose({ number, country }) {
      const { best } = candidatesFor(country);
      const point = hash(number) % best.at(-1)!.upto;
      return best.find(({ upto }) => point < upto)!.member;
    },
  };
}

/** FNV-1a with a final mix, so that consecutive numbers get very different hashes. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state ^= text.charCodeAt(index);
    state = Math.imul(state, 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return (state ^ (state >>> 16)) >>> 0;
}
