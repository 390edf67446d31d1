/** The frame of the lookup pages: title, description, price, and the tabs. */
import { getLookupPrice, type LookupPrice } from '@parley/contract/lookups/lookups.ts';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { CARRIER_BULK, CARRIER_HISTORY, CARRIER_SINGLE } from '../paths.ts';
import { NotAllowed } from '../ui/feedback/NotAllowed.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';

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
        <PageTabs label="Carrier lookup">
          {TABS.map((tab) => (
            <PageTab key={tab.path} link={{ to: tab.path }} isOpen={path === tab.path}>
              {tab.label}
            </PageTab>
          ))}
        </PageTabs>
      </PageHeader>
      {reason === null ? children : <NotAllowed title={title} reason={reason} />}
    </>
  );
}

/** Undefined while it loads. */
export const usePrice = (): LookupPrice | undefined => useEndpoint(getLookupPrice, {}).data?.data;
