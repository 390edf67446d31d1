import { Button } from '@mantine/core';
import { type Audience, createAudience, listAudiences, updateAudience } from '@parley/contract/audiences/audiences.ts';
import { createImport } from '@parley/contract/audiences/imports.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import {
  IconExternalLink,
  IconFileUpload,
  IconForms,
  IconHistory,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import {
  addContactPath,
  audiencePath,
  CONTACT_FIELDS,
  CREATE_AUDIENCE,
  IMPORTS,
  importIntoPath,
  OPT_IN_FORMS,
  renameAudiencePath,
} from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { useRemoveAudience } from './remove.ts';

const FILTERS = ['search'] as const;
const BY_CONDITIONS = 'Conditions determine who is in a dynamic audience';

const COLUMNS: Column<Audience, SortName<typeof listAudiences>>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    fixed: true,
    render: (row) => (
      <span className={styles.named}>
        <bdi className={styles.name}>{row.name}</bdi>
        {row.conditions && <span className={styles.kind}>Dynamic</span>}
      </span>
    ),
  },
  {
    key: 'contacts',
    title: 'Contacts',
    sort: 'contacts_count',
    align: 'end',
    fixed: true,
    render: (row) => (
      <Figure href={audiencePath(row.id)} label={`${formatCount(row.contacts_count, 'contact')} in ${row.name}`}>
        {formatNumber(row.contacts_count)}
      </Figure>
    ),
  },
  { key: 'channel', title: 'Channel', narrow: false, hidden: true, render: (row) => row.channel },
  {
    key: 'created',
    title: 'Created',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
  {
    key: 'changed',
    title: 'Last changed',
    sort: 'update_date',
    narrow: false,
    render: (row) => <DateTime value={row.update_date} />,
  },
];

export default function AudiencesPage() {
  const navigate = useNavigate();
  const session = useSession();
  const list = useList(listAudiences, { filters: FILTERS, subject: 'The audiences' });
  const addReason = routeReason({ needs: createAudience.needs }, session);
  const create = (
    <Disabled reason={addReason}>
      <Button component={Link} to={CREATE_AUDIENCE} leftSection={<IconPlus size={16} aria-hidden />}>
        Create audience
      </Button>
    </Disabled>
  );
  const actions = useRowActions();
  return (
    <>
      <PageHeader
        title="Audiences"
        description="Lists of contacts for your campaigns."
        secondary={
          <>
            <Button
              variant="default"
              component={Link}
              to={CONTACT_FIELDS}
              leftSection={<IconForms size={16} aria-hidden />}
            >
              Fields
            </Button>
            <Button variant="default" component={Link} to={OPT_IN_FORMS}>
              Opt-in forms
            </Button>
            <Button variant="default" component={Link} to={IMPORTS} leftSection={<IconHistory size={16} aria-hidden />}>
              Imports
            </Button>
          </>
        }
        action={create}
      />
      <ListTable
        id="audiences"
        label="Audiences"
        noun="audiences"
        list={list}
        search="Search by name"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => void navigate({ href: audiencePath(row.id) })}
        actions={actions}
        empty={
          <EmptyState icon={IconUsers} title="No audiences yet" action={create}>
            Audiences are lists of contacts for your campaigns. Upload a CSV or Excel file, or add contacts one by one.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconUsers} title="No audiences match this search">
            Clear the search or try another name.
          </EmptyState>
        }
      />
    </>
  );
}

function useRowActions(): RowAction<Audience>[] {
  const navigate = useNavigate();
  const session = useSession();
  const remove = useRemoveAudience();
  const importReason = routeReason({ needs: createImport.needs }, session);
  const editReason = routeReason({ needs: updateAudience.needs }, session);
  const go = (path: string) => void navigate({ href: path });
  return [
    { key: 'open', label: 'Open', icon: IconExternalLink, onSelect: (row) => go(audiencePath(row.id)) },
    {
      key: 'import',
      label: 'Import a file',
      icon: IconFileUpload,
      reason: (row) => (row.conditions ? BY_CONDITIONS : importReason),
      onSelect: (row) => go(importIntoPath(row.id)),
    },
    {
      key: 'add',
      label: 'Add contact',
      icon: IconUserPlus,
      reason: (row) => (row.conditions ? BY_CONDITIONS : editReason),
      onSelect: (row) => go(addContactPath(row.id)),
    },
    {
      key: 'rename',
      label: 'Rename',
      icon: IconPencil,
      reason: () => editReason,
      onSelect: (row) => go(renameAudiencePath(row.id)),
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: () => remove.reason,
      onSelect: (row) => void remove.confirmRemove(row),
    },
  ];
}
