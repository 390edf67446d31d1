/** The frame of the lookup pages: title, description, price, and the tabs. */
import { getLookupPrice, type LookupPrice } from '@parley/contract/lookups/lookups.ts';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { CARRIER_BULK, CARRIER_HISTORY, CARRIER_SINGLE } from '../paths.ts';
import { NotAllowed } from '../ui/feedback/NotAllowed.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import tabStyles from '../ui/layout/Tabs.module.css';

const TABS = [
  { path: CARRIER_SINGLE, label: 'Single' },
  { path: CARRIER_BULK, label: 'Bulk' },
  { path: CARRIER_HISTORY, label: 'History' },
];

interface LookupLayoutProps {
  title: string;
  description: string;
  children: ReactNode;
}

export function LookupLayout({ title, description, children }: LookupLayoutProps) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const reason = useReason(getLookupPrice.needs);
  return (
    <>
      <PageHeader title={title} description={description}>
        <nav aria-label="Carrier lookup" className={tabStyles.tabs}>
          {TABS.map((tab) => (
            <Link
              key={tab.path}
              to={tab.path}
              className={tabStyles.tab}
              aria-current={path === tab.path ? 'page' : undefined}
            >
              {tab.label}
            </Link>
          ))}
        </nav>
      </PageHeader>
      {reason === null ? children : <NotAllowed title={title} reason={reason} />}
    </>
  );
}

/** Undefined while it loads. */
export const usePrice = (): LookupPrice | undefined => useEndpoint(getLookupPrice, {}).data?.data;
