import { Button } from '@mantine/core';
import {
  type Audience,
  type Contact,
  createContact,
  listContacts,
  removeContact,
} from '@parley/contract/audiences/audiences.ts';
import { createImport } from '@parley/contract/audiences/imports.ts';
import { IconFileUpload, IconPencil, IconTrash, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { AUDIENCES, addContactPath, importIntoPath, linkToAddress } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { ContactPanel, nameOf } from '../contacts/ContactPanel.tsx';
import { useRemoveContacts } from '../contacts/remove_contacts.ts';
import { OfAudience } from '../OfAudience.tsx';
import { AudienceMenu } from './AudienceMenu.tsx';

const FILTERS = ['search'] as const;
const text = (value: string) => (value ? <span className={styles.cut}>{value}</span> : '\u2013');

const COLUMNS: Column<Contact>[] = [
  { key: 'number', title: 'Number', fixed: true, render: (row) => <PhoneNumber value={row.number} /> },
  { key: 'first_name', title: 'First name', fixed: true, render: (row) => text(row.first_name) },
  { key: 'last_name', title: 'Last name', narrow: false, render: (row) => text(row.last_name) },
  { key: 'custom1', title: 'Custom 1', narrow: false, render: (row) => text(row.custom1) },
  { key: 'custom2', title: 'Custom 2', narrow: false, render: (row) => text(row.custom2) },
  { key: 'added', title: 'Added', narrow: false, hidden: true, render: (row) => <DateTime value={row.create_date} /> },
];

export default function AudiencePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return <OfAudience id={id}>{(audience) => <Loaded key={audience.id} audience={audience} />}</OfAudience>;
}

function Loaded({ audience }: { audience: Audience }) {
  const navigate = useNavigate();
  const session = useSession();
  const panel = usePanel();
  const list = useList(listContacts, { filters: FILTERS, params: { id: audience.id }, subject: 'The contacts' });
  const remove = useRemoveContacts(audience);
  const mayRemove = useReason(removeContact.needs);
  const mayEdit = routeReason({ needs: createContact.needs }, session);
  const mayImport = routeReason({ needs: createImport.needs }, session);
  const opened = list.rows?.find((row) => row.id === panel.id) ?? null;
  const importFile = (
    <Disabled reason={mayImport}>
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
  const add = (
    <Disabled reason={mayEdit}>
      <Button component={Link} to={addContactPath(audience.id)} leftSection={<IconUserPlus size={16} aria-hidden />}>
        Add contact
      </Button>
    </Disabled>
  );
  const actions: RowAction<Contact>[] = [
    { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => mayEdit, onSelect: (row) => panel.open(row.id) },
    {
      key: 'remove',
      label: 'Remove',
      icon: IconTrash,
      danger: true,
      reason: () => mayRemove,
      onSelect: (row) => void remove([row]),
    },
  ];
  return (
    <>
      <Back to={AUDIENCES}>Audiences</Back>
      <PageHeader
        title={audience.name}
        description={
          <>
            {formatCount(audience.contacts_count, 'contact')}, created <DateTime value={audience.create_date} />
          </>
        }
        secondary={
          <>
            <AudienceMenu audience={audience} leave={() => navigate({ to: AUDIENCES })} />
            {importFile}
          </>
        }
        action={add}
      />
      <ListTable
        id="contacts"
        label="Contacts"
        noun="contacts"
        list={list}
        search="Search by number or name"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={nameOf}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        bulk={[
          {
            key: 'remove',
            label: 'Remove',
            icon: IconTrash,
            danger: true,
            reason: () => mayRemove,
            onSelect: (rows, clear) => void remove(rows).then((done) => done && clear()),
          },
        ]}
        empty={
          <EmptyState icon={IconUsers} title="Nobody is in this audience yet" action={importFile}>
            Import a CSV or Excel file, or add people one by one.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconUsers} title="Nobody like this in the audience">
            Numbers are found by their beginning, with the country code. Names by any part.
          </EmptyState>
        }
      />
      <ContactPanel contact={opened} onClose={panel.close} />
    </>
  );
}
