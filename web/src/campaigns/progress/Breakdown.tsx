/** The results of a campaign by country, network, reason of failure, or link. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignResults } from '@parley/contract/campaigns/results.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { getShortUrl } from '@parley/contract/links/links.ts';
import { getMessage } from '@parley/contract/messages/details.ts';
import { useState } from 'react';
import { useReason } from '../../kernel/session/session.tsx';
import { FAILURE_WORDS } from '../../messages/words.ts';
import { linkPath, messagesPath } from '../../paths.ts';
import { SmallSelect } from '../../ui/controls/SmallSelect.tsx';
import { Chart } from '../../ui/data/chart/Chart.tsx';
import type { ChartProps } from '../../ui/data/chart/chart_props.ts';
import { countryName } from '../../ui/form/countries.ts';

/** The largest groups as bars. The recipients below and the message log have all of them. */
const CHARTED = 12;
const OUTCOMES = [
  { key: 'delivered', label: BUCKET_LABELS.delivered, color: 'var(--ok-mark)' },
  { key: 'open', label: 'Without a receipt', color: 'var(--flight-mark)' },
  { key: 'failed', label: BUCKET_LABELS.failed, color: 'var(--fail-mark)' },
];

type Shown = Pick<ChartProps, 'rows' | 'x' | 'series' | 'href'> & { title: string };
const VIEWS = { network: 'By network', country: 'By country', failure: 'By failure reason', link: 'By link' } as const;
type View = keyof typeof VIEWS;

// A default export, because it is loaded with the chart of the results.
export default function Breakdown({ campaign, results }: { campaign: Campaign; results: CampaignResults }) {
  const [chosen, setChosen] = useState<View>('network');
  const canListMessages = useReason(getMessage.needs) === null;
  const canViewLinks = useReason(getShortUrl.needs) === null;
  const views = (Object.keys(VIEWS) as View[]).filter(
    (view) => (view !== 'failure' || results.failures.length > 0) && (view !== 'link' || results.links.length > 0),
  );
  const view = views.includes(chosen) ? chosen : 'network';
  const shown = SHOWN[view](campaign, results);
  const hasLists = view === 'link' ? canViewLinks : canListMessages;
  return (
    <Chart
      {...shown}
      kind="bar"
      stacked
      height={200}
      href={hasLists ? shown.href : undefined}
      control={
        <SmallSelect
          aria-label="Split results"
          value={view}
          onChange={(value) => setChosen(value as View)}
          data={views.map((value) => ({ value, label: VIEWS[value] }))}
        />
      }
      file={`${campaign.name} ${view}`.replace(/[\\/:*?"<>|]/g, '_')}
      empty="No results yet"
    />
  );
}

type Outcome = Pick<CampaignResults['networks'][number], 'recipients' | 'delivered' | 'failed'>;
const toOutcome = ({ recipients, delivered, failed }: Outcome) => ({
  ...{ delivered, failed, open: recipients - delivered - failed },
});

/** The messages behind a bar. Those without a receipt have several statuses, which the log does not filter together. */
const outcomeFilter = (key: string) => (key === 'delivered' || key === 'failed' ? FIGURES[key] : null);

const SHOWN: Readonly<Record<View, (campaign: Campaign, results: CampaignResults) => Shown>> = {
  network: ({ id }, { networks }) => ({
    title: 'Results by network',
    x: { key: 'name', label: 'Network' },
    series: OUTCOMES,
    rows: networks.slice(0, CHARTED).map((row) => ({
      ...{ name: `${countryName(row.country)}, ${row.network ?? row.mccmnc ?? 'network unknown'}` },
      ...{ country: row.country, network: row.mccmnc ?? 'unknown' },
      ...toOutcome(row),
    })),
    href: ({ country, network }, key) => {
      const filter = outcomeFilter(key);
      return filter
        ? messagesPath({ ...filter, campaign: id, country: String(country), network: String(network) })
        : undefined;
    },
  }),
  country: ({ id }, { networks }) => ({
    title: 'Results by country',
    x: { key: 'name', label: 'Country' },
    series: OUTCOMES,
    rows: sumCountries(networks)
      .slice(0, CHARTED)
      .map((row) => ({ name: countryName(row.country), country: row.country, ...toOutcome(row) })),
    href: ({ country }, key) => {
      const filter = outcomeFilter(key);
      return filter ? messagesPath({ ...filter, campaign: id, country: String(country) }) : undefined;
    },
  }),
  failure: ({ id }, { failures }) => ({
    title: 'Failed messages by reason',
    x: { key: 'name', label: 'Reason' },
    series: [{ key: 'recipients', label: BUCKET_LABELS.failed, color: 'var(--fail-mark)' }],
    rows: failures.map(({ failure, recipients }) => ({ name: FAILURE_WORDS[failure], failure, recipients })),
    href: ({ failure }) => messagesPath({ ...FIGURES.failed, campaign: id, failure: String(failure) }),
  }),
  link: (_, { links }) => ({
    title: 'Recipients by link',
    x: { key: 'name', label: 'Link' },
    series: [{ key: 'clicked', label: 'Clicked', color: 'var(--accent)' }],
    rows: links
      .slice(0, CHARTED)
      .map(({ id, url, clicked }) => ({ name: url.replace(/^https?:\/\//, ''), id, clicked })),
    href: ({ id }) => linkPath(String(id)),
  }),
};

function sumCountries(networks: CampaignResults['networks']) {
  const sums = new Map<string, Outcome & { country: string }>();
  for (const { country, recipients, delivered, failed } of networks) {
    const sum = sums.get(country) ?? { country, recipients: 0, delivered: 0, failed: 0 };
    sum.recipients += recipients;
    sum.delivered += delivered;
    sum.failed += failed;
    sums.set(country, sum);
  }
  return [...sums.values()].sort((a, b) => b.recipients - a.recipients);
}
