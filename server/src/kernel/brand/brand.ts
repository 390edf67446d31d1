/**
 * The brand that a person sees: that of the account above their own, or that of the installation. Only a verified
 * domain belongs to a brand, so a request with any other host name gets the brand of the installation.
 */
import { type Queryable, raw, sql } from '../db/db.ts';
import type { Config } from '../settings/config.ts';

/** Stands in `brands.account_id` for the installation. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';
const PRODUCT_NAME = 'Parley';

/** Replaced by the name of the brand when an email is sent. No text contains this character for private use. */
export const BRAND_NAME = '\u{E0B0}';
export const fillName = (text: string, { name }: Pick<Brand, 'name'>): string =>
  text.replaceAll(BRAND_NAME, () => name);

/** A text about the product for users of the brand. */
export const brandText = (text: string, { name }: Pick<Brand, 'name'>): string =>
  text.replaceAll(PRODUCT_NAME, () => name);

/** The name for protocols without accents and other scripts; empty if nothing is left. */
export const toAscii = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();

interface Shades {
  accent: string;
  accent_hover: string;
  accent_ink: string;
  accent_soft: string;
  accent_soft_hover: string;
}

export interface Brand {
  account_id: string;
  name: string;
  palette: { light: Shades; dark: Shades } | null;
  /** Verified. Null: the addresses of the installation. */
  domain: string | null;
  /** The sender of emails. Null: the sender of the installation. */
  sender_email: string | null;
  logo_id: string | null;
  logo_dark_id: string | null;
  logo_type: string | null;
  reviews: readonly { label: string; href: string; image_id: string | null }[];
}

export const DEFAULT_BRAND: Brand = {
  ...{ account_id: INSTALLATION, name: PRODUCT_NAME, palette: null, domain: null, sender_email: null },
  ...{ logo_id: null, logo_dark_id: null, logo_type: null, reviews: [] },
};

/** `d` is the verified domain of brand `b`. The sender's domain must also be verified. */
const columns = raw(`
  b.account_id, b.name, b.palette, d.host as domain, b.logo_id, b.logo_dark_id, b.reviews,
  (select b.sender_email from link_domains s
   where s.account_id = b.account_id and s.host = split_part(b.sender_email, '@', 2) and s.verified) as sender_email,
  (select i.content_type from brand_images i where i.id = b.logo_id) as logo_type
  from brands b left join link_domains d on d.account_id = b.account_id and d.host = b.domain and d.verified`);

/** The brand that users of the account see. Users of an account with a brand see the one of the installation. */
export async function readBrand(db: Queryable, account_id: string): Promise<Brand> {
  const brand = await db.maybeOne<Brand>(sql`
    select ${columns}
    where b.account_id in (
      ${INSTALLATION}, (select a.parent_id from accounts a where a.id = ${account_id} and a.parent_id is not null))
    order by b.account_id = ${INSTALLATION} limit 1`);
  return brand ?? DEFAULT_BRAND;
}

/** The brand for an email to a person whose account is not known: of all their companies, if it is the same. */
export async function readPersonBrand(db: Queryable, email: string): Promise<Brand> {
  const brand = await db.maybeOne<Brand>(sql`
    with companies as materialized (
      select distinct coalesce(a.parent_id, ${INSTALLATION}::uuid) as owner_id
      from logins l
      join users u on u.login_id = l.id and u.remove_date is null
      join accounts a on a.id = u.account_id and a.close_date is null
      where lower(l.email) = ${email.toLowerCase()}
    )
    select ${columns}
    where b.account_id in (
      select owner_id from companies where (select count(*) from companies) = 1 union select ${INSTALLATION}::uuid)
    order by b.account_id = ${INSTALLATION} limit 1`);
  return brand ?? DEFAULT_BRAND;
}

/** The brand for a request, by the name of the host that it was sent to. */
export async function readHostBrand(
  db: Queryable,
  config: Pick<Config, 'PUBLIC_URL' | 'ADMIN_URL'>,
  host: string,
): Promise<Brand> {
  const isOwn = [config.PUBLIC_URL, config.ADMIN_URL].some((url) => new URL(url).hostname === host);
  const brand = await db.maybeOne<Brand>(sql`
    select ${columns}
    where b.account_id = ${INSTALLATION} or (
      b.domain = ${isOwn ? '' : host} and d.host is not null
      and exists (select from accounts a where a.id = b.account_id and a.close_date is null))
    order by b.account_id = ${INSTALLATION} limit 1`);
  return brand ?? DEFAULT_BRAND;
}

/** The host name of a request, without the port. */
export const requestHost = (hostname: string): string => hostname.replace(/:\d+$/, '').toLowerCase();

/** True if the account's brand uses the domain. */
export const isBrandDomain = async (db: Queryable, account_id: string, host: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from brands
    where account_id = ${account_id} and (domain = ${host} or sender_email like '%@' || ${host}::text)`)) !== null;

/** The parts of a brand that pages show. */
export const shownBrand = ({ name, logo_id, logo_dark_id, palette }: Brand) => ({
  name,
  logo_url: logo_id && imagePath(logo_id),
  logo_dark_url: logo_dark_id && imagePath(logo_dark_id),
  palette,
});

export const imagePath = (id: string): string => `/brand/images/${id}`;

/** The start of links for users of the brand: its domain with the scheme and port of the installation. */
export function brandOrigin({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, { domain }: Pick<Brand, 'domain'>): string {
  const url = new URL(PUBLIC_URL);
  if (domain !== null) url.hostname = domain;
  return url.origin;
}
