/** Returns the segmentation rules of the connection that a message would use, for counters. */
import { DEFAULT_CHANNEL } from '@parley/contract/channels/index.ts';
import { ASSUMED_PROFILE } from '@parley/contract/channels/sms/profile.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import type { Segmentation } from '@parley/contract/messages/segmentation.ts';
import { findSendingAccount } from '../../accounts/accounts.ts';
import { parseNumber } from '../../audiences/audiences.ts';
import { readPriceBook } from '../../billing/billing.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { readTextLinkPrefix } from '../../links/links.ts';
import { findNetworks } from './known_networks.ts';
import { getRouteBook } from './route_book.ts';

/** Without a recipient, the rules are certain only if all connections have the same. */
export async function readSegmentation(
  kernel: Pick<Kernel, 'db' | 'config'>,
  db: Queryable,
  { account_id }: Pick<Actor, 'account_id'>,
  to: string | undefined,
): Promise<Segmentation> {
  const book = await getRouteBook(kernel, db);
  const link_prefix = await readTextLinkPrefix(db, kernel.config, account_id);
  const recipient = to === undefined ? null : parseNumber(to);
  const currency = (await findSendingAccount(db, account_id))?.currency ?? CURRENCIES[0];
  const networks = recipient && (await findNetworks(db, account_id, new Date(), [recipient.number]));
  const network = recipient && networks?.get(recipient.number)?.mccmnc;
  const prices = recipient && (await readPriceBook(kernel, db));
  const price = prices?.price(
    ...([account_id, DEFAULT_CHANNEL, recipient!.number, recipient!.country, currency, null, network] as const),
  );
  const shared = { link_prefix, segment_price_micros: price?.price_micros ?? null, currency };
  const route = recipient && book.route(DEFAULT_CHANNEL, recipient.number, recipient.country, network);
  if (route) return { ...book.profile(route.connection_id), assumed: false, ...shared };
  const common = book.commonProfile(DEFAULT_CHANNEL);
  return { ...(common ?? ASSUMED_PROFILE), assumed: common === null, ...shared };
}
