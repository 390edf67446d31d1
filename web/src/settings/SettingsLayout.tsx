/** The frame of every settings page: title, description, action, and the tabs that the user may open. */
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import tabStyles from '../ui/layout/Tabs.module.css';
import { isOpen, visibleTabs } from './tabs.ts';

interface SettingsLayoutProps {
  title: string;
  /** The purpose of the page. */
  description: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function SettingsLayout({ title, description, action, children }: SettingsLayoutProps) {
  const session = useSession();
  const { routesByPath } = useRouter();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const tabs = visibleTabs(session, (tabPath) => tabPath in routesByPath);
  return (
    <>
      <PageHeader title={title} description={description} action={action}>
        <nav aria-label="Settings" className={tabStyles.tabs}>
          {tabs.map((tab) => (
            <Link
              key={tab.path}
              to={tab.path}
              className={tabStyles.tab}
              // Without this option, the router marks the first tab as active on every page.
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
