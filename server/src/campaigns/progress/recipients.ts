/**
 * A campaign's recipients with their statuses, as a list and as a file. They are ordered by number, like the index on
 * campaign messages.
 */
import type { Readable } from 'node:stream';
import { BUCKETS, type RECIPIENT_BUCKETS } from '@parley/contract/campaigns/campaigns.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { and, type Db, type Queryable, type Sql, sql, together } from '../../kernel/db/db.ts';
import { CAP, type Page, type Paged, paged, prefixPattern } from '../../kernel/db/list.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import { longFile, PORTION } from '../../kernel/files/long_file.ts';
import { messageColumns } from '../../messages/messages.ts';
import { campaignById } from '../model/queries.ts';
import type { CampaignRow } from '../model/row.ts';

type Bucket = (typeof RECIPIENT_BUCKETS)[number];

interface RecipientFilter {
  account_id: string;
  id: string;
  bucket?: Bucket | undefined;
  statuses?: readonly string[] | undefined;
  search?: string | undefined;
}

function conditions(filter: RecipientFilter): Sql {
  const digits = filter.search?.replace(/\D/g, '');
  return and([
    sql`m.account_id = ${filter.account_id} and m.campaign_id = ${filter.id}`,
    filter.bucket && filter.bucket !== 'all' && sql`m.status = any(${BUCKETS[filter.bucket]}::text[])`,
    filter.statuses?.length && sql`m.status = any(${filter.statuses.map((status) => status.toLowerCase())}::text[])`,
    filter.search !== undefined &&
      filter.search !== '' &&
      (digits ? sql`m.number like ${prefixPattern(digits)}` : sql`false`),
  ]);
}

export async function listRecipients(db: Queryable, filter: RecipientFilter, page: Page): Promise<Paged<Message>> {
  const campaign = await requireCampaign(db, filter);
  const [rows, count] = await together(
    db.rows<Message>(sql`
      select ${messageColumns} from messages m
      where ${conditions(filter)} and m.number > ${page.after ?? ''}
      order by m.number limit ${page.size + 1} offset ${page.offset}`),
    countRecipients(db, filter),
  );
  // Above the cap, the total comes from the campaign's counts, because counting 100,000 rows for a page of ten is slow.
  const isCapped = count > CAP && !filter.search && !filter.statuses?.length;
  const total = isCapped ? Math.max(count, countBucket(campaign, filter.bucket ?? 'all')) : count;
  return paged(page, rows, total, (row) => row.to, isCapped);
}

const countRecipients = async (db: Queryable, filter: RecipientFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (select 1 from messages m where ${conditions(filter)} limit ${CAP + 1}) capped`)
  ).count;

const countBucket = ({ counts }: CampaignRow, bucket: Bucket): number =>
  BUCKETS[bucket].reduce((sum, status) => sum + ((counts as Record<string, number | undefined>)[status] ?? 0), 0);

async function requireCampaign(db: Queryable, filter: RecipientFilter): Promise<CampaignRow> {
  const row = await campaignById(db, filter.account_id, filter.id);
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
export async function recipientsFile(db: Db, filter: RecipientFilter): Promise<{ name: string; stream: Readable }> {
  const { name } = await requireCampaign(db, filter);
  return { name, stream: longFile(filter.account_id, readPortions(db, filter)) };
}

async function* readPortions(db: Db, filter: RecipientFilter): AsyncGenerator<string[]> {
  yield [csvLine(HEADER)];
  for (let after = '', more = true; more; ) {
    const rows = await db.rows<Message>(sql`
      select ${messageColumns} from messages m
      where ${conditions(filter)} and m.number > ${after} order by m.number limit ${PORTION}`);
    yield rows.map(toCsvLine);
    after = rows.at(-1)?.to ?? after;
    more = rows.length === PORTION;
  }
}

const toCsvLine = (row: Message): string =>
  csvLine([
    `+${row.to.replace(/^\+/, '')}`,
    row.country,
    row.status,
    row.status_details ?? row.failure ?? '',
    row.carrier_code,
    row.segments_count,
    (row.price_micros / 1_000_000).toFixed(6),
    row.currency,
    row.create_date,
    row.update_date,
    row.text,
  ]);
