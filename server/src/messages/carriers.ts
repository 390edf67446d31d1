/** How messages from a sender reach a carrier: by the routes, number by number; or over the one connection that knows the sender. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Sender } from '@parley/contract/senders.ts';
import { type Db, type Queryable, sql } from '../kernel/db.ts';
import { routeBook } from './routing.ts';

export interface Carrier {
  /** The connection; null: nobody carries it. */
  route(number: string, country: string): string | null;
  /** As the carrier knows the sender. */
  address: string;
  /** So many messages in a row, agreed with this carrier; null: what is usual on the channel. */
  in_a_row: number | null;
}

export async function carrierOf(db: Queryable, kernel: { db: Db }, sender: Sender): Promise<Carrier> {
  const { account_id, id, channel, code } = sender;
  if (channelRules(channel).carried_by === 'routes') {
    const routes = await routeBook(kernel, db);
    const route: Carrier['route'] = (number, country) => routes.route(channel, number, country)?.connection_id ?? null;
    return { route, address: code, in_a_row: null };
  }
  const found = await db.maybeOne<{ id: string; address: string; in_a_row: number | null }>(sql`
    select c.id, coalesce(s.carrier_address, s.code) as address, (c.settings->>'in_a_row')::int as in_a_row
    from senders s join connections c on c.id = s.connection_id and c.enabled and c.channel = s.channel
    where s.account_id = ${account_id} and s.id = ${id}`);
  return { route: () => found?.id ?? null, address: found?.address ?? code, in_a_row: found?.in_a_row ?? null };
}
