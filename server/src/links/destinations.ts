/** Checks where a link leads, against the block list, the installation's own short URLs, and private networks. */
import { destinationRefusal } from '@parley/contract/links/destination.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { createOutbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Config } from '../kernel/settings/config.ts';
import { CODE } from './codes.ts';
import { isVerifiedHost } from './domain_queries.ts';

export function isBlocked({ LINK_BLOCKED_DOMAINS }: Pick<Config, 'LINK_BLOCKED_DOMAINS'>, url: string): boolean {
  if (LINK_BLOCKED_DOMAINS.length === 0) return false;
  const { hostname } = new URL(url);
  const host = hostname.replace(/\.$/, '');
  return LINK_BLOCKED_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/**
 * Throws LINK_URL_INVALID or LINK_LOOP. Needs no network, so it is safe in a transaction that sends messages.
 */
export async function requireDestination(
  db: Queryable,
  config: Pick<Config, 'LINK_BLOCKED_DOMAINS' | 'LINK_URL'>,
  url: string,
  field = 'url',
): Promise<void> {
  const refusal = destinationRefusal(url);
  if (refusal) throw new Problem('LINK_URL_INVALID', { field, message: refusal });
  if (isBlocked(config, url))
    throw new Problem('LINK_URL_INVALID', { field, message: 'The domain is on the block list of this service' });
  const { hostname, pathname } = new URL(url);
  if (!CODE.test(pathname.slice(pathname.lastIndexOf('/') + 1))) return;
  if (hostname === new URL(config.LINK_URL).hostname || (await isVerifiedHost(db, hostname)))
    throw new Problem('LINK_LOOP', { field });
}

const CHECK_MS = 2_000;

/** Throws LINK_URL_INVALID if the host resolves to a private network. A name that does not resolve yet is allowed. */
export async function requirePublicHost(
  config: Pick<Config, 'OUTBOUND_ALLOW_CIDRS' | 'OUTBOUND_PORTS'>,
  url: string,
): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CHECK_MS).unref());
  const check = createOutbound(config)
    .check(url)
    .catch((error: unknown) => {
      if (error instanceof OutboundError && error.reason === 'address')
        throw new Problem('LINK_URL_INVALID', { field: 'url', message: 'The URL points to a private network' });
    });
  await Promise.race([check, late]);
}
