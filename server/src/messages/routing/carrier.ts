/**
 * Finds the connection that carries a sender's messages: either the one that the routes choose for each number, or the
 * sender's only connection.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { ASSUMED_PROFILE, type SmsProfile } from '@parley/contract/channels/sms/profile.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { type Db, type Queryable, sql } from '../../kernel/db/db.ts';
import { type KnownNetworks, NO_NETWORKS } from './known_networks.ts';
import { getRouteBook } from './route_book.ts';

export interface Carrier {
  /** Returns null if no connection carries the number. */
  route(number: string, country: string): string | null;
  /** Why the routes chose each connection so far, by its name. */
  readonly choices: Readonly<Record<string, string>>;
  /** Returns the segmentation rules of the connection. */
  profile(connection_id: string): SmsProfile;
  /** The sender's address at the carrier. */
  address: string;
}

/** `networks` is read when a number is routed. */
export async function resolveCarrier(
  db: Queryable,
  kernel: { db: Db },
  sender: Sender,
  networks: KnownNetworks = NO_NETWORKS,
): Promise<Carrier> {
  const { account_id, id, channel, code } = sender;
  if (channelRules(channel).carried_by === 'routes') {
    const routes = await getRouteBook(kernel, db);
    const choices: Record<string, string> = {};
    const route: Carrier['route'] = (number, country) => {
      const chosen = routes.route(channel, number, country, networks.get(number)?.mccmnc);
      if (chosen) choices[routes.name(chosen.connection_id)] ??= chosen.why;
      return chosen?.connection_id ?? null;
    };
    return { route, choices, profile: routes.profile, address: code };
  }
  const connection = await db.maybeOne<{ id: string; address: string }>(sql`
    select c.id, coalesce(s.carrier_address, s.code) as address
    from senders s join connections c on c.id = s.connection_id and c.enabled and c.channel = s.channel
    where s.account_id = ${account_id} and s.id = ${id}`);
  return {
    choices: {},
    route: () => connection?.id ?? null,
    profile: () => ASSUMED_PROFILE,
    address: connection?.address ?? code,
  };
}
