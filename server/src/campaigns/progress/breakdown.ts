/** The messages of a campaign by country, network, and reason of failure, and the clicks on its links. */
import { type CampaignResults, MAX_LINK_RESULTS, MAX_NETWORK_RESULTS } from '@parley/contract/campaigns/results.ts';
import { type Queryable, type Sql, sql } from '../../kernel/db/db.ts';

type Breakdown = Pick<CampaignResults, 'actual' | 'networks' | 'failures'>;

interface Counted {
  country: string;
  mccmnc: string | null;
  network: string | null;
  outcome: 'delivered' | 'sent' | 'failed' | null;
  failure: Breakdown['failures'][number]['failure'] | null;
  recipients: number;
  cost_micros: number;
  uncharged: number;
  uncharged_micros: number;
}

/** `rows` selects the columns of Counted from the messages, grouped by the first five. */
export async function readBreakdown(db: Queryable, rows: Sql): Promise<Breakdown> {
  return toBreakdown(await db.rows<Counted>(rows));
}

export function toBreakdown(rows: readonly Counted[]): Breakdown {
  const actual = new Map<string, Breakdown['actual'][number]>();
  const networks = new Map<string, Breakdown['networks'][number]>();
  const failures = new Map<Breakdown['failures'][number]['failure'], number>();
  for (const row of rows) {
    const { country, mccmnc, network, outcome, failure, recipients } = row;
    const cost_micros = row.cost_micros ?? 0;
    const own = actual.get(country) ?? { country, recipients: 0, cost_micros: 0, uncharged: 0, uncharged_micros: 0 };
    own.recipients += recipients;
    own.cost_micros = (own.cost_micros ?? 0) + cost_micros;
    own.uncharged += row.uncharged;
    own.uncharged_micros = (own.uncharged_micros ?? 0) + row.uncharged_micros;
    actual.set(country, own);
    const key = `${country} ${mccmnc}`;
    const sum = networks.get(key) ?? {
      ...{ country, mccmnc, network, recipients: 0, delivered: 0, failed: 0, cost_micros: 0 },
    };
    sum.recipients += recipients;
    sum.cost_micros = (sum.cost_micros ?? 0) + cost_micros;
    if (outcome === 'delivered' || outcome === 'failed') sum[outcome] += recipients;
    networks.set(key, sum);
    if (outcome === 'failed')
      failures.set(failure ?? 'unknown', (failures.get(failure ?? 'unknown') ?? 0) + recipients);
  }
  const byCost = (a: Breakdown['actual'][number], b: Breakdown['actual'][number]) =>
    (b.cost_micros ?? 0) - (a.cost_micros ?? 0) || a.country.localeCompare(b.country);
  return {
    actual: [...actual.values()].sort(byCost),
    networks: [...networks.values()]
      .sort((a, b) => b.recipients - a.recipients || a.country.localeCompare(b.country))
      .slice(0, MAX_NETWORK_RESULTS),
    failures: [...failures]
      .map(([failure, recipients]) => ({ failure, recipients }))
      .sort((a, b) => b.recipients - a.recipients || a.failure.localeCompare(b.failure)),
  };
}

/** The links of the campaign, the most clicked first. Bots and link previews do not count. */
export const readLinks = (db: Queryable, account_id: string, id: string) =>
  db.rows<CampaignResults['links'][number]>(sql`
    select l.id, l.url, (
      select count(distinct k.message_id) from link_clicks k
      where k.account_id = l.account_id and k.link_id = l.id and k.kind = 'person'
    ) as clicked
    from links l
    where l.account_id = ${account_id} and l.campaign_id = ${id}
    order by clicked desc, l.id limit ${MAX_LINK_RESULTS}`);
