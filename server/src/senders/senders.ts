/** What a message is sent from. `resolveSender` is the one reading of `from`, for every way to send. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { ListedSender, listSenders, Sender } from '@parley/contract/senders/senders.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { type Paged, paged, pageOf } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './queries.ts';

export { enrollAt } from './at_carrier.ts';
export { takeSenderStates } from './carrier_state.ts';
export { senderChecks } from './check.ts';
export { createSender, type SenderOrder } from './create.ts';
export { expectAnswers, lend, lendable, usableSenders } from './lent.ts';
export { type PoolMember, poolMembers } from './pool.ts';
export { changeProfile } from './profile.ts';
export { senderById } from './queries.ts';
export { decideSender, senderRequest } from './requests.ts';

/** Numbers are `available` once bought, names and codes `approved` once registered; nothing else may be sent from, and nothing behind another. */
export const isUsable = (sender: Pick<Sender, 'id' | 'status' | 'pool_id'>): boolean =>
  (sender.status === 'approved' || sender.status === 'available') && !isBehind(sender);

/** Another sender is what it is used through. */
export const isBehind = ({ id, pool_id }: Pick<Sender, 'id' | 'pool_id'>): boolean =>
  pool_id !== null && pool_id !== id;

/** An empty list of countries means everywhere. */
export const reaches = (sender: { readonly countries: readonly string[] }, country: string): boolean =>
  sender.countries.length === 0 || sender.countries.includes(country);

/**
 * By id, name or code, in this order. MESSAGE_SENDER_NOT_FOUND: there is no such sender on the channel;
 * MESSAGE_SENDER_INVALID: it is not approved (yet); SENDER_BLOCKED: it was taken out of use. One that is lent for
 * trying is found by its id, by whoever knows what it is (`lent`).
 */
export async function resolveSender(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  from: string,
  { lent = false } = {},
): Promise<Sender & { lent: boolean }> {
  const called = await queries.sendersCalled(db, account_id, channel, from);
  const sender = best(
    called.filter((one) => !one.lent || (lent && one.id === from.toLowerCase())),
    from,
  );
  if (!sender) throw new Problem('MESSAGE_SENDER_NOT_FOUND');
  if (isUsable(sender)) return sender;
  if (isBehind(sender)) {
    const pool = await queries.senderById(db, account_id, sender.pool_id!);
    throw new Problem('MESSAGE_SENDER_INVALID', {
      message: `This number stands behind ${pool?.name ?? 'another sender'}: send from that`,
    });
  }
  throw new Problem(sender.status === 'canceled' ? 'SENDER_BLOCKED' : 'MESSAGE_SENDER_INVALID');
}

// Two senders can share a code (one number, two brands): the one that may be used wins.
function best<S extends Sender>(found: readonly S[], from: string): S | undefined {
  const usable = (senders: readonly S[]) => senders.find(isUsable) ?? senders[0];
  return (
    found.find((sender) => sender.id === from.toLowerCase()) ??
    usable(found.filter((sender) => sender.name === from)) ??
    usable(found)
  );
}

export async function sendersOf(
  db: Queryable,
  actor: Pick<Actor, 'account_id'>,
  query: Parsed<typeof listSenders>['query'],
): Promise<Paged<ListedSender>> {
  const page = pageOf(query);
  const filter = { account_id: actor.account_id, ...query.filter };
  return paged(page, await queries.senderPage(db, filter, page), await queries.countSenders(db, filter));
}
