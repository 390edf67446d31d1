import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';

export interface BrandRow {
  account_id: string;
  name: string;
  color: string | null;
  palette: object | null;
  domain: string | null;
  sender_email: string | null;
  logo_id: string | null;
  logo_dark_id: string | null;
  reviews: { label: string; href: string; image_id: string | null }[];
}

export const findBrand = (db: Queryable, account_id: string) =>
  db.maybeOne<BrandRow & { domain_verified: boolean }>(sql`
    select b.account_id, b.name, b.color, b.palette, b.domain, b.sender_email, b.logo_id, b.logo_dark_id, b.reviews,
           exists (select from link_domains d
                   where d.account_id = b.account_id and d.host = b.domain and d.verified) as domain_verified
    from brands b where b.account_id = ${account_id}`);

export const saveBrand = (tx: Tx, row: BrandRow) =>
  tx.run(sql`
    insert into brands (account_id, name, color, palette, domain, sender_email, logo_id, logo_dark_id, reviews,
                        update_date)
    values (${row.account_id}, ${row.name}, ${row.color}, ${row.palette && JSON.stringify(row.palette)}::jsonb,
            ${row.domain}, ${row.sender_email}, ${row.logo_id}, ${row.logo_dark_id},
            ${JSON.stringify(row.reviews)}::jsonb, ${tx.now})
    on conflict (account_id) do update set
      name = excluded.name, color = excluded.color, palette = excluded.palette, domain = excluded.domain,
      sender_email = excluded.sender_email, logo_id = excluded.logo_id, logo_dark_id = excluded.logo_dark_id,
      reviews = excluded.reviews, update_date = excluded.update_date`);

export const deleteBrand = (tx: Tx, account_id: string) =>
  tx.run(sql`delete from brands where account_id = ${account_id}`);

export const insertImage = (
  tx: Tx,
  image: { id: string; account_id: string; content_type: string; bytes: Buffer },
): Promise<number> =>
  tx.run(sql`
    insert into brand_images (id, account_id, content_type, bytes, create_date)
    values (${image.id}, ${image.account_id}, ${image.content_type}, ${image.bytes}, ${tx.now})`);

/** Deletes the images that are not in `ids`, except the newest of them. */
export const deleteImages = (tx: Tx, account_id: string, ids: readonly string[], kept: number) =>
  tx.run(sql`
    delete from brand_images where account_id = ${account_id} and id in (
      select id from brand_images where account_id = ${account_id} and not (id = any(${ids}::uuid[]))
      order by create_date desc, id desc offset ${kept})`);

export const countImages = async (db: Queryable, account_id: string, ids: readonly string[]): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from brand_images
      where account_id = ${account_id} and id = any(${ids}::uuid[])`)
  ).count;

export const findImage = (db: Queryable, id: string) =>
  db.maybeOne<{ content_type: string; bytes: Buffer }>(sql`
    select content_type, bytes from brand_images where id = ${id}`);

export const findOwner = (db: Queryable, account_id: string) =>
  db.one<{ is_operator: boolean; has_sub_accounts: boolean }>(sql`
    select a.kind = 'OPERATOR' as is_operator,
           exists (select from accounts s where s.parent_id = a.id and s.close_date is null) as has_sub_accounts
    from accounts a where a.id = ${account_id}`);

export const listSubAccounts = (db: Queryable, account_id: string) =>
  db.rows<{ id: string }>(sql`
    select id from accounts where parent_id = ${account_id} and close_date is null order by id limit 1000`);
