/** The results of the variants of an A/B test, and the variant with the best results. */
import type { VariantResults } from '@parley/contract/campaigns/ab_tests.ts';
import { BUCKETS } from '@parley/contract/campaigns/statuses.ts';
import type { TestMetric } from '@parley/contract/campaigns/variants.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Sql, sql } from '../../kernel/db/db.ts';
import type { CampaignRow } from '../model/row.ts';
import { countVariants, variantName, withVariant } from '../model/variants.ts';
import { responses } from './responses.ts';

interface Counted {
  variant: number;
  count: number;
}

/** Counts recipients of the test, by variant. `numbers` selects the numbers that count. */
const countNumbers = (db: Queryable, { account_id, id }: CampaignRow, numbers: Sql) =>
  db.rows<Counted>(sql`
    select t.variant, count(*) as count from (${numbers}) n
    join messages m on m.account_id = ${account_id} and m.campaign_id = ${id} and m.number = n.number
    join campaign_test_messages t on t.account_id = ${account_id} and t.campaign_id = ${id} and t.message_id = m.id
    group by t.variant`);

/** The recipients who opted out by a reply or a link since their message. */
function optOuts({ account_id, id, sender_id, start_date }: CampaignRow): Sql {
  const since = idAt(parseTimestamp(start_date!).getTime() - ID_MARGIN_MS);
  return sql`
    select distinct h.number from stop_list_history h
    join messages o on o.account_id = h.account_id and o.campaign_id = ${id} and o.number = h.number
    where h.account_id = ${account_id} and h.id >= ${since}::uuid and h.change = 'stopped'
      and h.reason in ('keyword', 'link') and h.create_date >= o.create_date
      and (h.sender_id is null or h.sender_id = ${sender_id})`;
}

/** Returns an empty list without a test. */
export async function readVariants(db: Queryable, row: CampaignRow, now: Date): Promise<VariantResults[]> {
  const { account_id, id } = row;
  if (row.test === null || row.start_date === null) return [];
  const [messages, replied, stopped, clicked] = await runTogether(
    db.rows<{ variant: number; messages: number; delivered: number; read: number }>(sql`
      select t.variant, count(*) as messages, count(*) filter (where m.status = 'read') as read,
             count(*) filter (where m.status = any(${BUCKETS.delivered}::text[])) as delivered
      from campaign_test_messages t join messages m on m.account_id = t.account_id and m.id = t.message_id
      where t.account_id = ${account_id} and t.campaign_id = ${id} group by t.variant`),
    countNumbers(db, row, sql`select r.number from (${responses(row, now)}) r where r.reply_date is not null`),
    countNumbers(db, row, optOuts(row)),
    db.rows<Counted>(sql`
      select t.variant, count(distinct k.message_id) as count from links l
      join link_clicks k on k.account_id = l.account_id and k.link_id = l.id and k.kind = 'person'
      join campaign_test_messages t on t.account_id = ${account_id} and t.campaign_id = ${id}
        and t.message_id = k.message_id
      where l.account_id = ${account_id} and l.campaign_id = ${id} group by t.variant`),
  );
  const find = (rows: readonly Counted[], variant: number) => rows.find((one) => one.variant === variant)?.count ?? 0;
  return Array.from({ length: countVariants(row) }, (_, variant) => {
    const counted = messages.find((one) => one.variant === variant);
    return {
      ...{ variant: variantName(variant), text: withVariant(row, variant).text, messages: counted?.messages ?? 0 },
      ...{ delivered: counted?.delivered ?? 0, read: counted?.read ?? 0, clicked: find(clicked, variant) },
      ...{ replied: find(replied, variant), opt_outs: find(stopped, variant) },
    };
  });
}

/** Returns the index of the variant with the best share of its messages. Of equal variants, the first one wins. */
export function findWinner(results: readonly VariantResults[], metric: TestMetric): number {
  const score = (one: VariantResults) => {
    if (one.messages === 0) return Number.NEGATIVE_INFINITY;
    return (metric === 'opt_outs' ? -one.opt_outs : one[metric]) / one.messages;
  };
  const scores = results.map(score);
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}
