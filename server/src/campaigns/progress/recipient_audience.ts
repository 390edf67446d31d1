/** Creates audiences of the recipients of a campaign, or of the contacts that it skipped. */
import type { Audience } from '@parley/contract/audiences/audiences.ts';
import type { AUDIENCE_BUCKETS, createRecipientsAudience } from '@parley/contract/campaigns/audiences.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { createAudienceFrom } from '../../audiences/audiences.ts';
import { type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { findCampaign } from '../model/queries.ts';
import { type Contact, recipientContact } from '../model/reach.ts';
import type { CampaignRow } from '../model/row.ts';
import { recipientConditions } from './recipients.ts';
import { skipSource } from './skips.ts';

const PORTION = 5_000;
/** Leaves room for the group and a number in a name of 45 characters. */
const MAX_NAME = 24;

type NewContact = Omit<Contact, 'id' | 'fields'>;

export async function createAudience(
  tx: Tx,
  account_id: string,
  id: string,
  { name, bucket, response, reason, search }: Parsed<typeof createRecipientsAudience>['body'],
): Promise<Audience> {
  const row = await findCampaign(tx, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  const contacts =
    bucket === 'skipped' || bucket === 'unsent'
      ? readSkipped(tx, skipSource({ account_id, id, reason: bucket === 'unsent' ? 'canceled' : reason, search }))
      : readRecipients(tx, row, recipientConditions({ account_id, id, bucket, response, search }, row, tx.now));
  const title = name ?? `${row.name.slice(0, MAX_NAME).toWellFormed().trim()} (${describe(bucket, response)})`;
  const audience = await createAudienceFrom(tx, { account_id, name: title, channel: row.channel }, contacts);
  if (!audience) throw new Problem('CAMPAIGN_NO_RECIPIENTS');
  return audience;
}

const RESPONSE_WORDS = { replied: 'replied', opted_out: 'opted out', clicked: 'clicked', none: 'no response' } as const;

function describe(bucket: (typeof AUDIENCE_BUCKETS)[number], response: keyof typeof RESPONSE_WORDS | undefined) {
  if (response) return RESPONSE_WORDS[response];
  if (bucket === 'all') return 'recipients';
  if (bucket === 'skipped') return 'skipped';
  return bucket === 'unsent' ? 'never started' : BUCKET_LABELS[bucket].split(',')[0]!.toLowerCase();
}

/** The recipients that match, with the names that they have in the audience now. */
export async function* readRecipients(tx: Tx, row: CampaignRow, matches: Sql): AsyncGenerator<NewContact[]> {
  for (let after = '', hasMore = true; hasMore; ) {
    const rows = await tx.rows<NewContact>(sql`
      select m.number, m.country, coalesce(k.first_name, '') as first_name, coalesce(k.last_name, '') as last_name,
             coalesce(k.custom1, '') as custom1, coalesce(k.custom2, '') as custom2
      from messages m
      left join lateral (${recipientContact(row)}) k on true
      where ${matches} and m.number > ${after}
      order by m.number limit ${PORTION}`);
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.number ?? after;
    hasMore = rows.length === PORTION;
  }
}

/** Contacts that have been deleted since are left out. */
async function* readSkipped(tx: Tx, source: Sql): AsyncGenerator<NewContact[]> {
  const MIN = '00000000-0000-0000-0000-000000000000';
  for (let after = MIN, hasMore = true; hasMore; ) {
    const rows = await tx.rows<NewContact & { contact_id: string }>(sql`
      select s.contact_id, coalesce(p.number, k.number) as number, coalesce(p.country, k.country) as country,
             coalesce(p.first_name, k.first_name) as first_name, coalesce(p.last_name, k.last_name) as last_name,
             coalesce(p.custom1, k.custom1) as custom1, coalesce(p.custom2, k.custom2) as custom2
      from ${source} and s.contact_id > ${after}::uuid order by s.contact_id limit ${PORTION}`);
    const known = rows.filter(({ number }) => number !== null);
    if (known.length > 0) yield known;
    after = rows.at(-1)?.contact_id ?? after;
    hasMore = rows.length === PORTION;
  }
}
