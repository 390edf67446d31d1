import { Button, Checkbox, Group } from '@mantine/core';
import { exportInvoice, getInvoiceLink, type Invoice, listInvoices } from '@parley/contract/billing/invoices.ts';
import { getPaymentSettings, updatePaymentSettings } from '@parley/contract/billing/payments.ts';
import { IconDownload, IconFileInvoice } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { call } from '../kernel/http/client.ts';
import { callFile, saveFile } from '../kernel/http/files.ts';
import { toastError, useAction, useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { COMPANY } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import styles from './Billing.module.css';
import { BillingLayout } from './BillingLayout.tsx';
import { monthLabel } from './statements.ts';

const FILTERS = ['types'] as const;
const FACETS = [
  {
    key: 'types',
    label: 'Type',
    options: [
      { value: 'Invoice', label: 'Invoices' },
      { value: 'Credit note', label: 'Credit notes' },
    ],
  },
];

const COLUMNS: Column<Invoice>[] = [
  { key: 'number', title: 'Number', fixed: true, card: 'title', render: (row) => row.number },
  { key: 'type', title: 'Type', card: 'corner', render: (row) => row.type },
  {
    key: 'period',
    title: 'Date',
    render: (row) => <DateTime value={`${row.period} 00:00:00`} show="date" zone="UTC" />,
  },
  {
    key: 'for',
    title: 'For',
    render: ({ month, type }) =>
      month === null ? (type === 'Invoice' ? 'One payment' : 'A refund') : `Payments of ${monthLabel(month)}`,
  },
  moneyColumn<Invoice, string>({
    key: 'net',
    title: 'Net amount',
    micros: (row) => row.net_amount_micros,
    currency: (row) => row.currency,
  }),
  moneyColumn<Invoice, string>({
    key: 'vat',
    title: 'VAT',
    micros: (row) => row.amount_micros,
    currency: (row) => row.currency,
  }),
  moneyColumn<Invoice, string>({
    key: 'total',
    title: 'Amount including VAT',
    micros: (row) => row.amount_including_vat_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'file',
    title: 'File',
    fixed: true,
    render: (row) => (
      <Group gap={4} wrap="nowrap">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => void download(row)}
          aria-label={`Download ${row.number}`}
        >
          PDF
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          title="Electronic invoice (UBL, EN 16931)"
          onClick={() => void downloadUbl(row)}
          aria-label={`Download ${row.number} as an electronic invoice`}
        >
          XML
        </Button>
      </Group>
    ),
  },
];

async function download(invoice: Invoice): Promise<void> {
  try {
    const { data } = await call(getInvoiceLink, { params: { id: invoice.id }, query: {} });
    window.location.assign(data.url);
  } catch (error) {
    toastError(error);
  }
}

async function downloadUbl({ id, number }: Invoice): Promise<void> {
  try {
    saveFile(await callFile(exportInvoice, { params: { id } }), `${number}.xml`);
  } catch (error) {
    toastError(error);
  }
}

export default function InvoicesPage() {
  const list = useList(listInvoices, { filters: FILTERS, subject: 'The invoices' });
  return (
    <BillingLayout
      title="Invoices"
      needs={listInvoices.needs}
      description={
        <>
          Invoices for your payments. The name, VAT number, and email addresses are in the{' '}
          <Link to={COMPANY}>company settings</Link>.
        </>
      }
    >
      <ListTable
        list={list}
        id="invoices"
        label="Invoices"
        noun="invoices"
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.number}
        empty={
          <EmptyState icon={IconFileInvoice} title="No invoices yet">
            You get an invoice for each payment as soon as it arrives, or one at the end of each month.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No invoices match these filters">Clear a filter.</EmptyState>}
      />
      <InvoiceChoice />
    </BillingLayout>
  );
}

function InvoiceChoice() {
  const enabled = useReason(getPaymentSettings.needs) === null;
  const settings = useEndpoint(getPaymentSettings, undefined, { enabled }).data?.data;
  const { mutate, isPending } = useAction(updatePaymentSettings);
  if (!settings) return null;
  return (
    <div className={styles.part}>
      <Allow needs={updatePaymentSettings.needs}>
        <Checkbox
          label="One invoice for all payments in a month"
          description="Issued on the first day of the next month (UTC). Refunds get a credit note immediately."
          checked={settings.monthly_invoices}
          disabled={isPending}
          onChange={({ currentTarget }) => mutate({ body: { monthly_invoices: currentTarget.checked } })}
        />
      </Allow>
    </div>
  );
}
