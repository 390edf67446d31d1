/**
 * Short links: their destinations, limits, domains, and clicks. A link in a text has a code for each recipient, so a
 * click shows who opened it.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import * as contract from '@parley/contract/links/links.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hashPassword } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import type { Config } from '../kernel/settings/config.ts';
import { newCode } from './codes.ts';
import { requireDestination, requirePublicHost } from './destinations.ts';
import { hasVerifiedDomain } from './domain_queries.ts';
import * as queries from './queries.ts';

export { hasRecordedClicks } from './clicks.ts';
export { newCode } from './codes.ts';
export { findTextDomain, hasVerifiedDomain } from './domain_queries.ts';
export { type FindRecords, findRecords } from './domains.ts';
export { escapeHtml, publicPage, sendPublicPage } from './public_page.ts';
export { createTextLinks, readTextLinkPrefix, type TextLinks } from './text_links.ts';
export { visitKind } from './visitors.ts';

export const domainPrefix = (config: Pick<Config, 'LINK_URL'>, domain: string | null): string =>
  domain === null ? config.LINK_URL : `https://${domain}`;

const toLink = (config: Pick<Config, 'LINK_URL'>, { code, ...row }: queries.LinkRow): contract.ShortUrl => ({
  ...row,
  short_url: code === null ? null : `${domainPrefix(config, row.domain)}/${code}`,
});

export async function listShortUrls(
  db: Queryable,
  config: Config,
  { account_id }: Actor,
  query: Parsed<typeof contract.listShortUrls>['query'],
): Promise<Paged<contract.ShortUrl>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, total] = await runTogether(
    queries.listLinkRows(db, account_id, filter, page),
    queries.countLinks(db, account_id, filter, page),
  );
  return paged(
    page,
    rows.map((row) => toLink(config, row)),
    total,
  );
}

export async function getShortUrl(
  db: Queryable,
  config: Config,
  { account_id }: Actor,
  id: string,
): Promise<contract.ShortUrl> {
  const row = await queries.findLink(db, account_id, id);
  if (!row) throw new Problem('LINK_NOT_FOUND');
  return toLink(config, row);
}

export async function createShortUrl(
  tx: Tx,
  config: Config,
  actor: Actor,
  body: Parsed<typeof contract.createShortUrl>['body'],
): Promise<contract.ShortUrl> {
  const { account_id } = actor;
  await requireDestination(tx, config, body.url);
  await requirePublicHost(config, body.url);
  requireFuture(tx, body.expire_date);
  if (body.domain !== null && !(await hasVerifiedDomain(tx, account_id, body.domain)))
    throw new Problem('LINK_DOMAIN_NOT_SUPPORTED');
  const id = newId();
  await queries.insertLink(tx, {
    ...body,
    password_hash: (await hashIfSet(body.password)) ?? null,
    account_id,
    id,
    source: actor.kind === 'key' ? 'api' : 'manual',
    code: newCode(),
  });
  emit(tx, contract.shortUrlChanged, account_id, { id, change: 'created' });
  return getShortUrl(tx, config, actor, id);
}

export async function updateShortUrl(
  tx: Tx,
  config: Config,
  actor: Actor,
  id: string,
  body: Parsed<typeof contract.updateShortUrl>['body'],
): Promise<contract.ShortUrl> {
  const before = await getShortUrl(tx, config, actor, id);
  if (body.url !== undefined && body.url !== before.url) {
    if (before.source === 'message' || before.source === 'campaign')
      throw new Problem('LINK_URL_INVALID', { message: 'The destination of a link in a sent text cannot be changed' });
    await requireDestination(tx, config, body.url);
    await requirePublicHost(config, body.url);
  }
  if (body.expire_date !== before.expire_date) requireFuture(tx, body.expire_date ?? null);
  await queries.updateLink(tx, actor.account_id, id, { ...body, password_hash: await hashIfSet(body.password) });
  emit(tx, contract.shortUrlChanged, actor.account_id, { id, change: 'updated' });
  return getShortUrl(tx, config, actor, id);
}

export async function removeShortUrl(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if (!(await queries.deleteLink(tx, account_id, id))) throw new Problem('LINK_NOT_FOUND');
  emit(tx, contract.shortUrlChanged, account_id, { id, change: 'removed' });
}

export async function getShortUrlStat(
  db: Queryable,
  config: Config,
  actor: Actor,
  { filter = {} }: Parsed<typeof contract.getShortUrlStat>['query'],
): Promise<contract.ShortUrlStat> {
  if (filter.id !== undefined) await getShortUrl(db, config, actor, filter.id);
  return queries.readClickStat(db, { ...filter, account_id: actor.account_id });
}

const hashIfSet = async (password: string | null | undefined): Promise<string | null | undefined> =>
  password ? hashPassword(password) : password;

function requireFuture(tx: Tx, expire_date: string | null): void {
  if (expire_date !== null && new Date(`${expire_date.replace(' ', 'T')}Z`) <= tx.now)
    throw new Problem('LINK_EXPIRY_INVALID');
}
