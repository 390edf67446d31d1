/**
 * The tabs of payments: those that need a decision, changes of balances that need another operator, differences from
 * the payment provider, and overdue accounts.
 */
import { listProposals } from '@parley/contract/admin/balance_proposals.ts';
import { listDifferences } from '@parley/contract/admin/reconciliation.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { CUSTOMER_PAYMENTS, PROPOSALS, RECONCILIATION } from '../../paths.ts';
import { PageTab, PageTabs } from '../../ui/layout/PageTabs.tsx';
import styles from '../customers/Customer.module.css';

type Tab = typeof CUSTOMER_PAYMENTS | typeof PROPOSALS | typeof RECONCILIATION | 'overdue';

export function PaymentTabs({ open }: { open: Tab }) {
  const waiting = useEndpoint(listProposals, { query: { page_size: 10, filter: { statuses: ['waiting'] } } });
  const differences = useEndpoint(listDifferences, { query: { page_size: 10, filter: { statuses: ['open'] } } });
  const count = waiting.data?.pagination.total ?? 0;
  const differences_count = differences.data?.pagination.total ?? 0;
  return (
    <PageTabs label="Payments">
      <PageTab link={{ to: CUSTOMER_PAYMENTS }} isOpen={open === CUSTOMER_PAYMENTS}>
        Customer payments
      </PageTab>
      <PageTab link={{ to: PROPOSALS }} isOpen={open === PROPOSALS}>
        Proposed changes
        {count > 0 && <span className={styles.count}>{count}</span>}
      </PageTab>
      <PageTab link={{ to: RECONCILIATION }} isOpen={open === RECONCILIATION}>
        Reconciliation
        {differences_count > 0 && <span className={styles.count}>{differences_count}</span>}
      </PageTab>
      <PageTab link={{ to: CUSTOMER_PAYMENTS, search: { tab: 'overdue' } as never }} isOpen={open === 'overdue'}>
        Overdue
      </PageTab>
    </PageTabs>
  );
}
