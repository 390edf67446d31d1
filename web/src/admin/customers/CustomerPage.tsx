/** One account, for operators: its details, users, senders, requests, and history. */
import { Button } from '@mantine/core';
import {
  blockCustomer,
  type Customer,
  createAuthSession,
  getCustomer,
  reopenCustomer,
} from '@parley/contract/admin/customers.ts';
import { IconBuilding, IconUserShield } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { ACCOUNTS, accountPath } from '../../paths.ts';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../../ui/layout/PageTabs.tsx';
import { AccountBadge } from '../AccountBadge.tsx';
import { blockReason, enterReason } from '../account_words.ts';
import { useAccountActions } from './account_actions.ts';
import { accountTabs } from './account_tabs.ts';
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
  const query = useEndpoint(getCustomer, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="account"
      icon={IconBuilding}
      back={<Back to={ACCOUNTS}>Accounts</Back>}
      missing="It was erased, or the link is incomplete."
    >
      {(customer) => <CustomerContent key={id} customer={customer} />}
    </RecordPage>
  );
}

function CustomerContent({ customer }: { customer: Customer }) {
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: string };
  const actions = useAccountActions();
  // The user that the operator acts as. Null means the owner; undefined means that the dialog is closed.
  const [entering, setEntering] = useState<string | null | undefined>(undefined);
  return (
    <>
      <PageHeader
        title={customer.company_name}
        description={[customer.owner_name, customer.owner_email].filter(Boolean).join(' · ') || 'No owner yet'}
        badge={<AccountBadge account={customer} />}
        secondary={<StatusButton customer={customer} actions={actions} />}
        action={
          <Allow needs={createAuthSession.needs} reason={enterReason(customer)}>
            <Button leftSection={<IconUserShield size={16} aria-hidden />} onClick={() => setEntering(null)}>
              Enter account
            </Button>
          </Allow>
        }
      >
        <AccountTabs customer={customer} current={tab} />
      </PageHeader>
      {tab === 'users' ? (
        <CustomerUsers customer={customer} onBlock={actions.blockUser} onEnter={setEntering} />
      ) : tab === 'senders' ? (
        <CustomerSenders customer={customer} />
      ) : tab === 'requests' ? (
        <CustomerRequests customer={customer} />
      ) : tab === 'history' ? (
        <CustomerHistory customer={customer} />
      ) : (
        <CustomerFacts customer={customer} />
      )}
      <ReasonDialog request={actions.reasonRequest} busy={actions.busy} onClose={actions.close} />
      <EnterDialog customer={customer} user_id={entering} onClose={() => setEntering(undefined)} />
    </>
  );
}

interface StatusButtonProps {
  customer: Customer;
  actions: ReturnType<typeof useAccountActions>;
}

/** Reopens a closed account; blocks or unblocks an open one. */
function StatusButton({ customer, actions }: StatusButtonProps) {
  if (customer.closed)
    return (
      <Allow needs={reopenCustomer.needs}>
        <Button variant="default" loading={actions.reopening} onClick={() => void actions.reopen(customer)}>
          Reopen
        </Button>
      </Allow>
    );
  return (
    <Allow needs={blockCustomer.needs} reason={blockReason(customer)}>
      <Button variant="default" onClick={() => actions.block(customer)}>
        {customer.status === 'BLOCKED' ? 'Unblock' : 'Block'}
      </Button>
    </Allow>
  );
}

function AccountTabs({ customer, current }: { customer: Customer; current: string }) {
  return (
    <PageTabs label="Account sections">
      {accountTabs(customer).map(({ key, label, count }) => (
        <PageTab
          key={key}
          link={{
            to: accountPath(customer.id),
            search: (key === 'overview' ? {} : { tab: key }) as never,
            replace: true,
          }}
          isOpen={current === key}
        >
          {label}
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </PageTab>
      ))}
    </PageTabs>
  );
}
