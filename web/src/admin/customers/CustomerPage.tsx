/** One account, for operators: what it is, its people, senders, requests and history, and what can be done about it. */
import { Button } from '@mantine/core';
import {
  blockCustomer,
  type Customer,
  createAuthSession,
  getCustomer,
  reopenCustomer,
} from '@parley/contract/admin/customers.ts';
import { IconUserShield } from '@tabler/icons-react';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { ACCOUNTS, accountPath } from '../../paths.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import tabStyles from '../../ui/layout/Tabs.module.css';
import { AccountBadge } from '../AccountBadge.tsx';
import { blockReason, enterReason } from '../account_words.ts';
import { accountTabs } from './account_tabs.ts';
import { useAccountActs } from './acts.ts';
import styles from './Customer.module.css';
import { CustomerFacts } from './CustomerFacts.tsx';
import { CustomerHistory } from './CustomerHistory.tsx';
import { CustomerRequests } from './CustomerRequests.tsx';
import { CustomerSenders } from './CustomerSenders.tsx';
import { CustomerUsers } from './CustomerUsers.tsx';
import { EnterDialog } from './EnterDialog.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';

export default function CustomerPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const answer = useEndpoint(getCustomer, { params: { id } });
  if (answer.error)
    return (
      <ErrorState
        title="The account could not be loaded"
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      >
        {answer.error.message}
      </ErrorState>
    );
  if (!answer.data) return <PageSkeleton />;
  return <Known key={id} customer={answer.data.data} />;
}

function Known({ customer }: { customer: Customer }) {
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: string };
  const acts = useAccountActs();
  const [entering, setEntering] = useState<string | null | undefined>(undefined);
  return (
    <>
      <Back to={ACCOUNTS}>Accounts</Back>
      <PageHeader
        title={customer.company_name}
        description={
          [customer.owner_name, customer.owner_email].filter(Boolean).join(' · ') || 'Nobody has signed up yet'
        }
        badge={<AccountBadge account={customer} />}
        secondary={
          customer.closed ? (
            <Allow needs={reopenCustomer.needs}>
              <Button variant="default" loading={acts.reopening} onClick={() => void acts.reopen(customer)}>
                Reopen
              </Button>
            </Allow>
          ) : (
            <Allow needs={blockCustomer.needs} reason={blockReason(customer)}>
              <Button variant="default" onClick={() => acts.block(customer)}>
                {customer.status === 'BLOCKED' ? 'Unblock' : 'Block'}
              </Button>
            </Allow>
          )
        }
        action={
          <Allow needs={createAuthSession.needs} reason={enterReason(customer)}>
            <Button leftSection={<IconUserShield size={16} aria-hidden />} onClick={() => setEntering(null)}>
              Enter account
            </Button>
          </Allow>
        }
      >
        <nav aria-label="About this account" className={tabStyles.tabs}>
          {accountTabs(customer).map(({ key, label, count }) => (
            <Link
              key={key}
              to={accountPath(customer.id)}
              search={(key === 'overview' ? {} : { tab: key }) as never}
              replace
              // The router's own idea of "open" would call the first tab open on all of them.
              activeOptions={{ exact: true }}
              className={tabStyles.tab}
              aria-current={tab === key ? 'page' : undefined}
            >
              {label}
              {count !== undefined && <span className={styles.count}>{count}</span>}
            </Link>
          ))}
        </nav>
      </PageHeader>
      {tab === 'users' ? (
        <CustomerUsers customer={customer} onBlock={acts.blockUser} onEnter={setEntering} />
      ) : tab === 'senders' ? (
        <CustomerSenders customer={customer} />
      ) : tab === 'requests' ? (
        <CustomerRequests customer={customer} />
      ) : tab === 'history' ? (
        <CustomerHistory customer={customer} />
      ) : (
        <CustomerFacts customer={customer} />
      )}
      <ReasonDialog request={acts.asked} busy={acts.busy} onClose={acts.close} />
      <EnterDialog customer={customer} user_id={entering} onClose={() => setEntering(undefined)} />
    </>
  );
}
