/**
 * Number pools: several numbers that share one sender. A pool member is used only through its pool. An opt-out from one
 * member counts for all, and a number that leaves the pool keeps these opt-outs. A lock serializes changes to a pool
 * and opt-outs that arrive at the same time. The messages module chooses the member for each recipient.
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
import { findSender } from './queries.ts';

export interface PoolMember {
  readonly sender_id: string;
  readonly code: string;
  /** Null if the number belongs to no country. */
  readonly country: string | null;
  /** Empty if the number is used in all countries. */
  readonly countries: readonly string[];
  readonly weight: number;
}

/** The usable members, including the pool's own number, in a stable order. */
export const listPoolMembers = async (db: Queryable, account_id: string, pool_id: string): Promise<PoolMember[]> =>
  (await queries.listUsableMembers(db, account_id, pool_id)).map(withCountry);

const withCountry = <M extends { code: string; country: string | null; countries: readonly string[] }>(
  member: M,
): M => ({
  ...member,
  country:
    member.country ??
    parseNumber(`+${member.code}`)?.country ??
    (member.countries.length === 1 ? member.countries[0]! : null),
});

/** Lists the members of a pool. Throws SENDER_NOT_FOUND. */
export async function listMembers(db: Queryable, account_id: string, id: string): Promise<SenderMember[]> {
  if (!(await findSender(db, account_id, id))) throw new Problem('SENDER_NOT_FOUND');
  return readMembers(db, account_id, id);
}

async function readMembers(db: Queryable, account_id: string, id: string): Promise<SenderMember[]> {
  const members = await queries.listMembers(db, account_id, id);
  const total = members.reduce((sum, { messages_30_days }) => sum + messages_30_days, 0);
  return members.map((member) => ({ ...withCountry(member), share: total && member.messages_30_days / total }));
}

/**
 * Throws SENDER_NOT_FOUND (an unknown id), POOL_MEMBER_NOT_A_NUMBER, POOL_MEMBER_NOT_READY, POOL_MEMBER_IN_USE, or
 * POOL_MEMBER_HAS_POOL. Each problem names the number.
 */
export async function putMembers(
  ctx: Ctx,
  id: string,
  { members }: Parsed<typeof putSenderMembers>['body'],
): Promise<SenderMember[]> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  await lockPools(tx, account_id);
  const pool = await requireMembers(tx, account_id, id, [...new Set(members.map(({ sender_id }) => sender_id))]);
  const before = new Map(
    (await queries.listMemberWeights(tx, account_id, id)).map(({ sender_id, weight }) => [sender_id, weight]),
  );
  const weights = new Map(members.map(({ sender_id, weight }) => [sender_id, weight]));
  // A pool needs at least one member in addition to its own number.
  const memberIds = [...weights.keys()].filter((sender_id) => sender_id !== id);
  const after = memberIds.length === 0 ? [] : [id, ...memberIds];
  const leaving = [...before.keys()].filter((sender_id) => !after.includes(sender_id));
  const joining = after.filter((sender_id) => !before.has(sender_id));
  await queries.removeMembers(tx, account_id, leaving);
  const rows = after.map((sender_id) => ({
    sender_id,
    weight: weights.get(sender_id) ?? before.get(sender_id) ?? 1,
  }));
  await queries.putMembers(tx, { account_id, pool_id: id }, rows);
  await shareStops(tx, account_id, id, joining, leaving);
  record(tx, ctx, {
    action: 'sender.members_changed',
    target: { type: 'sender', id, name: pool.code },
    detail: { members: memberIds.length },
  });
  for (const sender_id of new Set([id, ...joining, ...leaving])) await announceSender(tx, account_id, sender_id);
  return readMembers(tx, account_id, id);
}

/**
 * Removes a deleted sender from its pool. The caller has locked the sender's row. If the sender leads the pool, or only
 * one other member is left, the pool is dissolved and its numbers become separate senders.
 */
export async function leavePool(tx: Tx, account_id: string, id: string): Promise<void> {
  await lockPools(tx, account_id);
  const pool_id = await queries.findPool(tx, account_id, id);
  if (pool_id === null) return;
  const all = (await queries.listMemberWeights(tx, account_id, pool_id)).map(({ sender_id }) => sender_id);
  const isDissolved = pool_id === id || all.length <= 2;
  const leaving = isDissolved ? all : [id];
  await queries.removeMembers(tx, account_id, leaving);
  await shareStops(tx, account_id, pool_id, [], leaving);
  if (pool_id === id) await queries.deletePairs(tx, account_id, id);
  for (const sender_id of new Set([pool_id, ...leaving]))
    if (sender_id !== id) await announceSender(tx, account_id, sender_id);
}

async function shareStops(tx: Tx, account_id: string, pool_id: string, joining: string[], leaving: string[]) {
  const withoutPool = (ids: string[]) => ids.filter((sender_id) => sender_id !== pool_id);
  for (const sender_id of withoutPool(joining)) await copyStops(tx, account_id, sender_id, pool_id);
  for (const sender_id of withoutPool(leaving)) await copyStops(tx, account_id, pool_id, sender_id);
}

async function requireMembers(
  tx: Tx,
  account_id: string,
  id: string,
  ids: readonly string[],
): Promise<queries.Candidate> {
  const candidates = new Map(
    (await queries.lockCandidates(tx, account_id, [id, ...ids])).map((candidate) => [candidate.id, candidate]),
  );
  const pool = candidates.get(id);
  if (!pool) throw new Problem('SENDER_NOT_FOUND');
  if (!isNumber(pool)) throw new Problem('POOL_MEMBER_NOT_A_NUMBER');
  if (pool.status !== 'available') throw new Problem('POOL_MEMBER_NOT_READY');
  if (pool.pool_id !== null && pool.pool_id !== id) throw new Problem('POOL_MEMBER_IN_USE');
  const problems = ids.flatMap((sender_id): ProblemDetail[] => {
    const member = candidates.get(sender_id);
    const code = findObstacle(member, id);
    if (code === null) return [];
    const message = member ? `${problemMessage(code)}: +${member.code}` : problemMessage(code);
    return [{ code, field: 'members', message }];
  });
  const [first, ...others] = problems;
  if (first) throw new Problem(first.code, { ...first, others });
  return pool;
}

function findObstacle(member: queries.Candidate | undefined, pool_id: string): ProblemName | null {
  if (!member) return 'SENDER_NOT_FOUND';
  if (!isNumber(member)) return 'POOL_MEMBER_NOT_A_NUMBER';
  if (member.status !== 'available') return 'POOL_MEMBER_NOT_READY';
  if (member.pool_id === null || member.pool_id === pool_id) return null;
  return member.pool_id === member.id ? 'POOL_MEMBER_HAS_POOL' : 'POOL_MEMBER_IN_USE';
}

const isNumber = ({ channel, type }: queries.Candidate): boolean =>
  channel === PHONE_CHANNEL && MEMBER_TYPES.includes(type);
