/**
 * The contacts that a campaign skipped, and why. Each has its number, because people of dynamic audiences and of
 * automations are no contacts. Rows of earlier releases have no number.
 */
import type { SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import type { SkippedContact } from '@parley/contract/campaigns/recipients.ts';
import { Problem } from '@parley/contract/problem.ts';
import { and, type Queryable, runTogether, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, likePattern, type Page, type Paged, paged, prefixPattern } from '../../kernel/db/list.ts';
import { findCampaign } from '../model/queries.ts';

interface CampaignKey {
  account_id: string;
  id: string;
}

export interface Skip {
  contact: { id: string; number: string };
  reason: SkipReason;
}

/** Stores the reasons by contact, in the transaction that moves the cursor, so that each contact is stored once. */
export async function storeSkips(tx: Tx, { account_id, id }: CampaignKey, skips: readonly Skip[]): Promise<void> {
  if (skips.length === 0) return;
  await tx.run(sql`
    insert into campaign_skips (account_id, campaign_id, contact_id, number, reason)
    select ${account_id}, ${id}, s.contact_id, s.number, s.reason
    from unnest(${skips.map(({ contact }) => contact.id)}::uuid[],
                ${skips.map(({ contact }) => contact.number)}::text[],
                ${skips.map(({ reason }) => reason)}::text[]) as s(contact_id, number, reason)
    on conflict do nothing`);
}

export interface SkipFilter extends CampaignKey {
  reason?: SkipReason | undefined;
  search?: string | undefined;
}

/** Selects from the skipped contacts `s`, with the person `p` or the contact `k` of each. It ends with a condition. */
export function skipSource({ account_id, id, reason, search = '' }: SkipFilter): Sql {
  const digits = /^[\d\s()+.-]+$/.test(search) ? search.replace(/\D/g, '') : '';
  const matches = and([
    sql`s.account_id = ${account_id} and s.campaign_id = ${id}`,
    // The contacts that a cancellation left out are in a separate list.
    reason === undefined ? sql`s.reason <> 'canceled'` : sql`s.reason = ${reason}`,
    search !== '' &&
      (digits
        ? sql`coalesce(nullif(s.number, ''), k.number) like ${prefixPattern(digits)}`
        : sql`coalesce(p.first_name || ' ' || p.last_name, k.first_name || ' ' || k.last_name)
                ilike ${likePattern(search)}`),
  ]);
  return sql`
    campaign_skips s
    left join contacts k on s.number = '' and k.account_id = s.account_id and k.id = s.contact_id
    left join people p on s.number <> '' and p.account_id = s.account_id and p.number = s.number
    where ${matches}`;
}

export async function listSkips(db: Queryable, filter: SkipFilter, page: Page): Promise<Paged<SkippedContact>> {
  if (!(await findCampaign(db, filter.account_id, filter.id))) throw new Problem('CAMPAIGN_NOT_FOUND');
  const source = skipSource(filter);
  const [rows, counted] = await runTogether(
    db.rows<SkippedContact>(sql`
      select s.contact_id as id, coalesce(nullif(s.number, ''), k.number) as number, s.reason,
             concat_ws(' ', nullif(coalesce(p.first_name, k.first_name), ''),
               nullif(coalesce(p.last_name, k.last_name), '')) as contact_name
      from ${source} order by s.contact_id limit ${page.size + 1} offset ${page.offset}`),
    db.one<{ count: number }>(sql`select count(*) from (select 1 from ${source} limit ${CAP + 1}) capped`),
  );
  return paged(page, rows, counted.count);
}
