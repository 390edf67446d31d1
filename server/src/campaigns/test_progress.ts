/**
 * The results, recipients, and skipped contacts of test-key campaigns. Test messages get no replies, opt-outs, or
 * clicks.
 */
import type { CampaignRecipient, SkippedContact } from '@parley/contract/campaigns/recipients.ts';
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import { VARIANT_NAMES } from '@parley/contract/campaigns/variants.ts';
import { hasLinks } from '@parley/contract/links/inline.ts';
import { Problem } from '@parley/contract/problem.ts';
import { and, type Db, type Queryable, runTogether, type Sql, sql } from '../kernel/db/db.ts';
import { likePattern, type Page, type Paged, paged, prefixPattern } from '../kernel/db/list.ts';
import { longFile } from '../kernel/files/long_file.ts';
import { readBreakdown } from './progress/breakdown.ts';
import { type RecipientFilter, recipientLines } from './progress/recipients.ts';
import { countedOutcome, grain, outcomeOrNone, toPoints } from './progress/results.ts';
import type { SkipFilter } from './progress/skips.ts';
import * as queries from './test_queries.ts';

async function requireTest(db: Queryable, account_id: string, id: string): Promise<queries.TestCampaignRow> {
  const row = await queries.findTestCampaign(db, account_id, id);
  if (!row) throw new Problem('CAMPAIGN_NOT_FOUND');
  return row;
}

export async function getTestResults(db: Queryable, account_id: string, id: string): Promise<CampaignResults> {
  const { campaign, forecast } = await requireTest(db, account_id, id);
  const [outcomes, breakdown] = await runTogether(
    db.rows<Parameters<typeof toPoints>[0][number]>(sql`
      select ${grain('m.update_date')} as at, ${countedOutcome} as outcome, count(*) as count
      from test_messages m
      where m.account_id = ${account_id} and m.campaign_id = ${id}
        and m.status = any(${[...BUCKETS.delivered, ...BUCKETS.sent, ...BUCKETS.failed]}::text[])
      group by 1, 2`),
    readBreakdown(
      db,
      sql`
      select m.message ->> 'country' as country, m.message ->> 'mccmnc' as mccmnc, m.message ->> 'network' as network,
             ${outcomeOrNone} as outcome, m.message ->> 'failure' as failure, count(*) as recipients,
             0 as cost_micros, 0 as uncharged, 0 as uncharged_micros
      from test_messages m where m.account_id = ${account_id} and m.campaign_id = ${id} group by 1, 2, 3, 4, 5`,
    ),
  );
  const sum = (names: readonly string[]) =>
    outcomes.reduce((all, { outcome, count }) => all + (names.includes(outcome) ? count : 0), 0);
  const silent = sum(['delivered', 'sent']);
  const figures = { replies: 0, opt_outs: 0, clicked: hasLinks(campaign.text) ? 0 : null, silent };
  const messages = breakdown.actual.reduce((all, { recipients }) => all + recipients, 0);
  // Everyone gets the first variant.
  const variants = (campaign.test ? [campaign, ...campaign.test.variants] : []).map(({ text }, index) => ({
    ...{ variant: VARIANT_NAMES[index]!, text, messages: index === 0 ? messages : 0 },
    ...{ delivered: index === 0 ? sum(['delivered']) : 0, read: 0, clicked: 0, replied: 0, opt_outs: 0 },
  }));
  return {
    id,
    ...figures,
    ...breakdown,
    links: [],
    forecast,
    variants,
    currency: campaign.currency,
    ...toPoints(outcomes),
  };
}

const nameLike = (name: string): Sql => sql`
  (k.contact ->> 'first_name') || ' ' || (k.contact ->> 'last_name') ilike ${likePattern(name)}`;
const fullName: Sql = sql`
  coalesce(concat_ws(' ', nullif(k.contact ->> 'first_name', ''), nullif(k.contact ->> 'last_name', '')), '')`;
const digitsIn = (search: string): string => (/^[\d\s()+.-]+$/.test(search) ? search.replace(/\D/g, '') : '');

/** The messages of a campaign `m`, each with the contact `k` of its number, if it still exists. */
function selectRecipients({ account_id, id, bucket, statuses, response, search = '' }: RecipientFilter, after: string) {
  const digits = digitsIn(search);
  return sql`
    test_messages m
    left join lateral (
      select c.contact from test_contacts c where c.account_id = m.account_id and c.number = m."to"
      order by c.id desc limit 1
    ) k on true
    where ${and([
      sql`m.account_id = ${account_id} and m.campaign_id = ${id} and m."to" > ${after}`,
      bucket && bucket !== 'all' && sql`m.status = any(${BUCKETS[bucket]}::text[])`,
      statuses?.length && sql`m.status = any(${statuses}::text[])`,
      search !== '' && (digits ? sql`m."to" like ${prefixPattern(digits)}` : nameLike(search)),
      response !== undefined && response !== 'none' && sql`false`,
    ])}`;
}

const message: Sql = sql`
  m.message || jsonb_build_object('status', m.status,
    'update_date', to_char(m.update_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'))`;

export async function listTestRecipients(
  db: Queryable,
  filter: RecipientFilter,
  page: Page,
): Promise<Paged<CampaignRecipient>> {
  await requireTest(db, filter.account_id, filter.id);
  const [rows, counted] = await runTogether(
    db.rows<{ recipient: CampaignRecipient }>(sql`
      select ${message} || jsonb_build_object('contact_name', ${fullName}, 'reply_date', null, 'opted_out', false)
        as recipient
      from ${selectRecipients(filter, page.after ?? '')}
      order by m."to" limit ${page.size + 1} offset ${page.offset}`),
    db.one<{ count: number }>(sql`select count(*) as count from ${selectRecipients(filter, '')}`),
  );
  return paged(
    page,
    rows.map(({ recipient }) => recipient),
    counted.count,
    (row) => row.to,
  );
}

export async function writeTestRecipientsFile(db: Db, filter: RecipientFilter, shows_prices: boolean) {
  const { name } = await requireTest(db, filter.account_id, filter.id);
  async function* portions() {
    const rows = await db.rows<{ recipient: CampaignRecipient }>(sql`
      select ${message} as recipient from ${selectRecipients(filter, '')} order by m."to"`);
    yield recipientLines(
      rows.map(({ recipient }) => recipient),
      shows_prices,
    );
  }
  return { name, stream: longFile(filter.account_id, portions()) };
}

export async function listTestSkips(db: Queryable, filter: SkipFilter, page: Page): Promise<Paged<SkippedContact>> {
  const { account_id, id, reason, search = '' } = filter;
  await requireTest(db, account_id, id);
  const digits = digitsIn(search);
  const source = sql`
    test_campaigns c
    cross join lateral jsonb_to_recordset(c.skips) as s(id uuid, reason text)
    left join lateral (
      select t.number, t.contact from test_audiences a
      join test_contacts t on t.account_id = a.account_id and t.audience_id = a.id and t.id = s.id
      where a.account_id = c.account_id limit 1
    ) k on true
    where ${and([
      sql`c.account_id = ${account_id} and c.id = ${id}`,
      reason === undefined ? sql`s.reason <> 'canceled'` : sql`s.reason = ${reason}`,
      search !== '' && (digits ? sql`k.number like ${prefixPattern(digits)}` : nameLike(search)),
    ])}`;
  const [rows, counted] = await runTogether(
    db.rows<SkippedContact>(sql`
      select s.id, k.number, s.reason, ${fullName} as contact_name
      from ${source} order by s.id limit ${page.size + 1} offset ${page.offset}`),
    db.one<{ count: number }>(sql`select count(*) as count from ${source}`),
  );
  return paged(page, rows, counted.count);
}
