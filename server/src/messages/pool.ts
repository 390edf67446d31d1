/**
 * Which of several numbers behind a sender a person gets: the one they know; else one of their country, of their calling code, or any; among equals
 * by weight, always the same one for the same person. Two batches that meet a person at once agree. One read a batch, one write for new people.
 */
import { callingCode } from '../audiences/audiences.ts';
import { type Queryable, sql, type Tx, together } from '../kernel/db/db.ts';
import { type PoolMember, poolMembers, reaches } from '../senders/senders.ts';

interface Someone {
  readonly number: string;
  readonly country: string;
}

export interface Pool {
  readonly account_id: string;
  readonly pool_id: string;
}

/** Of each of the people, in their order. None where the sender stands alone. */
export async function originsOf(
  tx: Tx,
  { account_id, id, pool_id }: { account_id: string; id: string; pool_id: string | null },
  people: readonly Someone[],
): Promise<PoolMember[] | null> {
  if (pool_id !== id) return null;
  const pool = { account_id, pool_id };
  const numbers = people.map(({ number }) => number);
  const [members, known] = await together(poolMembers(tx, account_id, pool_id), pairsOf(tx, pool, numbers));
  // It was dissolved a moment ago.
  if (members.length === 0) return null;
  const choose = chooser(members);
  let open = people.filter(({ number, country }) => !choose.fits(known.get(number), country));
  // Somebody else may be first to decide on a person: then their word counts, unless that number has gone meanwhile.
  for (let turn = 0; open.length > 0 && turn < 3; turn++) {
    const unfit = [...new Set(open.flatMap(({ number }) => known.get(number) ?? []))];
    const drawn = open.map((person) => ({ number: person.number, sender_id: choose.by(person).sender_id }));
    for (const { number, sender_id } of await pair(tx, pool, drawn, unfit)) known.set(number, sender_id);
    open = open.filter(({ number, country }) => !choose.fits(known.get(number), country));
    const missing = open.map(({ number }) => number);
    if (missing.length > 0)
      for (const [number, sender_id] of await pairsOf(tx, pool, missing)) known.set(number, sender_id);
    open = open.filter(({ number, country }) => !choose.fits(known.get(number), country));
  }
  const byId = new Map(members.map((member) => [member.sender_id, member]));
  return people.map((person) => {
    const sender_id = known.get(person.number);
    return (choose.fits(sender_id, person.country) && byId.get(sender_id!)) || choose.by(person);
  });
}

export interface Origin extends Pool {
  readonly sender_id: string;
}

/**
 * One message each began its way from it. Late in the transaction, before money moves, and all at once: everybody who sends from the pool waits from
 * here to the commit.
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
  // In one order, so that two of them never wait for each other.
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await tx.run(sql`
    insert into sender_member_days as d (account_id, pool_id, sender_id, day, messages)
    select account_id, pool_id, sender_id, (${tx.now}::timestamptz at time zone 'UTC')::date, messages
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.pool_id)}::uuid[],
                ${rows.map((row) => row.sender_id)}::uuid[], ${rows.map(({ messages }) => messages)}::int[])
      as t(account_id, pool_id, sender_id, messages)
    on conflict (account_id, pool_id, sender_id, day) do update set messages = d.messages + excluded.messages`);
}

export interface Written {
  readonly account_id: string;
  readonly sender_id: string;
  readonly number: string;
  /** The number behind the sender that they wrote to. */
  readonly member_id: string | null;
}

/** From now on people hear from the number they wrote to. */
export async function rememberWritten(tx: Tx, messages: readonly Written[]): Promise<void> {
  const latest = new Map<string, Written>();
  for (const one of messages)
    if (one.member_id !== null) latest.set(`${one.account_id} ${one.sender_id} ${one.number}`, one);
  if (latest.size === 0) return;
  // In one order, so that two batches never wait for each other.
  const rows = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await tx.run(sql`
    insert into sender_pairs as p (account_id, pool_id, number, sender_id)
    select * from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.sender_id)}::uuid[],
                         ${rows.map(({ number }) => number)}::text[], ${rows.map((row) => row.member_id)}::uuid[])
    on conflict (account_id, pool_id, number) do update set sender_id = excluded.sender_id where p.sender_id <> excluded.sender_id`);
}

async function pairsOf(db: Queryable, { account_id, pool_id }: Pool, numbers: readonly string[]) {
  const rows = await db.rows<{ number: string; sender_id: string }>(sql`
    select number, sender_id from sender_pairs
    where account_id = ${account_id} and pool_id = ${pool_id} and number = any(${numbers}::text[])`);
  return new Map(rows.map(({ number, sender_id }) => [number, sender_id]));
}

/** Those it decided on; who has a pair that is not `unfit` keeps it and is missing. */
const pair = (
  tx: Tx,
  { account_id, pool_id }: Pool,
  drawn: readonly { number: string; sender_id: string }[],
  unfit: readonly string[],
) => {
  const rows = drawn.toSorted((a, b) => (a.number < b.number ? -1 : 1));
  return tx.rows<{ number: string; sender_id: string }>(sql`
    insert into sender_pairs as p (account_id, pool_id, number, sender_id)
    select ${account_id}, ${pool_id}, number, sender_id
    from unnest(${rows.map(({ number }) => number)}::text[], ${rows.map(({ sender_id }) => sender_id)}::uuid[]) as t(number, sender_id)
    on conflict (account_id, pool_id, number) do update set sender_id = excluded.sender_id where p.sender_id = any(${unfit}::uuid[])
    returning number, sender_id`);
};

interface Suited {
  readonly ids: ReadonlySet<string>;
  /** The best of them, and up to where in the sum of weights each goes. */
  readonly best: readonly { member: PoolMember; upto: number }[];
}

export interface Chooser {
  fits(sender_id: string | undefined, country: string): boolean;
  by(person: Someone): PoolMember;
}

/** Pure: the same people and numbers give the same choice, whoever asks. Exported for its test. */
export function chooser(members: readonly PoolMember[]): Chooser {
  const codes = new Map(members.map(({ sender_id, country }) => [sender_id, country && callingCode(country)]));
  const countries = new Map<string, Suited>();
  const suitedTo = (country: string): Suited => {
    const known = countries.get(country);
    if (known) return known;
    const code = callingCode(country);
    const rank = (member: PoolMember) =>
      member.country === country ? 0 : code !== null && codes.get(member.sender_id) === code ? 1 : 2;
    const reaching = members.filter((member) => reaches(member, country));
    // Nobody is let in here whom none of them reaches, unless the one that did has left a moment ago.
    const able = reaching.length > 0 ? reaching : members;
    const least = Math.min(...able.map(rank));
    let upto = 0;
    const best = able
      .filter((member) => rank(member) === least)
      .map((member) => {
        upto += member.weight;
        return { member, upto };
      });
    const suited = { ids: new Set(able.map(({ sender_id }) => sender_id)), best };
    countries.set(country, suited);
    return suited;
  };
  return {
    fits: (sender_id, country) => sender_id !== undefined && suitedTo(country).ids.has(sender_id),
    by({ number, country }) {
      const { best } = suitedTo(country);
      const point = spread(number) % best.at(-1)!.upto;
      return best.find(({ upto }) => point < upto)!.member;
    },
  };
}

/** FNV-1a, stirred at the end: neighbouring numbers land far apart. */
function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
