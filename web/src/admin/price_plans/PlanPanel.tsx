/** A planned price change: its prices, its effect on accounts, and the possible actions. */
import { Button } from '@mantine/core';
import {
  announcePricePlan,
  cancelPricePlan,
  getPricePlan,
  listPlanAccounts,
  type PlanAccount,
  type PricePlan,
} from '@parley/contract/admin/price_plans.ts';
import type { PriceDifference } from '@parley/contract/admin/prices.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { accountPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { priceName } from '../price_list/price_words.ts';
import { ChangePlanForm } from './PlanForm.tsx';

const amount = (micros: number | null, currency: string) =>
  micros === null ? 'none' : <Money micros={micros} currency={currency} exact />;

const PRICES: Column<PriceDifference>[] = [
  { key: 'destination', title: 'Destination', fixed: true, width: '100%', render: (row) => priceName(row) },
  {
    key: 'before',
    title: 'Before',
    align: 'end',
    fixed: true,
    render: (row) => amount(row.before_micros, row.currency),
  },
  { key: 'after', title: 'After', align: 'end', fixed: true, render: (row) => amount(row.after_micros, row.currency) },
];

const ACCOUNTS: Column<PlanAccount>[] = [
  {
    key: 'account',
    title: 'Account',
    fixed: true,
    width: '100%',
    render: (row) => <Link to={accountPath(row.account_id)}>{row.company_name}</Link>,
  },
  { key: 'segments', title: 'Segments', align: 'end', fixed: true, render: (row) => formatNumber(row.segments) },
  {
    key: 'more',
    title: 'Difference',
    align: 'end',
    fixed: true,
    render: (row) => <Money micros={row.after_micros - row.before_micros} currency={row.currency} exact />,
  },
];

export function PlanPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getPricePlan, { params: { id: id ?? '' } }, { enabled: id !== null });
  const plan = query.data?.data;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title="Planned price change"
      description="Applies to new messages from this time on."
    >
      {query.error && <FormProblem>{query.error.message}</FormProblem>}
      {id !== null && !plan && !query.error && <SkeletonLines lines={6} />}
      {id !== null && plan && <PlanDetails key={plan.id} plan={plan} onClose={onClose} />}
    </SidePanel>
  );
}

function PlanDetails({ plan, onClose }: { plan: PricePlan; onClose: () => void }) {
  const [isChanging, setChanging] = useState(false);
  const isOpen = plan.status === 'draft' || plan.status === 'announced';
  return (
    <div className={styles.panelForm}>
      <p>
        {plan.status === 'applied' ? 'In force since' : 'Takes effect'} <DateTime value={plan.effective_date} />.{' '}
        {plan.notice_date === null ? (
          `Notices are sent ${formatCount(plan.notice_days, 'day')} before.`
        ) : (
          <>
            Notices were sent <DateTime value={plan.notice_date} /> to {formatCount(plan.notified_count, 'account')}.
          </>
        )}
      </p>
      <DataTable
        id="planned_prices"
        label="Prices"
        grow
        columns={PRICES}
        rows={plan.differences}
        rowKey={(row) => `${priceName(row)} ${row.currency}`}
        empty={null}
      />
      {plan.prices_count > plan.differences.length && (
        <p className={styles.hint}>{formatCount(plan.prices_count - plan.differences.length, 'more price')} change.</p>
      )}
      <Effects plan={plan} />
      {isOpen && (isChanging ? <ChangePlanForm plan={plan} onDone={() => setChanging(false)} /> : null)}
      {isOpen && !isChanging && <PlanActions plan={plan} onChange={() => setChanging(true)} onClose={onClose} />}
    </div>
  );
}

/** The change in each account's costs, from the messages of the last 30 days. */
function Effects({ plan }: { plan: PricePlan }) {
  const accounts = useEndpoint(listPlanAccounts, { params: { id: plan.id }, query: { page_size: 20 } });
  const rows = accounts.data?.data ?? [];
  return (
    <section className={styles.section} aria-label="Effect">
      <h3>Effect on the traffic from the last 30 days</h3>
      {plan.assess_date === null && <p className={styles.hint}>The effect is being calculated.</p>}
      {plan.assess_date !== null && plan.effects.length === 0 && (
        <p className={styles.hint}>No account sent messages to these destinations.</p>
      )}
      {plan.effects.map((effect) => (
        <p key={effect.currency}>
          {formatCount(effect.accounts_count, 'account')} sent {formatCount(effect.segments, 'segment')} for{' '}
          <Money micros={effect.before_micros} currency={effect.currency} exact />. At the new prices:{' '}
          <Money micros={effect.after_micros} currency={effect.currency} exact />.
        </p>
      ))}
      {rows.length > 0 && (
        <DataTable
          id="price_plan_accounts"
          label="Accounts"
          grow
          columns={ACCOUNTS}
          rows={rows}
          rowKey={(row) => row.account_id}
          empty={null}
        />
      )}
    </section>
  );
}

interface ActionsProps {
  plan: PricePlan;
  onChange: () => void;
  onClose: () => void;
}

function PlanActions({ plan, onChange, onClose }: ActionsProps) {
  const announce = useAction(announcePricePlan, { onSuccess: () => toast.success('The price change is scheduled') });
  const cancel = useAction(cancelPricePlan, {
    onSuccess: () => {
      toast.success('The price change was canceled');
      onClose();
    },
  });
  const isDraft = plan.status === 'draft';
  const start = async () => {
    const confirmed = await confirm({
      title: isDraft ? 'Delete this draft?' : 'Cancel this price change?',
      consequence: isDraft
        ? 'No account has been notified.'
        : 'Accounts that got a notice get an email saying that prices stay the same.',
      action: isDraft ? 'Delete draft' : 'Cancel price change',
    });
    if (confirmed) cancel.mutate({ params: { id: plan.id } });
  };
  return (
    <Allow needs={announcePricePlan.needs}>
      <div>
        <div className={styles.buttons}>
          {isDraft && (
            <Button loading={announce.isPending} onClick={() => announce.mutate({ params: { id: plan.id }, body: {} })}>
              Announce change
            </Button>
          )}
          <Button variant="default" onClick={onChange}>
            Edit change
          </Button>
          <Button variant="default" loading={cancel.isPending} onClick={() => void start()}>
            {isDraft ? 'Delete draft' : 'Cancel change'}
          </Button>
        </div>
        <FormProblem>{announce.error?.message ?? cancel.error?.message}</FormProblem>
      </div>
    </Allow>
  );
}
