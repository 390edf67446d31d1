import { Button } from '@mantine/core';
import {
  countsSpend,
  createLimit,
  describeLimit,
  LIMIT_STATUS,
  type Limit,
  listLimits,
  updateLimit,
} from '@parley/contract/guard/limits.ts';
import { IconGauge, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { CREATE_SMS_LIMIT, smsLimitPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatMoney, formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import styles from './SmsLimits.module.css';
import { useLimitRemoval } from './useLimitRemoval.ts';

const StopsPart = lazyPart(() => import('../../guard/stops/StopsPart.tsx'));

const FILTERS = [] as const;

const columnsFor = (currency: string): Column<Limit>[] => {
  const money = (micros: number) => formatMoney(micros, currency);
  return [
    {
      key: 'limit',
      title: 'Limit',
      fixed: true,
      card: 'title',
      width: '100%',
      render: (row) => (
        <span className={styles.limit}>
          <span>{describeLimit(row, money)}</span>
          {sourceText(row) && <span className={styles.source}>{sourceText(row)}</span>}
        </span>
      ),
    },
    { key: 'state', title: 'Status', card: 'corner', render: (row) => <StatusBadge {...LIMIT_STATUS[row.state]} /> },
    {
      key: 'used',
      title: 'Used',
      align: 'end',
      render: (row) => (row.used === null ? '–' : countsSpend(row.type) ? money(row.used) : formatNumber(row.used)),
    },
    { key: 'blocked', title: 'Blocked', align: 'end', narrow: false, render: (row) => formatNumber(row.blocked) },
    {
      key: 'action',
      title: 'When reached',
      narrow: false,
      render: (row) => (row.block_traffic ? 'Block traffic' : 'Only notify'),
    },
    { key: 'resets', title: 'Resets', narrow: false, render: (row) => <DateTime value={row.reset_date} /> },
  ];
};

/** The account that set a limit, or the accounts to which it applies. */
export function sourceText({ inherited_from, sub_accounts }: Pick<Limit, 'inherited_from' | 'sub_accounts'>): string {
  if (inherited_from !== null)
    return sub_accounts === 'together'
      ? `Set by ${inherited_from}, counted together with its sub-accounts`
      : `Set by ${inherited_from}`;
  if (sub_accounts === 'each') return 'Also applies to each sub-account';
  return sub_accounts === 'together' ? 'Counted together with all sub-accounts' : '';
}

const inheritedReason = ({ inherited_from }: Limit): string | null =>
  inherited_from === null ? null : `Only ${inherited_from} can change this limit`;

export default function SmsLimitsPage() {
  const session = useSession();
  const navigate = useNavigate();
  const list = useList(listLimits, { filters: FILTERS, subject: 'The SMS limits' });
  const editReason = useReason(updateLimit);
  const { remove, reason: removeReason } = useLimitRemoval();
  const add = (
    <Disabled reason={routeReason({ needs: createLimit.needs }, session)}>
      <Button component={Link} to={CREATE_SMS_LIMIT} leftSection={<IconPlus size={16} aria-hidden />}>
        Create limit
      </Button>
    </Disabled>
  );
  const edit = (row: Limit) => void navigate({ to: smsLimitPath(row.id) });
  return (
    <SettingsLayout title="SMS limits" description="Limits stop unexpected traffic before it costs money." action={add}>
      <ListTable
        id="limits"
        label="SMS limits"
        noun="limits"
        list={list}
        columns={columnsFor(session.account.currency)}
        rowKey={(row) => row.id}
        rowName={(row) => describeLimit(row, (micros) => formatMoney(micros, session.account.currency))}
        {...(editReason === null ? { onOpen: edit } : {})}
        actions={[
          {
            key: 'edit',
            label: 'Edit',
            icon: IconPencil,
            reason: (row) => editReason ?? inheritedReason(row),
            onSelect: edit,
          },
          {
            key: 'delete',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: (row) => removeReason ?? inheritedReason(row),
            onSelect: (row) => void remove(row),
          },
        ]}
        empty={
          <EmptyState icon={IconGauge} title="No SMS limits yet" action={add}>
            Create a limit to block traffic or be notified when messages or spending exceed an amount.
          </EmptyState>
        }
      />
      <Suspense fallback={<SkeletonLines lines={3} />}>
        <StopsPart />
      </Suspense>
    </SettingsLayout>
  );
}
