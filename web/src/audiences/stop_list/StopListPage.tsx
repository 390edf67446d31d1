import { Button } from '@mantine/core';
import {
  createStopListEntry,
  listStopList,
  removeStopListEntry,
  type StopListEntry,
} from '@parley/contract/audiences/stop_list.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconArrowBackUp, IconBan, IconFileUpload, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { BulkProgress } from '../../bulk/BulkProgress.tsx';
import { bulkAction } from '../../bulk/bulk_action.ts';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { removeWithUndo } from '../../kernel/http/undo.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { type List, useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { ADD_STOP, IMPORT_STOPS } from '../../paths.ts';
import { senderLabel, useSenderSearch } from '../../senders/SenderSelect.tsx';
import { confirmRemoval, REASON_LABELS, removalQuestion, removedText } from '../../senders/stop_list_labels.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { StopPanel } from './StopPanel.tsx';

const FILTERS = ['search', 'sender_id'] as const;

const COLUMNS: Column<StopListEntry, SortName<typeof listStopList>>[] = [
  { key: 'number', title: 'Number', sort: 'number', fixed: true, render: (row) => <PhoneNumber value={row.number} /> },
  { key: 'sender', title: 'Blocked for', fixed: true, render: (row) => row.sender_name ?? 'Every sender' },
  { key: 'reason', title: 'Reason', card: 'corner', narrow: false, render: (row) => REASON_LABELS[row.reason] },
  {
    key: 'text',
    title: 'Message text',
    card: 'subtitle',
    renderCard: (row) => row.text,
    narrow: false,
    render: (row) => (row.text ? <span className={styles.cut}>{row.text}</span> : '\u2013'),
  },
  {
    key: 'since',
    title: 'Since',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

export default function StopListPage() {
  const session = useSession();
  const panel = usePanel();
  const list = useList(listStopList, { filters: FILTERS, subject: 'The stop list' });
  const addReason = routeReason({ needs: createStopListEntry.needs }, session);
  const removeReason = useReason(removeStopListEntry.needs);
  const facets = useSenderFacet(list);
  const remove = async (row: StopListEntry) => {
    if (!(await confirmRemoval(row))) return;
    if (panel.id) panel.close();
    const { id } = row;
    removeWithUndo({ id, endpoint: removeStopListEntry, input: { params: { id } }, message: removedText(row) });
  };
  const add = (
    <Disabled reason={addReason}>
      <Button component={Link} to={ADD_STOP} leftSection={<IconPlus size={16} aria-hidden />}>
        Add contact
      </Button>
    </Disabled>
  );
  const opened = list.rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <PageHeader
        title="Stop list"
        description="Numbers that do not receive your messages, on any channel."
        secondary={<ImportButton reason={addReason} />}
        action={add}
      />
      <BulkProgress name="remove_stop_list_entries" />
      <ListTable
        id="stop_list"
        label="Stop list"
        noun="numbers"
        list={list}
        search="Search by number"
        facets={facets}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `+${row.number}`}
        tools={<ExportMenu name="stop_list" list={list} table="stop_list" columns={COLUMNS} />}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            key: 'remove',
            label: 'Remove from the stop list',
            icon: IconArrowBackUp,
            reason: () => removeReason,
            onSelect: (row) => void remove(row),
          },
        ]}
        bulk={[
          bulkAction<StopListEntry>({
            name: 'remove_stop_list_entries',
            label: 'Remove from the stop list',
            icon: IconArrowBackUp,
            reason: removeReason,
            onOne: (row) => void remove(row),
            question: removalQuestion,
          }),
        ]}
        empty={
          <EmptyState icon={IconBan} title="The stop list is empty" action={add}>
            People who reply STOP are added automatically, for the sender they replied to. You can also add numbers
            yourself.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconBan} title="No numbers match these filters">
            Search by the start of a number, including the country code.
          </EmptyState>
        }
      />
      <StopPanel entry={opened} onClose={panel.close} onRemove={(row) => void remove(row)} />
    </>
  );
}

function ImportButton({ reason }: { reason: string | null }) {
  return (
    <Disabled reason={reason}>
      <Button
        variant="default"
        component={Link}
        to={IMPORT_STOPS}
        leftSection={<IconFileUpload size={16} aria-hidden />}
      >
        Import a file
      </Button>
    </Disabled>
  );
}

/** The filter by sender. The selected sender keeps its name even if the search does not find it. */
function useSenderFacet(list: List<StopListEntry>) {
  const [search, setSearch] = useState('');
  const { answer } = useSenderSearch({}, search);
  const selected = list.rows?.find(
    ({ sender_id }) => sender_id !== null && list.filterList('sender_id').includes(sender_id),
  );
  return [
    {
      key: 'sender_id',
      label: 'Sender',
      single: true,
      options: [
        { value: 'all', label: 'Every sender' },
        ...(selected?.sender_id ? [{ value: selected.sender_id, label: selected.sender_name ?? '' }] : []),
        ...(answer.data?.data ?? [])
          .filter(({ id }) => id !== selected?.sender_id)
          .map((sender) => ({ value: sender.id, label: senderLabel(sender) })),
      ],
      onSearch: setSearch,
    },
  ];
}
