/** The tabs of payments: those that need a decision, and changes of balances that need another operator. */
import { listProposals } from '@parley/contract/admin/balance_proposals.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { CUSTOMER_PAYMENTS, PROPOSALS } from '../../paths.ts';
import { PageTab, PageTabs } from '../../ui/layout/PageTabs.tsx';
import styles from '../customers/Customer.module.css';

export function PaymentTabs({ open }: { open: typeof CUSTOMER_PAYMENTS | typeof PROPOSALS }) {
  const waiting = useEndpoint(listProposals, { query: { page_size: 10, filter: { statuses: ['waiting'] } } });
  const count = waiting.data?.pagination.total ?? 0;
  return (
    <PageTabs label="Payments">
      <PageTab link={{ to: CUSTOMER_PAYMENTS }} isOpen={open === CUSTOMER_PAYMENTS}>
        Customer payments
      </PageTab>
      <PageTab link={{ to: PROPOSALS }} isOpen={open === PROPOSALS}>
        Proposed changes
        {count > 0 && <span className={styles.count}>{count}</span>}
      </PageTab>
    </PageTabs>
  );
}
