/** Accounts that owe money, and the reminders that they get. */
import { Button, Checkbox } from '@mantine/core';
import {
  listOverdueAccounts,
  type OverdueAccount,
  updateDunningSettings,
  updateOverdueAccount,
} from '@parley/contract/admin/dunning.ts';
import { IconBell, IconClock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { accountPath } from '../../paths.ts';
import { fromLocal, toWire } from '../../ui/controls/local_time.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { ToneBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ReasonDialog, type ReasonRequest } from '../customers/ReasonDialog.tsx';
import { PaymentTabs } from '../payments/PaymentTabs.tsx';
import { RemindersPanel } from './RemindersPanel.tsx';

function State({ row }: { row: OverdueAccount }) {
  if (row.exempt_reason !== null) return <ToneBadge tone="off">Exempt</ToneBadge>;
  if (row.pause_date !== null) return <ToneBadge tone="fail">Paused</ToneBadge>;
  if (row.extend_date !== null) return <ToneBadge tone="wait">Extended</ToneBadge>;
  return <ToneBadge tone="wait">{row.owed_micros > 0 ? 'Overdue' : 'Card declined'}</ToneBadge>;
}

const COLUMNS: Column<OverdueAccount>[] = [
  {
    key: 'account',
    title: 'Account',
    fixed: true,
    width: '100%',
    card: 'title',
    render: (row) => <Link to={accountPath(row.account_id)}>{row.company_name}</Link>,
  },
  { key: 'state', title: 'Status', fixed: true, card: 'corner', render: (row) => <State row={row} /> },
  moneyColumn<OverdueAccount, string>({
    key: 'owed',
    title: 'Owed',
    fixed: true,
    micros: (row) => row.owed_micros,
    currency: (row) => row.currency,
  }),
  { key: 'since', title: 'Since', render: (row) => <DateTime value={row.since} /> },
  { key: 'step', title: 'Reminders', align: 'end', render: (row) => row.step },
  { key: 'next', title: 'Next step', render: (row) => <DateTime value={row.next_date} /> },
];

const NO_FILTERS = [] as const;

interface Decision {
  row: OverdueAccount;
  exempt: boolean;
}

export default function OverduePage() {
  const panel = usePanel();
  const list = useList(listOverdueAccounts, { filters: NO_FILTERS, subject: 'The overdue accounts' });
  const refusal = useReason(updateOverdueAccount);
  const [decision, setDecision] = useState<Decision | null>(null);
  const actions: RowAction<OverdueAccount>[] = [
    {
      key: 'extend',
      label: 'Extend or exempt',
      icon: IconClock,
      reason: () => refusal,
      onSelect: (row) => setDecision({ row, exempt: row.exempt_reason !== null }),
    },
  ];
  return (
    <>
      <PageHeader
        title="Overdue accounts"
        description="Accounts with a balance below zero, or with a declined card for auto top-up."
        action={
          <Allow needs={updateDunningSettings}>
            <Button leftSection={<IconBell size={16} aria-hidden />} onClick={() => panel.open('reminders')}>
              Edit reminders
            </Button>
          </Allow>
        }
      >
        <PaymentTabs open="overdue" />
      </PageHeader>
      <ListTable
        id="overdue_accounts"
        label="Overdue accounts"
        noun="accounts"
        list={list}
        columns={COLUMNS}
        actions={actions}
        rowKey={(row) => row.account_id}
        rowName={(row) => row.company_name}
        empty={
          <EmptyState icon={IconClock} title="No overdue accounts yet">
            Accounts that owe money appear here.
          </EmptyState>
        }
      />
      <DecisionDialog decision={decision} onClose={() => setDecision(null)} />
      <RemindersPanel open={panel.id === 'reminders'} onClose={panel.close} />
    </>
  );
}

function DecisionDialog({ decision, onClose }: { decision: Decision | null; onClose: () => void }) {
  const zone = useZone();
  const [local, setLocal] = useState('');
  const [isExempt, setExempt] = useState(false);
  const [shown, setShown] = useState<Decision | null>(null);
  if (decision && decision !== shown) {
    setShown(decision);
    setExempt(decision.exempt);
    setLocal('');
  }
  const save = useAction(updateOverdueAccount, {
    onSuccess: () => {
      toast.success('The account was changed');
      onClose();
    },
  });
  const date = fromLocal(local, zone);
  const request: ReasonRequest | null = decision && {
    title: `Extend or exempt ${decision.row.company_name}?`,
    text: 'Sending continues until the new date. Exempt accounts get no reminders and are not paused.',
    action: 'Save changes',
    hint: 'Recorded in the audit log.',
    onDone: (reason) =>
      save.mutate({
        params: { id: decision.row.account_id },
        body: { exempt: isExempt, extend_date: date && !isExempt ? toWire(date) : null, reason },
      }),
  };
  return (
    <ReasonDialog request={request} busy={save.isPending} onClose={onClose} minLength={1}>
      <Checkbox label="Exempt this account" checked={isExempt} onChange={(event) => setExempt(event.target.checked)} />
      {!isExempt && <DateField kind="datetime" label={`Extend until (${zone})`} value={local} onChange={setLocal} />}
    </ReasonDialog>
  );
}
