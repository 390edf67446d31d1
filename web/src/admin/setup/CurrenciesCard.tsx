import { Switch } from '@mantine/core';
import { type Currency, listCurrencies, updateCurrency } from '@parley/contract/admin/setup.ts';
import { IconStar } from '@tabler/icons-react';
import { Card } from '../../dashboard/Card.tsx';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { type Column, DataTable, type RowAction } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import styles from './Setup.module.css';

export function CurrenciesCard() {
  const reason = useReason(listCurrencies.needs);
  return <Card title="Currencies">{reason ? <p className={styles.part}>{reason}</p> : <Currencies />}</Card>;
}

function Currencies() {
  const query = useEndpoint(listCurrencies, {});
  const editReason = useReason(updateCurrency.needs);
  const update = useAction(updateCurrency, {
    invalidates: ['setup'],
    onSuccess: () => toast.success('The currencies were saved'),
  });
  const columns: Column<Currency>[] = [
    { key: 'code', title: 'Currency', fixed: true, render: (row) => row.code },
    {
      key: 'offered',
      title: 'Offered to new accounts',
      fixed: true,
      width: '100%',
      render: (row) =>
        row.is_default ? (
          'Yes'
        ) : (
          <Disabled reason={editReason}>
            <Switch
              aria-label={`Offer ${row.code} to new accounts`}
              checked={row.enabled}
              onChange={() => update.mutate({ params: { code: row.code }, body: { enabled: !row.enabled } })}
            />
          </Disabled>
        ),
    },
    { key: 'default', title: 'Default', fixed: true, render: (row) => (row.is_default ? 'Default' : '') },
    { key: 'prices', title: 'SMS prices', align: 'end', render: (row) => formatNumber(row.prices_count) },
    {
      key: 'accounts',
      title: 'Accounts',
      align: 'end',
      narrow: false,
      render: (row) => formatNumber(row.accounts_count),
    },
  ];
  const actions: RowAction<Currency>[] = [
    {
      key: 'default',
      label: 'Make default',
      icon: IconStar,
      isOffered: (row) => !row.is_default,
      reason: () => editReason,
      onSelect: (row) => update.mutate({ params: { code: row.code }, body: { is_default: true } }),
    },
  ];
  return (
    <>
      <p className={styles.part}>
        <span className={styles.hint}>
          A new account uses the currency of its country, if it is offered and has prices for that country. Otherwise,
          it uses the default. An account’s currency never changes.
        </span>
      </p>
      <DataTable
        id="currencies"
        label="Currencies"
        grow
        columns={columns}
        rows={query.data?.data}
        rowKey={(row) => row.code}
        actions={actions}
        error={query.error ? <FormProblem>{query.error.message}</FormProblem> : null}
        empty={null}
      />
    </>
  );
}
