/** Domains of accounts. A domain works after its TXT record has proved that the account owns it. */
import { Resolver } from 'node:dns/promises';
import { type LinkDomain, linkDomainChanged } from '@parley/contract/links/links.ts';
import { Problem } from '@parley/contract/problem.ts';
import { isBrandDomain } from '../kernel/brand/brand.ts';
import { newId, secret } from '../kernel/clock.ts';
import { type Db, type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import type { Config } from '../kernel/settings/config.ts';
import * as queries from './domain_queries.ts';

const MAX_DOMAINS = 10;

const toDomain = ({ token, ...row }: queries.DomainRow): LinkDomain => ({
  ...row,
  record_name: `_parley-link.${row.host}`,
  record_value: `parley-link=${token}`,
});

export const listLinkDomains = async (db: Queryable, { account_id }: Actor): Promise<LinkDomain[]> =>
  (await queries.listDomains(db, account_id)).map(toDomain);

export async function createLinkDomain(
  tx: Tx,
  config: Pick<Config, 'PUBLIC_URL' | 'ADMIN_URL' | 'LINK_URL'>,
  { account_id }: Actor,
  host: string,
): Promise<LinkDomain> {
  const own = [config.PUBLIC_URL, config.ADMIN_URL, config.LINK_URL].map((url) => new URL(url).hostname);
  if (own.includes(host)) throw new Problem('LINK_DOMAIN_EXISTS');
  if ((await queries.listDomains(tx, account_id)).length >= MAX_DOMAINS)
    throw new Problem('LINK_DOMAINS_LIMIT_EXCEEDED');
  const row = await queries.insertDomain(tx, { account_id, id: newId(), host, token: secret() });
  if (!row) throw new Problem('LINK_DOMAIN_EXISTS');
  announce(tx, row);
  return toDomain(row);
}

export type FindRecords = (name: string) => Promise<string[][]>;

export const findRecords: FindRecords = (name) => new Resolver({ timeout: 2_000, tries: 2 }).resolveTxt(name);

/** The DNS is read without a transaction, which would keep a connection while a name server does not respond. */
export async function verifyLinkDomain(
  db: Db,
  { account_id }: Actor,
  id: string,
  find: FindRecords = findRecords,
): Promise<LinkDomain> {
  const row = await queries.findDomain(db, account_id, id);
  if (!row) throw new Problem('LINK_DOMAIN_NOT_FOUND');
  if (row.verified) return toDomain(row);
  const domain = toDomain(row);
  const records = await find(domain.record_name).catch(() => []);
  if (!records.some((parts) => parts.join('') === domain.record_value)) throw new Problem('LINK_DOMAIN_RECORD_MISSING');
  return db
    .tx((tx) => markVerified(tx, account_id, id))
    .catch((error: unknown) => {
      // Another account verified the domain at the same moment.
      if (violates(error, 'link_domains_host')) throw new Problem('LINK_DOMAIN_EXISTS');
      throw error;
    });
}

/** The domain may have changed while the DNS was read. */
async function markVerified(tx: Tx, account_id: string, id: string): Promise<LinkDomain> {
  const row = await queries.findDomain(tx, account_id, id);
  if (!row) throw new Problem('LINK_DOMAIN_NOT_FOUND');
  if (row.verified) return toDomain(row);
  const verified = await queries.markVerified(tx, row);
  if (!verified) throw new Problem('LINK_DOMAIN_EXISTS');
  announce(tx, verified);
  return toDomain(verified);
}

export async function removeLinkDomain(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  const row = await queries.findDomain(tx, account_id, id);
  if (!row) throw new Problem('LINK_DOMAIN_NOT_FOUND');
  if (await queries.isDomainUsed(tx, account_id, row.host)) throw new Problem('LINK_DOMAIN_IN_USE');
  if (await isBrandDomain(tx, account_id, row.host))
    throw new Problem('LINK_DOMAIN_IN_USE', {
      message: 'Your brand uses this domain. Choose another one there first.',
    });
  await queries.deleteDomain(tx, account_id, id);
  announce(tx, { ...row, verified: false });
}

const announce = (tx: Tx, { account_id, id, host, verified }: queries.DomainRow) =>
  emit(tx, linkDomainChanged, account_id, { id, host, verified });
