/**
 * Senders: the numbers, codes, and names that messages are sent from. `resolveSender` is the only reader of `from`, for
 * every message.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { ListedSender, listSenders, Sender } from '@parley/contract/senders/senders.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';

export { addTimelineEntry, announceSender, type TimelineKind } from './announce.ts';
export { deregisterSender } from './carrier/deregistration.ts';
export { enrollNumber } from './carrier/enroll.ts';
export { refreshStateJob } from './carrier/refresh_job.ts';
export { recordCarrierStates } from './carrier/state.ts';
export { startVerification } from './carrier/verification.ts';
export { deleteVerification, hasVerification, readVerification } from './carrier/verification_queries.ts';
export { senderChecks } from './check.ts';
export { createSender, parseShortCode } from './create.ts';
export { type Owner, ownerEmail, senderLabel, typeLabel } from './emails.ts';
export { listPoolMembers, type PoolMember } from './pool.ts';
export {
  findListedSender,
  findOwner,
  findSender,
  insertInboundAddress,
  insertSender,
  isCodeInUse,
  isCodeTaken,
  type NewSender,
} from './queries.ts';
export { endSender } from './removal.ts';
export { isEditable, lockSender, readSender, type SenderRow } from './row.ts';
export { borrowTestSender, claimReplies, findTestSender, listUsableSenders } from './test_senders.ts';

/**
 * Rented numbers are `available`, and registered names and codes are `approved`. Pool members send only through the
 * pool.
 */
export const isUsable = (sender: Pick<Sender, 'id' | 'status' | 'pool_id'>): boolean =>
  (sender.status === 'approved' || sender.status === 'available') && !isPoolMember(sender);

const isPoolMember = ({ id, pool_id }: Pick<Sender, 'id' | 'pool_id'>): boolean => pool_id !== null && pool_id !== id;

/** An empty list of countries means all countries. */
export const reaches = (sender: { readonly countries: readonly string[] }, country: string): boolean =>
  sender.countries.length === 0 || sender.countries.includes(country);

/**
 * Finds the sender that `from` names: by id, otherwise by code, otherwise by name. Usable senders come first, so a
 * draft or a rejected request never hides one, and deleted senders are found only by their id. Throws
 * MESSAGE_SENDER_NOT_FOUND, MESSAGE_SENDER_INVALID (not approved yet), or SENDER_BLOCKED (deleted). The shared test
 * sender is found only by its id, and only with `allowShared`.
 */
export async function resolveSender(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  from: string,
  { allowShared = false } = {},
): Promise<Sender & { shared: boolean }> {
  const matches = await queries.listMatchingSenders(db, account_id, channel, from);
  const sender = bestMatch(
    matches.filter((candidate) => !candidate.shared || (allowShared && candidate.id === from.toLowerCase())),
    from,
  );
  if (!sender) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  if (isUsable(sender)) return sender;
  if (isPoolMember(sender)) {
    const pool = await queries.findSender(db, account_id, sender.pool_id!);
    const name = pool?.name ?? 'another sender';
    throw new Problem('MESSAGE_SENDER_INVALID', {
      message: `This number is in the number pool of ${name}. Send from that sender instead`,
    });
  }
  throw new Problem(sender.status === 'canceled' ? 'SENDER_BLOCKED' : 'MESSAGE_SENDER_INVALID');
}

/**
 * A code comes before a name, because codes are reviewed and names are chosen freely. If several senders share a code
 * (one number with two brands), the one with this name wins, otherwise the oldest one.
 */
function bestMatch<S extends Sender>(matches: readonly S[], from: string): S | undefined {
  const byId = matches.find((sender) => sender.id === from.toLowerCase());
  if (byId) return byId;
  const existing = matches.filter((sender) => sender.status !== 'canceled');
  const usable = existing.filter(isUsable);
  const candidates = usable.length > 0 ? usable : existing;
  const withCode = candidates.filter((sender) => sender.code === from || `+${sender.code}` === from);
  const named = (senders: readonly S[]) => senders.find((sender) => sender.name === from);
  return named(withCode) ?? withCode[0] ?? named(candidates);
}

export async function findSenders(
  db: Queryable,
  actor: Pick<Actor, 'account_id'>,
  query: Parsed<typeof listSenders>['query'],
): Promise<Paged<ListedSender>> {
  const page = readPage(query);
  const filter = { account_id: actor.account_id, ...query.filter };
  return paged(page, await queries.listSenderRows(db, filter, page), await queries.countSenders(db, filter));
}
