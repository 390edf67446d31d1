/** Drafts a campaign to the recipients of an earlier one who got the message but neither replied nor opted out. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { Problem } from '@parley/contract/problem.ts';
import { createAudienceFrom } from '../audiences/audiences.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { createCampaign } from './campaigns.ts';
import { chooseNameLike } from './draft/name.ts';
import { requireCampaignSender } from './draft/sender.ts';
import { lockCampaign } from './model/queries.ts';
import { type Contact, recipientContact } from './model/reach.ts';
import type { CampaignRow } from './model/row.ts';
import { REACHED, responses } from './progress/responses.ts';

const PORTION = 5_000;
/** Room for " (follow-up)" and a number in a name of 45 characters. */
const MAX_NAME = 28;

export async function draftFollowUp(tx: Tx, kernel: Kernel, actor: Actor, id: string): Promise<Campaign> {
  const { account_id } = actor;
  const row = await lockCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  if (!row.start_date || row.status === 'in_progress') throw new Problem('CAMPAIGN_STATE_INVALID');
  const name = `${row.name.slice(0, MAX_NAME).toWellFormed().trim()} (follow-up)`;
  const audience = await createAudienceFrom(tx, { account_id, name, channel: row.channel }, readSilent(tx, row));
  if (!audience)
    throw new Problem('CAMPAIGN_AUDIENCE_EMPTY', { message: 'Every recipient who got the message has responded' });
  return createCampaign(tx, kernel, actor, {
    name: await chooseNameLike(tx, account_id, name),
    channel: row.channel,
    from: await findApprovedSender(tx, row),
    audience: audience.id,
    start: false,
  });
}

/** The recipients without a response, with the names they have in the audience now. */
async function* readSilent(tx: Tx, row: CampaignRow): AsyncGenerator<Omit<Contact, 'id'>[]> {
  for (let after = '', hasMore = true; hasMore; ) {
    const rows = await tx.rows<Omit<Contact, 'id'>>(sql`
      select m.number, m.country, coalesce(k.first_name, '') as first_name, coalesce(k.last_name, '') as last_name,
             coalesce(k.custom1, '') as custom1, coalesce(k.custom2, '') as custom2
      from messages m
      left join lateral (${recipientContact(row)}) k on true
      where m.account_id = ${row.account_id} and m.campaign_id = ${row.id} and m.number > ${after}
        and m.status = any(${REACHED}::text[])
        and m.number not in (select r.number from (${responses(row, tx.now)}) r)
      order by m.number limit ${PORTION}`);
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.number ?? after;
    hasMore = rows.length === PORTION;
  }
}

/** The sender of the earlier campaign, or null if it may no longer be used. */
async function findApprovedSender(tx: Tx, { account_id, channel, sender_id }: CampaignRow): Promise<string | null> {
  if (!sender_id) return null;
  try {
    return (await requireCampaignSender(tx, account_id, channel, sender_id)).id;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
