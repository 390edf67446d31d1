import { Button } from '@mantine/core';
import { type ApiKey, createKey, KEY_STATUS, listKeys, updateKey } from '@parley/contract/keys/keys.ts';
import { IconKey, IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CREATE_KEY, editKeyPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Keys.module.css';
import { RotateDialog } from './RotateDialog.tsx';
import { presetLabel } from './scopes.ts';
import { useKeyRemoval } from './useKeyRemoval.ts';

const FILTERS = ['search'] as const;

const COLUMNS: Column<ApiKey>[] = [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    card: 'title',
    width: '100%',
    render: (row) => (
      <>
        {row.name} {row.test && <ToneBadge tone="wait">Test</ToneBadge>}
      </>
    ),
  },
  {
    key: 'key',
    title: 'Key',
    fixed: true,
    card: 'subtitle',
    render: (row) => <code className={styles.key}>{row.key}</code>,
    renderCard: (row) => row.key,
  },
  {
    key: 'state',
    title: 'Status',
    card: 'corner',
    render: (row) => <StatusBadge {...KEY_STATUS[row.state]} />,
  },
  {
    key: 'scopes',
    title: 'Scopes',
    narrow: false,
    render: (row) => <span className={styles.scopes}>{presetLabel(row.permissions)}</span>,
  },
  {
    key: 'used',
    title: 'Last used',
    narrow: false,
    render: (row) => (row.last_used_date ? <DateTime value={row.last_used_date} /> : 'Never'),
  },
  {
    key: 'expires',
    title: 'Expires',
    narrow: false,
    render: (row) => (row.expire_date ? <DateTime value={row.expire_date} /> : 'Never'),
  },
  { key: 'created', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
];

export default function KeysPage() {
  const session = useSession();
  const navigate = useNavigate();
  const list = useList(listKeys, { filters: FILTERS, subject: 'The API keys' });
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const editReason = useReason(updateKey);
  const { remove, reason: removeReason } = useKeyRemoval();
  const add = (
    <Disabled reason={routeReason({ needs: createKey.needs }, session)}>
      <Button component={Link} to={CREATE_KEY} leftSection={<IconPlus size={16} aria-hidden />}>
        Create API key
      </Button>
    </Disabled>
  );
  const edit = (row: ApiKey) => void navigate({ to: editKeyPath(row.id) });
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs use keys to call the API on behalf of your company."
        action={add}
      />
      <ListTable
        id="keys"
        label="API keys"
        noun="keys"
        list={list}
        search="Name or last four characters"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        {...(editReason === null ? { onOpen: edit } : {})}
        actions={[
          { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => editReason, onSelect: edit },
          { key: 'rotate', label: 'Rotate', icon: IconRefresh, reason: () => editReason, onSelect: setRotating },
          {
            key: 'delete',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: () => removeReason,
            onSelect: (row) => void remove(row),
          },
        ]}
        empty={
          <EmptyState icon={IconKey} title="No API keys yet" action={add}>
            Create a key to send messages from your own program.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconKey} title="No API keys match this search">
            Search by a key’s name or its last four characters.
          </EmptyState>
        }
      />
      <RotateDialog apiKey={rotating} onClose={() => setRotating(null)} />
    </>
  );
}
