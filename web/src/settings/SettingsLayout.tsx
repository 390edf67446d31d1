/** Around every page of the settings: its title and description, the tabs one may open, its one action. */
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import tabStyles from '../ui/layout/Tabs.module.css';
import { isOpen, tabsOf } from './tabs.ts';

export interface SettingsLayoutProps {
  title: string;
  /** What the page is for. */
  description: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function SettingsLayout({ title, description, action, children }: SettingsLayoutProps) {
  const session = useSession();
  const { routesByPath } = useRouter();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const tabs = tabsOf(session, (one) => one in routesByPath);
  return (
    <>
      <PageHeader title={title} description={description} action={action}>
        <nav aria-label="Settings" className={tabStyles.tabs}>
          {tabs.map((tab) => (
            <Link
              key={tab.path}
              to={tab.path}
              className={tabStyles.tab}
              // By the router's own measure every page here would be part of the first.
              activeOptions={{ exact: true }}
              aria-current={isOpen(tab, path) ? 'page' : undefined}
            >
              {tab.label}
            </Link>
          ))}
        </nav>
      </PageHeader>
      {children}
    </>
  );
}
