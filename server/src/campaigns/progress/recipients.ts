/**
 * A campaign's recipients with their statuses, as a list and as a file. They are ordered by number, like the index on
 * campaign messages.
 */
import type { Readable } from 'node:stream';
import type { CampaignRecipient, RESPONSES } from '@parley/contract/campaigns/recipients.ts';
import { REPLY_DAYS } from '@parley/contract/campaigns/results.ts';
import { BUCKETS, type RECIPIENT_BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { and, type Db, type Queryable, runTogether, type Sql, sql } from '../../kernel/db/db.ts';
import { CAP, likePattern, type Page, type Paged, paged, prefixPattern } from '../../kernel/db/list.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import { longFile, PORTION } from '../../kernel/files/long_file.ts';
import { messageColumns } from '../../messages/messages.ts';
import { findCampaign } from '../model/queries.ts';
import { recipientContact } from '../model/reach.ts';
import { type CampaignRow, listAudienceIds } from '../model/row.ts';
import { clickedMessages, responses } from './responses.ts';

type Bucket = (typeof RECIPIENT_BUCKETS)[number];

export interface RecipientFilter {
  account_id: string;
  id: string;
  bucket?: Bucket | undefined;
  statuses?: readonly string[] | undefined;
  response?: (typeof RESPONSES)[number] | undefined;
  search?: string | undefined;
}

export function recipientConditions(filter: RecipientFilter, campaign: CampaignRow, now: Date): Sql {
  const digits = /^[\d\s()+.-]+$/.test(filter.search ?? '') ? filter.search?.replace(/\D/g, '') : '';
  return and([
    sql`m.account_id = ${filter.account_id} and m.campaign_id = ${filter.id}`,
    filter.bucket && filter.bucket !== 'all' && sql`m.status = any(${BUCKETS[filter.bucket]}::text[])`,
    filter.statuses?.length && sql`m.status = any(${filter.statuses}::text[])`,
    filter.search !== undefined &&
      filter.search !== '' &&
      (digits ? sql`m.number like ${prefixPattern(digits)}` : namedLike(campaign, filter.search)),
    filter.response !== undefined && responded(filter.response, campaign, now),
  ]);
}

const namedLike = (campaign: CampaignRow, name: string): Sql => sql`
  m.number in (
    select k.number from contacts k
    where k.account_id = ${campaign.account_id} and k.audience_id = any(${listAudienceIds(campaign)}::uuid[])
      and k.first_name || ' ' || k.last_name ilike ${likePattern(name)}
    ${
      Object.keys(campaign.audience_sets).length === 0
        ? sql``
        : sql`
    union all
    select p.number from people p
    where p.account_id = ${campaign.account_id} and p.first_name || ' ' || p.last_name ilike ${likePattern(name)}`
    })`;

function responded(response: (typeof RESPONSES)[number], campaign: CampaignRow, now: Date): Sql {
  if (response === 'clicked') return sql`m.id in (${clickedMessages(campaign)})`;
  const numbers = (condition: Sql) => sql`(select r.number from (${responses(campaign, now)}) r where ${condition})`;
  if (response === 'none') return sql`m.number not in ${numbers(sql`true`)}`;
  return sql`m.number in ${numbers(response === 'replied' ? sql`r.reply_date is not null` : sql`r.opted_out`)}`;
}

/**
 * The response of one recipient, read from the conversation of each row on the page. It has the same meaning as in
 * `responses`.
 */
const ownResponse: Sql = sql`
  select to_char(min(i.create_date) filter (where l.id is null), 'YYYY-MM-DD HH24:MI:SS') as reply_date,
         coalesce(bool_or(l.id is not null), false) as opted_out
  from messages i
  left join stop_list l on l.account_id = i.account_id and l.number = i.number and l.message_id = i.id
  where i.account_id = m.account_id and i.number = m.number and i.sender_id = m.sender_id and i.direction = 'MO'
    and i.create_date between m.create_date and m.create_date + make_interval(days => ${REPLY_DAYS})`;

export async function listRecipients(
  db: Queryable,
  filter: RecipientFilter,
  page: Page,
  now: Date,
): Promise<Paged<CampaignRecipient>> {
  const campaign = await requireCampaign(db, filter);
  const matches = recipientConditions(filter, campaign, now);
  const [rows, count] = await runTogether(
    db.rows<CampaignRecipient>(sql`
      select ${messageColumns}, coalesce(concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')), '')
               as contact_name, response.reply_date, response.opted_out
      from (
        select * from messages m where ${matches} and m.number > ${page.after ?? ''}
        order by m.number limit ${page.size + 1} offset ${page.offset}
      ) m
      left join lateral (${recipientContact(campaign)}) k on true
      cross join lateral (${ownResponse}) response
      order by m.number`),
    countRecipients(db, matches, page),
  );
  // Above the cap, the total comes from the campaign's counts, because counting 100,000 rows for a page of ten is slow.
  const isCapped =
    count > CAP && page.count_limit !== null && !filter.search && !filter.statuses?.length && !filter.response;
  const total = isCapped ? Math.max(count, countBucket(campaign, filter.bucket ?? 'all')) : count;
  return paged(page, rows, total, (row) => row.to, isCapped);
}

const countRecipients = async (db: Queryable, matches: Sql, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from messages m where ${matches} limit ${page.count_limit}) capped`)
  ).count;

const countBucket = ({ counts }: CampaignRow, bucket: Bucket): number =>
  BUCKETS[bucket].reduce((sum, status) => sum + ((counts as Record<string, number | undefined>)[status] ?? 0), 0);

async function requireCampaign(db: Queryable, filter: RecipientFilter): Promise<CampaignRow> {
  const row = await findCampaign(db, filter.account_id, filter.id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  return row;
}

const HEADER = [
  'number',
  'country',
  'status',
  'reason',
  'carrier_code',
  'segments',
  'price',
  'currency',
  'created',
  'updated',
  'text',
];

/**
 * Exports each recipient once, with the status at the time its batch is read. While a campaign runs, later rows are
 * more recent than earlier rows. Throws EXPORT_LIMIT_REACHED.
 */
export async function writeRecipientsFile(
  db: Db,
  filter: RecipientFilter,
  now: Date,
  shows_prices: boolean,
): Promise<{ name: string; stream: Readable }> {
  const campaign = await requireCampaign(db, filter);
  const portions = readPortions(db, recipientConditions(filter, campaign, now), shows_prices);
  return { name: campaign.name, stream: longFile(filter.account_id, portions) };
}

/** The heading, and a line for each recipient. */
export const recipientLines = (rows: readonly Message[], shows_prices: boolean): string[] => [
  csvLine(HEADER),
  ...rows.map((row) => toCsvLine(row, shows_prices)),
];

async function* readPortions(db: Db, matches: Sql, shows_prices: boolean): AsyncGenerator<string[]> {
  yield recipientLines([], shows_prices);
  for (let after = '', more = true; more; ) {
    const rows = await db.rows<Message>(sql`
      select ${messageColumns} from messages m
      where ${matches} and m.number > ${after} order by m.number limit ${PORTION}`);
    yield rows.map((row) => toCsvLine(row, shows_prices));
    after = rows.at(-1)?.to ?? after;
    more = rows.length === PORTION;
  }
}

const toCsvLine = (row: Message, shows_prices: boolean): string =>
  csvLine([
    `+${row.to.replace(/^\+/, '')}`,
    row.country,
    row.status,
    row.status_details ?? row.failure ?? '',
    row.carrier_code,
    row.segments_count,
    shows_prices ? ((row.price_micros ?? 0) / 1_000_000).toFixed(6) : '',
    shows_prices ? row.currency : '',
    row.create_date,
    row.update_date,
    row.text,
  ]);
