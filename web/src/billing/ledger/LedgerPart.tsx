import { type LedgerEntry, listLedger } from '@parley/contract/billing/billing.ts';
import { useId } from 'react';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatMoney } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Billing.module.css';
import { LedgerDetails } from './LedgerDetails.tsx';

const FILTERS = ['kinds', 'from', 'to'] as const;

const KINDS: Readonly<Record<LedgerEntry['kind'], string>> = {
  top_up: 'Payment',
  bonus: 'Bonus',
  compensation: 'Compensation',
  hold: 'Amount reserved',
  settle: 'Reserved amount charged',
  release: 'Reserved amount released',
  resettle: 'Messages delivered late',
  refund: 'Refund',
  charge: 'Charge',
  payment_release: 'Review ended',
  payment_refund: 'Payment refunded',
  dispute: 'Payment disputed',
  dispute_won: 'Dispute won',
  correction: 'Correction',
  transfer_in: 'Transfer received',
  transfer_out: 'Transfer sent',
};

/** The change of the available balance. */
const change = ({ debit, credit, amount_micros }: LedgerEntry): number =>
  (credit === 'available' ? amount_micros : 0) - (debit === 'available' ? amount_micros : 0);

/** An exact amount, because rounded amounts of single messages would not add up to the balance. */
function Amount({ micros, sign = '' }: { micros: number; sign?: string }) {
  const { account } = useSession();
  return (
    <span className="tabular">
      {sign}
      {formatMoney(micros, account.currency, { exact: true })}
    </span>
  );
}

/** The effect of the entry on the balance. A settled amount was taken from the balance when it was reserved. */
function Change({ entry }: { entry: LedgerEntry }) {
  if (entry.kind === 'settle')
    return (
      <span className={styles.dim}>
        <Amount micros={entry.amount_micros} /> reserved
      </span>
    );
  const micros = change(entry);
  return <Amount micros={micros} sign={micros > 0 ? '+' : ''} />;
}

const COLUMNS: Column<LedgerEntry>[] = [
  {
    key: 'kind',
    title: 'Entry',
    fixed: true,
    card: 'title',
    render: (row) => (row.credit === 'frozen' ? 'Payment in review' : KINDS[row.kind]),
  },
  {
    key: 'change',
    title: 'Change',
    align: 'end',
    card: 'corner',
    render: (row) => <Change entry={row} />,
  },
  { key: 'balance', title: 'Balance', align: 'end', render: (row) => <Amount micros={row.available_after_micros} /> },
  { key: 'details', title: 'Details', render: (row) => <LedgerDetails entry={row} /> },
  { key: 'date', title: 'Date', render: (row) => <DateTime value={row.create_date} /> },
];

/** Every movement of money, with the balance after it. */
export function LedgerPart() {
  const id = useId();
  const list = useList(listLedger, { filters: FILTERS, subject: 'The ledger' });
  return (
    <section className={styles.part} aria-labelledby={id}>
      <header className={styles.partHead}>
        <h2 id={id} className={styles.partTitle}>
          Ledger
        </h2>
      </header>
      <ListTable
        list={list}
        id="ledger"
        label="Ledger"
        noun="entries"
        facets={[
          {
            key: 'kinds',
            label: 'Entry',
            options: Object.entries(KINDS).map(([value, label]) => ({ value, label })),
          },
        ]}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        tools={<ExportMenu name="ledger" list={list} table="ledger" columns={COLUMNS} />}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => KINDS[row.kind]}
        empty={<EmptyState title="No entries yet">Payments and messages appear here.</EmptyState>}
        emptyFiltered={<EmptyState title="No entries match these filters">Clear a filter.</EmptyState>}
      />
    </section>
  );
}
