/** Insights: charts of all messages and the message log, in tabs. Each tab loads when it is opened. */
import { useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { INSIGHTS, linkTo } from '../paths.ts';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { SkeletonBlocks } from '../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';
import { useInsightTabs } from './insight_tabs.ts';
import { currentTab, KEPT, type Tab } from './tabs.ts';

const PARTS = {
  overview: lazyPart(() => import('./OverviewTab.tsx')),
  log: lazyPart(() => import('./LogTab.tsx')),
  rejected: lazyPart(() => import('./RejectedTab.tsx')),
  delivery: lazyPart(() => import('./DeliveryTab.tsx')),
  inbox: lazyPart(() => import('./inbox/InboxTab.tsx')),
  campaigns: lazyPart(() => import('./CampaignsTab.tsx')),
  verification: lazyPart(() => import('../verifications/ConversionPart.tsx')),
  costs: lazyPart(() => import('./CostsTab.tsx')),
  anomalies: lazyPart(() => import('./anomalies/AnomaliesTab.tsx')),
} satisfies Record<Tab, unknown>;

/** The shape of a tab while it loads: filters, and figures with a chart or rows. */
const HEIGHTS = [36, 400];

export function InsightsPage() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const tabs = useInsightTabs();
  const tab = currentTab(search);
  const Part = PARTS[tab];
  const kept = Object.fromEntries(KEPT.flatMap((key) => (search[key] ? [[key, String(search[key])]] : [])));
  return (
    <>
      <PageHeader title="Insights" description="Delivery, costs, response times, and a log of every message.">
        <PageTabs label="Insights">
          {tabs.map(({ key, label }) => (
            <PageTab
              key={key}
              link={linkTo(INSIGHTS, key === 'overview' ? kept : { ...kept, tab: key })}
              isOpen={key === tab}
            >
              {label}
            </PageTab>
          ))}
        </PageTabs>
      </PageHeader>
      <Suspense key={tab} fallback={<SkeletonBlocks heights={HEIGHTS} />}>
        <Part />
      </Suspense>
    </>
  );
}

export default InsightsPage;
