import { Button, Checkbox, Select } from '@mantine/core';
import { getPaymentSettings, updatePaymentSettings } from '@parley/contract/billing/payments.ts';
import { exportStatement, listStatements, type StatementMonth } from '@parley/contract/billing/statements.ts';
import { listSubAccounts } from '@parley/contract/team/subaccounts.ts';
import { IconReportMoney } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callFile, saveFile } from '../kernel/http/files.ts';
import { toastError, useAction, useEndpoint } from '../kernel/http/query.ts';
import { usePanel } from '../kernel/list/panel.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { COMPANY } from '../paths.ts';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import styles from './Billing.module.css';
import { BillingLayout } from './BillingLayout.tsx';
import { StatementPanel } from './StatementPanel.tsx';
import { monthLabel, statementQuery } from './statements.ts';

const amount = (key: 'opening_micros' | 'added_micros' | 'used_micros' | 'closing_micros', title: string) =>
  moneyColumn<StatementMonth, string>({
    key,
    title,
    micros: (row) => row[key],
    currency: (row) => row.currency,
  });

async function download(row: StatementMonth, account_id: string, format: 'csv' | 'pdf'): Promise<void> {
  try {
    const file = await callFile(exportStatement, {
      params: { month: row.month },
      query: { format, ...statementQuery(account_id) },
    });
    saveFile(file, `statement-${row.month}.${format}`);
  } catch (error) {
    toastError(error);
  }
}

const columns = (account_id: string): Column<StatementMonth>[] => [
  {
    key: 'month',
    title: 'Month',
    fixed: true,
    card: 'title',
    width: '100%',
    render: (row) => (
      <span className={styles.month}>
        {monthLabel(row.month)}
        {!row.is_final && <ToneBadge tone="flight">{isCurrent(row.month) ? 'In progress' : 'Not final'}</ToneBadge>}
      </span>
    ),
  },
  amount('opening_micros', 'Opening balance'),
  amount('added_micros', 'Added'),
  amount('used_micros', 'Used'),
  { ...amount('closing_micros', 'Closing balance'), card: 'corner' },
  {
    key: 'files',
    title: 'Files',
    fixed: true,
    render: (row) => (
      <span className={styles.month}>
        {(['csv', 'pdf'] as const)
          .filter((format) => row.is_final || format === 'csv')
          .map((format) => (
            <Button
              key={format}
              variant="subtle"
              size="compact-sm"
              aria-label={`Download ${monthLabel(row.month)} as ${format.toUpperCase()}`}
              onClick={() => void download(row, account_id, format)}
            >
              {format.toUpperCase()}
            </Button>
          ))}
      </span>
    ),
  },
];

/** One row for each month, of the company or of one of its sub-accounts. */
export default function StatementsPage() {
  const { account } = useSession();
  const [account_id, setAccount] = useState(account.id);
  const panel = usePanel();
  const query = useEndpoint(listStatements, { query: statementQuery(account_id) });
  return (
    <BillingLayout
      title="Statements"
      needs={listStatements.needs}
      description="Money added, spent, and left in your balance, by month in UTC."
    >
      <SubAccountSelect value={account_id} onChange={setAccount} />
      <DataTable
        id="statements"
        label="Statements"
        grow
        columns={columns(account_id)}
        rows={query.data?.data}
        rowKey={(row) => row.month}
        rowName={(row) => monthLabel(row.month)}
        fetching={query.isFetching}
        onOpen={(row) => panel.open(row.month)}
        openKey={panel.id}
        error={
          query.error && !query.data ? (
            <ErrorState
              title="The statements could not be loaded"
              onRetry={() => void query.refetch()}
              retrying={query.isFetching}
            >
              {query.error.message}
            </ErrorState>
          ) : null
        }
        empty={
          <EmptyState icon={IconReportMoney} title="No statements yet">
            Statements appear here, one for each month.
          </EmptyState>
        }
      />
      <EmailChoice />
      <StatementPanel month={panel.id} account_id={account_id} onClose={panel.close} />
    </BillingLayout>
  );
}

/** Shown only to users of a company with sub-accounts. */
function SubAccountSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { account } = useSession();
  const isAllowed = useReason(listSubAccounts) === null && account.account_type === 'MAIN';
  const subs = useEndpoint(listSubAccounts, { query: { page_size: 1000 } }, { enabled: isAllowed }).data?.data ?? [];
  if (subs.length === 0) return null;
  return (
    <Select
      className={styles.accountSelect}
      label="Account"
      allowDeselect={false}
      searchable
      value={value}
      onChange={(id) => id !== null && onChange(id)}
      data={[
        { value: account.id, label: account.company_name },
        ...subs.map((sub) => ({ value: sub.id, label: sub.company_name })),
      ]}
    />
  );
}

function EmailChoice() {
  const settings = useEndpoint(getPaymentSettings).data?.data;
  const { mutate, isPending } = useAction(updatePaymentSettings);
  if (!settings) return null;
  return (
    <div className={styles.part}>
      <Allow needs={updatePaymentSettings.needs}>
        <Checkbox
          label="Email the statement at the end of each month"
          description={
            <>
              Sent to the invoice addresses in the <Link to={COMPANY}>company settings</Link>.
            </>
          }
          checked={settings.sends_statements}
          disabled={isPending}
          onChange={({ currentTarget }) => mutate({ body: { sends_statements: currentTarget.checked } })}
        />
      </Allow>
    </div>
  );
}

/** Months are in UTC. The sums of an earlier month are stored in the next night. */
const isCurrent = (month: string): boolean => month === new Date().toISOString().slice(0, 7);
