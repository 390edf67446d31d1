import { Button } from '@mantine/core';
import {
  type Audience,
  type Contact,
  createContact,
  listContacts,
  removeContact,
} from '@parley/contract/audiences/audiences.ts';
import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { fieldText } from '@parley/contract/audiences/field_values.ts';
import { createImport } from '@parley/contract/audiences/imports.ts';
import { ID_CHANNELS, idColumn, PERSON_IDS } from '@parley/contract/channels/person_ids.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconFileUpload, IconFilter, IconPencil, IconTrash, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { BulkProgress } from '../../bulk/BulkProgress.tsx';
import { bulkAction } from '../../bulk/bulk_action.ts';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import {
  AUDIENCES,
  addContactPath,
  editConditionsPath,
  importIntoPath,
  linkToAddress,
  personPath,
} from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AudienceRecord } from '../AudienceRecord.tsx';
import styles from '../Audiences.module.css';
import { ContactPanel, contactName, removeContactWithUndo } from '../contacts/ContactPanel.tsx';
import { useContactFields } from '../people/contact_fields.ts';
import { AudienceMenu } from './AudienceMenu.tsx';

const ConditionSummary = lazy(() => import('../dynamic/ConditionSummary.tsx'));

const FILTERS = ['search'] as const;
const text = (value: string) => (value ? <bdi className={styles.cut}>{value}</bdi> : '\u2013');

const COLUMNS: Column<Contact, SortName<typeof listContacts>>[] = [
  {
    key: 'number',
    title: 'Number',
    sort: 'number',
    card: 'subtitle',
    fixed: true,
    render: (row) => <PhoneNumber value={row.number} />,
  },
  {
    key: 'first_name',
    title: 'First name',
    sort: 'first_name',
    fixed: true,
    render: (row) => text(row.first_name),
    card: 'title',
    renderCard: contactName,
  },
  {
    key: 'last_name',
    title: 'Last name',
    sort: 'last_name',
    card: 'hidden',
    narrow: false,
    render: (row) => text(row.last_name),
  },
  { key: 'custom1', title: 'Custom 1', narrow: false, render: (row) => text(row.custom1) },
  { key: 'custom2', title: 'Custom 2', narrow: false, render: (row) => text(row.custom2) },
  { key: 'tags', title: 'Tags', narrow: false, render: (row) => text(row.tags.join(', ')) },
  ...ID_CHANNELS.map((channel) => ({
    key: idColumn(channel),
    title: PERSON_IDS[channel]!.label,
    narrow: false,
    hidden: true,
    render: (row: Contact) => text(row.channel_ids[channel] ?? ''),
  })),
  {
    key: 'added',
    title: 'Added',
    sort: 'create_date',
    narrow: false,
    hidden: true,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

/** The account's own fields are columns that users can turn on. */
const withFields = (fields: readonly ContactField[]): typeof COLUMNS => [
  ...COLUMNS,
  ...fields.map(({ key, label }) => ({
    key: `fields.${key}`,
    title: label,
    narrow: false,
    hidden: true,
    render: (row: Contact) => text(fieldText(row.fields[key])),
  })),
];

export default function AudiencePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return (
    <AudienceRecord id={id}>{(audience) => <AudienceContacts key={audience.id} audience={audience} />}</AudienceRecord>
  );
}

function AudienceContacts({ audience }: { audience: Audience }) {
  const panel = usePanel();
  const navigate = useNavigate();
  const isDynamic = audience.conditions !== null;
  const openPerson = (row: Contact) => void navigate({ href: personPath(row.person_id) });
  const fields = useContactFields();
  const columns = useMemo(() => withFields(fields), [fields]);
  const list = useList(listContacts, { filters: FILTERS, params: { id: audience.id }, subject: 'The contacts' });
  const removeReason = useReason(removeContact.needs);
  const editReason = routeReason({ needs: createContact.needs }, useSession());
  const opened = list.rows?.find((row) => row.id === panel.id) ?? null;
  const actions: RowAction<Contact>[] = [
    { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => editReason, onSelect: (row) => panel.open(row.id) },
    {
      key: 'remove',
      label: 'Remove',
      icon: IconTrash,
      danger: true,
      reason: () => removeReason,
      onSelect: removeContactWithUndo,
    },
  ];
  const removeSelected = bulkAction<Contact>({
    name: 'remove_contacts',
    params: { id: audience.id },
    label: 'Remove',
    icon: IconTrash,
    danger: true,
    reason: removeReason,
    onOne: removeContactWithUndo,
    question: (rows) => ({
      title: `Remove ${rows} from ${audience.name}?`,
      consequence: 'Their details in this audience will be deleted. Conversations and messages are kept.',
      action: `Remove ${rows}`,
    }),
  });
  return (
    <>
      <Back to={AUDIENCES}>Audiences</Back>
      <AudienceHeader audience={audience} />
      {audience.conditions && (
        <Suspense fallback={null}>
          <ConditionSummary conditions={audience.conditions} />
        </Suspense>
      )}
      <BulkProgress name="remove_contacts" params={{ id: audience.id }} />
      <ListTable
        id="contacts"
        label="Contacts"
        noun="contacts"
        list={list}
        search="Search by number or name"
        columns={columns}
        rowKey={(row) => row.id}
        rowName={contactName}
        tools={
          <ExportMenu name="contacts" list={list} table="contacts" columns={columns} params={{ id: audience.id }} />
        }
        onOpen={(row) => (isDynamic ? openPerson(row) : panel.open(row.id))}
        openKey={panel.id}
        actions={isDynamic ? [] : actions}
        bulk={isDynamic ? [] : [removeSelected]}
        empty={<NoContacts audience={audience} />}
        emptyFiltered={
          <EmptyState icon={IconUsers} title="No contacts match this search">
            Search by the start of a number, including the country code, or by any part of a name.
          </EmptyState>
        }
      />
      <ContactPanel contact={opened} onClose={panel.close} />
    </>
  );
}

function NoContacts({ audience }: { audience: Audience }) {
  if (audience.conditions)
    return (
      <EmptyState icon={IconUsers} title="No people match the conditions">
        People appear here as soon as they match.
      </EmptyState>
    );
  return (
    <EmptyState icon={IconUsers} title="No contacts yet" action={<ImportButton audience={audience} />}>
      Import a CSV or Excel file, or add contacts one by one.
    </EmptyState>
  );
}

function AudienceHeader({ audience }: { audience: Audience }) {
  const navigate = useNavigate();
  const addReason = routeReason({ needs: createContact.needs }, useSession());
  return (
    <PageHeader
      title={audience.name}
      description={
        <>
          {audience.conditions ? 'Dynamic audience' : formatCount(audience.contacts_count, 'contact')}, created{' '}
          <DateTime value={audience.create_date} />
        </>
      }
      secondary={
        <>
          <AudienceMenu audience={audience} leave={() => navigate({ to: AUDIENCES })} />
          {!audience.conditions && <ImportButton audience={audience} />}
        </>
      }
      action={
        <Disabled reason={addReason}>
          {audience.conditions ? (
            <Button
              component={Link}
              to={editConditionsPath(audience.id)}
              leftSection={<IconFilter size={16} aria-hidden />}
            >
              Edit conditions
            </Button>
          ) : (
            <Button
              component={Link}
              to={addContactPath(audience.id)}
              leftSection={<IconUserPlus size={16} aria-hidden />}
            >
              Add contact
            </Button>
          )}
        </Disabled>
      }
    />
  );
}

function ImportButton({ audience }: { audience: Audience }) {
  const importReason = routeReason({ needs: createImport.needs }, useSession());
  return (
    <Disabled reason={importReason}>
      <Button
        variant="default"
        component={Link}
        {...linkToAddress(importIntoPath(audience.id))}
        leftSection={<IconFileUpload size={16} aria-hidden />}
      >
        Import a file
      </Button>
    </Disabled>
  );
}
