/** The frame of every settings page: title, description, action, and the tabs that the user may open. */
import { useRouter, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../kernel/session/session.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';
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
        <PageTabs label="Settings">
          {tabs.map((tab) => (
            <PageTab key={tab.path} link={{ to: tab.path }} isOpen={isOpen(tab, path)}>
              {tab.label}
            </PageTab>
          ))}
        </PageTabs>
      </PageHeader>
      {children}
    </>
  );
}
