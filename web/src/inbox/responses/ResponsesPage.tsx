import { Button } from '@mantine/core';
import {
  createResponse,
  getResponse,
  listResponseFolders,
  listResponses,
  removeResponse,
  type SavedResponse,
  updateResponse,
} from '@parley/contract/inbox/responses.ts';
import { IconMessageReply, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { removeWithUndo } from '../../kernel/http/undo.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from './Responses.module.css';

const ResponseDialog = lazyPart(() => import('./ResponseDialog.tsx'));

const FILTERS = ['search', 'folder'] as const;

const visibility = ({ shared }: SavedResponse): string => (shared ? 'Shared' : 'Private');

const COLUMNS: Column<SavedResponse>[] = [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    card: 'title',
    renderCard: (row) => <bdi>{row.name}</bdi>,
    render: (row) => <bdi className={`${styles.cut} ${styles.name}`}>{row.name}</bdi>,
  },
  {
    key: 'text',
    title: 'Text',
    card: 'subtitle',
    renderCard: (row) => row.text,
    render: (row) => (
      <span className={styles.cut} dir="auto">
        {row.text}
      </span>
    ),
  },
  { key: 'folder', title: 'Folder', narrow: false, render: (row) => <bdi>{row.folder ?? '–'}</bdi> },
  { key: 'shortcut', title: 'Shortcut', render: (row) => <bdi>{row.shortcut ? `/${row.shortcut}` : '–'}</bdi> },
  { key: 'shared', title: 'Visibility', card: 'corner', narrow: false, render: visibility },
  { key: 'user', title: 'Created by', narrow: false, render: (row) => <bdi>{row.user_name}</bdi> },
  { key: 'uses', title: 'Uses', narrow: false, render: (row) => formatNumber(row.usage_count) },
  {
    ...{ key: 'date', title: 'Created', narrow: false, hidden: true },
    render: (row) => <DateTime value={row.create_date} />,
  },
];

export default function ResponsesPage() {
  const panel = usePanel();
  const list = useList(listResponses, { filters: FILTERS, subject: 'The responses' });
  const folders = useEndpoint(listResponseFolders).data?.data ?? [];
  const [edited, setEdited] = useState<SavedResponse | 'new' | null>(null);
  const removeReason = useReason(removeResponse.needs);
  const updateReason = useReason(updateResponse.needs);
  const othersReasons = { remove: useReason('MESSAGES:delete'), update: useReason('MESSAGES:edit') };
  const remove = (row: SavedResponse) => {
    if (panel.id) panel.close();
    const { id, name } = row;
    removeWithUndo({
      id,
      endpoint: removeResponse,
      input: { params: { id } },
      message: `The response "${name}" was deleted.`,
    });
  };
  const create = (
    <Allow needs={createResponse.needs}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
        Create response
      </Button>
    </Allow>
  );
  return (
    <>
      <PageHeader title="Responses" description="Saved texts that your team inserts into replies." action={create} />
      <ListTable
        id="responses"
        label="Responses"
        noun="responses"
        list={list}
        search="Search responses"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            ...{ key: 'edit', label: 'Edit', icon: IconPencil, onSelect: setEdited },
            reason: (row) => updateReason ?? (row.is_own ? null : othersReasons.update),
          },
          {
            ...{ key: 'delete', label: 'Delete', icon: IconTrash, danger: true, onSelect: remove },
            reason: (row) => removeReason ?? (row.is_own ? null : othersReasons.remove),
          },
        ]}
        facets={[
          {
            ...{ key: 'folder', label: 'Folder', single: true },
            options: folders.map(({ name, responses }) => ({ value: name, label: `${name} (${responses})` })),
          },
        ]}
        empty={
          <EmptyState icon={IconMessageReply} title="No responses yet" action={create}>
            Save a text that you send often. In a conversation, type / to insert it.
          </EmptyState>
        }
      />
      <ResponsePanel id={panel.id} onClose={panel.close} />
      {edited && (
        <Suspense>
          <ResponseDialog response={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  );
}

function ResponsePanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getResponse, { params: { id: id ?? '' } }, { enabled: id !== null });
  const response = id === null ? undefined : query.data?.data;
  return (
    <SidePanel open={id !== null} onClose={onClose} title={response?.name ?? 'Response'} recordId={response?.id}>
      {query.error ? (
        <EmptyState icon={IconMessageReply} title="Response not found">
          It has been deleted, or it is private.
        </EmptyState>
      ) : response ? (
        <>
          <p className={styles.text} dir="auto">
            {response.text}
          </p>
          <Fields
            fields={[
              { label: 'Folder', value: response.folder ? <bdi>{response.folder}</bdi> : 'None' },
              { label: 'Shortcut', value: response.shortcut ? <bdi>/{response.shortcut}</bdi> : 'None' },
              { label: 'Visibility', value: visibility(response) },
              { label: 'Created by', value: <bdi>{response.user_name}</bdi> },
              { label: 'Uses', value: formatNumber(response.usage_count) },
              {
                label: 'Last used',
                value: response.last_use_date ? <DateTime value={response.last_use_date} /> : 'Never',
              },
              { label: 'Created', value: <DateTime value={response.create_date} /> },
            ]}
          />
        </>
      ) : (
        <SkeletonLines lines={4} />
      )}
    </SidePanel>
  );
}
