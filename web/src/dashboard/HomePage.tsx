/** The customer's dashboard: balance, campaigns, conversations, and next steps, limited to what the user may see. */

import { Button } from '@mantine/core';
import { getBalance } from '@parley/contract/billing/billing.ts';
import { type Campaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { getBadges, listConversations } from '@parley/contract/inbox/inbox.ts';
import { type Dashboard, getDashboard } from '@parley/contract/insights/dashboard.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { listMessages } from '@parley/contract/messages/messages.ts';
import type { Needs } from '@parley/contract/permission.ts';
import { IconPlus } from '@tabler/icons-react';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type Period, parsePeriod } from '../insights/figures.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { ALL_CAMPAIGNS, createCampaignPath, messagesPath, unreadPath } from '../paths.ts';
import { formatNumber } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { type Stat, StatChips } from '../ui/data/StatChips.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Dashboard.module.css';
import { LatestCampaigns } from './LatestCampaigns.tsx';
import { MessageFigures } from './MessageFigures.tsx';
import { NextSteps } from './NextSteps.tsx';
import { nextSteps } from './next_steps.ts';
import { OpenSteps } from './OpenSteps.tsx';
import { openSteps } from './steps.ts';
import { UnreadConversations } from './UnreadConversations.tsx';

export default function HomePage() {
  const session = useSession();
  const { routesByPath } = useRouter();
  const { days } = useSearch({ strict: false }) as { days?: string };
  const period = parsePeriod(days);
  const data = useDashboardData(period);
  const { campaigns, figures, unread } = data;
  const isLoaded = campaigns !== undefined && figures !== undefined;
  // A new account sees its next steps first.
  const isNew = isLoaded && data.mayCampaigns && !figures.steps.campaign;
  const hasNoMessages = isLoaded && isWithoutMessages(figures);
  const next = isLoaded ? nextSteps(figures.steps, session, (path) => path in routesByPath) : [];
  return (
    <>
      <PageHeader
        title={`Hello, ${session.user.first_name || session.user.full_name}`}
        description={`${session.account.company_name} at a glance.`}
        action={
          createCampaignPath(DEFAULT_CHANNEL) in routesByPath &&
          isLoaded &&
          !isNew && (
            <Disabled reason={routeReason({ needs: 'CAMPAIGNS:add' }, session)}>
              <Button
                component={Link}
                to={createCampaignPath(DEFAULT_CHANNEL)}
                leftSection={<IconPlus size={16} aria-hidden />}
              >
                Create SMS campaign
              </Button>
            </Disabled>
          )
        }
      />
      <Glance data={data} />
      {!isLoaded ? (
        data.error ? (
          <ErrorState title="The figures could not be loaded" onRetry={data.retry} retrying={data.retrying}>
            {data.error.message}
          </ErrorState>
        ) : (
          <div className={styles.loading} role="status" aria-label="Loading">
            <SkeletonLines lines={8} />
          </div>
        )
      ) : (
        <div className={styles.body}>
          {isNew && <NextSteps steps={next} />}
          <OpenSteps steps={openSteps(campaigns)} />
          {!(isNew && hasNoMessages) && <MessageFigures figures={data.currentFigures} period={period} />}
          <div className={styles.columns}>
            <div className={styles.column}>
              {campaigns.length > 0 && <LatestCampaigns campaigns={campaigns} />}
              {!isNew && <NextSteps steps={next} />}
            </div>
            <div className={styles.column}>
              {data.mayInbox && (!isNew || unread.length > 0) && <UnreadConversations conversations={unread} />}
            </div>
          </div>
        </div>
      )}
    </>
  );
}

const isWithoutMessages = ({ total, before }: Dashboard): boolean =>
  [total, before].every(({ sent, received }) => sent === 0 && received === 0);

type DashboardData = ReturnType<typeof useDashboardData>;
const NO_CAMPAIGNS: Campaign[] = [];
/** There are too many messages to send live events for the figures. Instead, they are polled while the page is open. */
const REFRESH_MS = 20_000;

/** The dashboard's data. Values are undefined while they load; data that the user may not see counts as empty. */
function useDashboardData(days: Period) {
  const { account } = useSession();
  const mayBalance = useReason(getBalance.needs as Needs) === null;
  const mayInbox = useReason(getBadges.needs as Needs) === null;
  const mayCampaigns = useReason(listCampaigns.needs as Needs) === null;
  const first = { page: 1, page_size: 10 };
  const balance = useEndpoint(getBalance, { params: { id: account.id } }, { enabled: mayBalance });
  const badges = useEndpoint(getBadges, {}, { enabled: mayInbox });
  const campaigns = useEndpoint(listCampaigns, { query: first }, { enabled: mayCampaigns });
  const running = useEndpoint(
    listCampaigns,
    { query: { ...first, filter: { statuses: 'in_progress' } } },
    { enabled: mayCampaigns },
  );
  // A user who returns from a step sees that it is done.
  const dashboard = useEndpoint(
    getDashboard,
    { query: { days } },
    { keepPrevious: true, refetchInterval: REFRESH_MS, staleTime: 0 },
  );
  const unread = useEndpoint(
    listConversations,
    { query: { ...first, filter: { unread: 'true' } } },
    { enabled: mayInbox },
  );
  const figures = dashboard.data?.data;
  return {
    mayBalance,
    mayInbox,
    mayCampaigns,
    balance: balance.data?.data,
    badges: badges.data?.data,
    campaigns: mayCampaigns ? dataOrDefault(campaigns, NO_CAMPAIGNS) : NO_CAMPAIGNS,
    running: running.data?.pagination.total,
    figures,
    // While another period's figures load, only the steps are current.
    currentFigures: dashboard.isPlaceholderData ? undefined : figures,
    error: dashboard.error,
    retry: () => void dashboard.refetch(),
    retrying: dashboard.isFetching,
    unread: unread.data?.data ?? [],
  };
}

/** Treats a failed list as empty, so that the rest of the page is shown. */
const dataOrDefault = <T,>(query: { data: { data: T } | undefined; error: unknown }, none: T): T | undefined =>
  query.data?.data ?? (query.error ? none : undefined);

function Glance({ data }: { data: DashboardData }) {
  const { mayBalance, mayInbox, mayCampaigns, balance, badges, running } = data;
  const mayMessages = useReason(listMessages.needs) === null;
  const stats: Stat[] = [
    ...(mayBalance
      ? [
          {
            key: 'available',
            label: 'Available balance',
            value: balance && <Money micros={balance.available_micros} currency={balance.currency} />,
          },
          {
            key: 'held',
            label: 'Reserved',
            value: balance && <Money micros={balance.held_micros} currency={balance.currency} />,
            href: mayMessages ? messagesPath(FIGURES.reserved) : undefined,
          },
        ]
      : []),
    ...(mayInbox
      ? [
          {
            key: 'mine',
            label: 'Unread conversations, assigned to me',
            value: badges && formatNumber(badges.self.conversations),
            href: unreadPath('self'),
          },
          {
            key: 'none',
            label: 'Unread conversations, unassigned',
            value: badges && formatNumber(badges.none.conversations),
            href: unreadPath('none'),
          },
        ]
      : []),
    ...(mayCampaigns
      ? [
          {
            key: 'running',
            label: 'Campaigns running',
            value: running === undefined ? undefined : formatNumber(running),
            href: mayMessages ? `${ALL_CAMPAIGNS}&statuses=in_progress` : undefined,
          },
        ]
      : []),
  ];
  return stats.length > 0 && <StatChips label="At a glance" stats={stats} />;
}
