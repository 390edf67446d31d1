/**
 * Several numbers behind one sender. A number that stands behind one is only used through it; whoever stopped one of them has stopped all, and when a
 * number leaves, it takes those stops along. A stop that comes meanwhile waits for the lock of the pools, or is waited for. Which number a person gets is
 * chosen in messages/pool.ts.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/index.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem, type ProblemDetail, type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import { MEMBER_TYPES, type putSenderMembers, type SenderMember } from '@parley/contract/senders/members.ts';
import { copyStops, lockPools, parseNumber } from '../audiences/audiences.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { announceSender } from './announce.ts';
import * as queries from './pool_queries.ts';
import { senderById } from './queries.ts';

export interface PoolMember {
  readonly sender_id: string;
  readonly code: string;
  /** Null: of no country. */
  readonly country: string | null;
  /** Empty: everywhere. */
  readonly countries: readonly string[];
  readonly weight: number;
}

/** Those that may be used, its own among them, always in the same order. */
export const poolMembers = async (db: Queryable, account_id: string, pool_id: string): Promise<PoolMember[]> =>
  (await queries.usableMembers(db, account_id, pool_id)).map(withCountry);

const withCountry = <M extends { code: string; country: string | null; countries: readonly string[] }>(
  member: M,
): M => ({
  ...member,
  country:
    member.country ??
    parseNumber(`+${member.code}`)?.country ??
    (member.countries.length === 1 ? member.countries[0]! : null),
});

/** Problem SENDER_NOT_FOUND. */
export async function listMembers(db: Queryable, account_id: string, id: string): Promise<SenderMember[]> {
  if (!(await senderById(db, account_id, id))) throw new Problem('SENDER_NOT_FOUND');
  return membersOf(db, account_id, id);
}

async function membersOf(db: Queryable, account_id: string, id: string): Promise<SenderMember[]> {
  const members = await queries.membersOf(db, account_id, id);
  const all = members.reduce((sum, { messages_30_days }) => sum + messages_30_days, 0);
  return members.map((member) => ({ ...withCountry(member), share: all && member.messages_30_days / all }));
}

/**
 * Problems: SENDER_NOT_FOUND (an id nobody has here), POOL_MEMBER_NOT_A_NUMBER, POOL_MEMBER_NOT_READY,
 * POOL_MEMBER_IN_USE, POOL_MEMBER_HAS_POOL; each tells which of the numbers it is about.
 */
export async function putMembers(
  ctx: Ctx,
  id: string,
  { members }: Parsed<typeof putSenderMembers>['body'],
): Promise<SenderMember[]> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  await lockPools(tx, account_id);
  const pool = await demandMembers(tx, account_id, id, [...new Set(members.map(({ sender_id }) => sender_id))]);
  const before = new Map(
    (await queries.weightsOf(tx, account_id, id)).map(({ sender_id, weight }) => [sender_id, weight]),
  );
  const given = new Map(members.map(({ sender_id, weight }) => [sender_id, weight]));
  // Its own number alone is no pool.
  const others = [...given.keys()].filter((one) => one !== id);
  const after = others.length === 0 ? [] : [id, ...others];
  const left = [...before.keys()].filter((one) => !after.includes(one));
  const joined = after.filter((one) => !before.has(one));
  await queries.takeMembers(tx, account_id, left);
  const rows = after.map((sender_id) => ({
    sender_id,
    weight: given.get(sender_id) ?? before.get(sender_id) ?? 1,
  }));
  await queries.putMembers(tx, { account_id, pool_id: id }, rows);
  await shareStops(tx, account_id, id, joined, left);
  record(tx, ctx, {
    action: 'sender.members_changed',
    target: { type: 'sender', id, name: pool.code },
    detail: { members: others.length },
  });
  for (const one of new Set([id, ...joined, ...left])) await announceSender(tx, account_id, one);
  return membersOf(tx, account_id, id);
}

/** Of whom nothing is left to be used any more; the caller holds the row. The others of a pool that ends stand by themselves again. */
export async function leavePool(tx: Tx, account_id: string, id: string): Promise<void> {
  await lockPools(tx, account_id);
  const pool_id = await queries.poolOf(tx, account_id, id);
  if (pool_id === null) return;
  const all = (await queries.weightsOf(tx, account_id, pool_id)).map(({ sender_id }) => sender_id);
  const ends = pool_id === id || all.length <= 2;
  const left = ends ? all : [id];
  await queries.takeMembers(tx, account_id, left);
  await shareStops(tx, account_id, pool_id, [], left);
  if (pool_id === id) await queries.forgetPairs(tx, account_id, id);
  for (const one of new Set([pool_id, ...left])) if (one !== id) await announceSender(tx, account_id, one);
}

async function shareStops(tx: Tx, account_id: string, pool_id: string, joined: string[], left: string[]) {
  const apart = (ids: string[]) => ids.filter((one) => one !== pool_id);
  for (const sender_id of apart(joined)) await copyStops(tx, account_id, sender_id, pool_id);
  for (const sender_id of apart(left)) await copyStops(tx, account_id, pool_id, sender_id);
}

async function demandMembers(
  tx: Tx,
  account_id: string,
  id: string,
  ids: readonly string[],
): Promise<queries.Candidate> {
  const found = new Map((await queries.candidates(tx, account_id, [id, ...ids])).map((one) => [one.id, one]));
  const pool = found.get(id);
  if (!pool) throw new Problem('SENDER_NOT_FOUND');
  if (!isNumber(pool)) throw new Problem('POOL_MEMBER_NOT_A_NUMBER');
  if (pool.status !== 'available') throw new Problem('POOL_MEMBER_NOT_READY');
  if (pool.pool_id !== null && pool.pool_id !== id) throw new Problem('POOL_MEMBER_IN_USE');
  const wrong = ids.flatMap((one): ProblemDetail[] => {
    const member = found.get(one);
    const code = reasonAgainst(member, id);
    if (code === null) return [];
    const message = member ? `${problemMessage(code)}: +${member.code}` : problemMessage(code);
    return [{ code, field: 'members', message }];
  });
  const [first, ...others] = wrong;
  if (first) throw new Problem(first.code, { ...first, others });
  return pool;
}

function reasonAgainst(member: queries.Candidate | undefined, pool_id: string): ProblemName | null {
  if (!member) return 'SENDER_NOT_FOUND';
  if (!isNumber(member)) return 'POOL_MEMBER_NOT_A_NUMBER';
  if (member.status !== 'available') return 'POOL_MEMBER_NOT_READY';
  if (member.pool_id === null || member.pool_id === pool_id) return null;
  return member.pool_id === member.id ? 'POOL_MEMBER_HAS_POOL' : 'POOL_MEMBER_IN_USE';
}

const isNumber = ({ channel, type }: queries.Candidate): boolean =>
  channel === PHONE_CHANNEL && MEMBER_TYPES.includes(type);
