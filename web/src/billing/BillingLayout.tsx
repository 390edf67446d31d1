/** The frame of every billing page: title, description, action, and tabs. */
import { Button } from '@mantine/core';
import type { Needs } from '@parley/contract/permission.ts';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { ADD_FUNDS, AUTO_TOP_UP, BILLING, INVOICES, PAYMENTS, RATES, STATEMENTS } from '../paths.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';
import styles from './Billing.module.css';

const BILLING_NEEDS = ['PAYMENTS:view', 'INVOICES:view'] as const;
const TABS = [
  { label: 'Overview', path: BILLING },
  { label: 'Payments', path: PAYMENTS },
  { label: 'Invoices', path: INVOICES },
  { label: 'Statements', path: STATEMENTS },
  { label: 'Auto top-up', path: AUTO_TOP_UP },
  { label: 'Rates', path: RATES },
] as const;

interface BillingLayoutProps {
  title: string;
  description: ReactNode;
  /** Secondary actions, to the left of *Add funds*. */
  secondary?: ReactNode;
  /** The permission that the content requires. The page itself also opens with the other billing permission. */
  needs?: Needs;
  children: ReactNode;
}

export function BillingLayout({ title, description, secondary, needs, children }: BillingLayoutProps) {
  const reason = useReason(needs ?? BILLING_NEEDS);
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        secondary={secondary}
        action={
          <Allow needs="PAYMENTS:add">
            <Button component={Link} to={ADD_FUNDS}>
              Add funds
            </Button>
          </Allow>
        }
      >
        <PageTabs label="Billing">
          {TABS.map((tab) => (
            <PageTab key={tab.path} link={{ to: tab.path }} isOpen={tab.path === path}>
              {tab.label}
            </PageTab>
          ))}
        </PageTabs>
      </PageHeader>
      {reason === null ? children : <p className={styles.dim}>{reason}</p>}
    </>
  );
}
