import { Button } from '@mantine/core';
import {
  createOptInForm,
  listOptInForms,
  type OptInForm,
  removeOptInForm,
  updateOptInForm,
} from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { IconForms, IconPlayerPause, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { AUDIENCES, CREATE_OPT_IN_FORM, optInFormPath } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './OptIn.module.css';
import { formState, withoutProtocol } from './words.ts';

const FILTERS = ['audience_id'] as const;
const COLUMNS: Column<OptInForm>[] = [
  {
    key: 'name',
    title: 'Form',
    fixed: true,
    card: 'title',
    render: (row) => <span className={styles.cut}>{row.name}</span>,
  },
  { key: 'audience', title: 'Audience', render: (row) => <span className={styles.cut}>{row.audience_name}</span> },
  { key: 'status', title: 'Status', card: 'corner', render: (row) => <StatusBadge {...formState(row)} /> },
  { key: 'views', title: 'Views', align: 'end', render: (row) => formatNumber(row.views) },
  { key: 'started', title: 'Started', align: 'end', render: (row) => formatNumber(row.started) },
  { key: 'confirmed', title: 'Confirmed', align: 'end', render: (row) => formatNumber(row.confirmed) },
  {
    key: 'url',
    title: 'Address',
    narrow: false,
    render: (row) => (
      <span className={styles.cut}>
        <CopyId value={row.url} label="address" text={withoutProtocol(row.url)} />
      </span>
    ),
    renderCard: (row) => <CopyId value={row.url} label="address" text={withoutProtocol(row.url)} />,
  },
  { key: 'created', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
];

export default function OptInFormsPage() {
  const navigate = useNavigate();
  const list = useList(listOptInForms, { filters: FILTERS, subject: 'The opt-in forms' });
  const addReason = routeReason({ needs: createOptInForm.needs }, useSession());
  const actions = useFormActions();
  const add = (
    <Disabled reason={addReason}>
      <Button component={Link} to={CREATE_OPT_IN_FORM} leftSection={<IconPlus size={16} aria-hidden />}>
        Create form
      </Button>
    </Disabled>
  );
  return (
    <>
      <Back to={AUDIENCES}>Audiences</Back>
      <PageHeader
        title="Opt-in forms"
        description="Public pages where people join an audience. A code confirms their number."
        action={add}
      />
      <ListTable
        id="opt_in_forms"
        label="Opt-in forms"
        noun="forms"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => void navigate({ href: optInFormPath(row.id) })}
        actions={actions}
        empty={
          <EmptyState icon={IconForms} title="No opt-in forms yet" action={add}>
            Create one and share its address or QR code.
          </EmptyState>
        }
      />
    </>
  );
}

function useFormActions(): RowAction<OptInForm>[] {
  const update = useAction(updateOptInForm);
  const editReason = useReason(updateOptInForm.needs);
  const { confirmRemove, reason } = useRemoveForm();
  const setStatus = (row: OptInForm, status: OptInForm['status']) =>
    update.mutate({ params: { id: row.id }, body: { status } });
  return [
    {
      key: 'pause',
      label: 'Pause',
      icon: IconPlayerPause,
      reason: (row) => editReason ?? (row.status === 'paused' ? 'The form is paused.' : null),
      onSelect: (row) => setStatus(row, 'paused'),
    },
    {
      key: 'resume',
      label: 'Resume',
      icon: IconPlayerPlay,
      reason: (row) => editReason ?? (row.status === 'active' ? 'The form is active.' : null),
      onSelect: (row) => setStatus(row, 'active'),
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: () => reason,
      onSelect: (row) => void confirmRemove(row),
    },
  ];
}

function useRemoveForm() {
  const remove = useAction(removeOptInForm, { onSuccess: () => toast.success('Opt-in form deleted') });
  return {
    reason: useReason(removeOptInForm.needs),
    async confirmRemove({ id, name }: OptInForm) {
      const confirmed = await confirm({
        title: `Delete the opt-in form “${name}”?`,
        consequence:
          'Its address and printed QR codes stop working, and its figures are deleted. ' +
          'People who joined and their consents are kept.',
        action: 'Delete form',
        danger: true,
      });
      if (confirmed) remove.mutate({ params: { id } });
    },
  };
}
