import { Button } from '@mantine/core';
import type { SortName } from '@parley/contract/endpoint.ts';
import {
  createShortUrl,
  listShortUrls,
  removeShortUrl,
  type ShortUrl,
  updateShortUrl,
} from '@parley/contract/links/links.ts';
import { IconArchive, IconArchiveOff, IconLink, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ExportMenu } from '../exports/ExportMenu.tsx';
import { useAction } from '../kernel/http/query.ts';
import { removeWithUndo } from '../kernel/http/undo.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CREATE_LINK, LINK_DOMAINS, linkPath } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { RowAction } from '../ui/data/table/columns.ts';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Links.module.css';
import { linkState, linkTitle, SOURCE_LABELS, withoutProtocol } from './words.ts';

const FILTERS = ['search', 'sources', 'archived'] as const;

const COLUMNS: Column<ShortUrl, SortName<typeof listShortUrls>>[] = [
  {
    key: 'name',
    title: 'Link',
    fixed: true,
    card: 'title',
    render: (row) => <span className={styles.cut}>{linkTitle(row)}</span>,
  },
  {
    key: 'short_url',
    title: 'Short URL',
    render: (row) =>
      row.short_url ? (
        <CopyId value={row.short_url} label="short URL" text={withoutProtocol(row.short_url)} />
      ) : (
        `One for each of ${formatNumber(row.recipients)} recipient${row.recipients === 1 ? '' : 's'}`
      ),
  },
  { key: 'clicks', title: 'Clicks', align: 'end', render: (row) => formatNumber(row.clicks) },
  { key: 'people', title: 'People', align: 'end', render: (row) => formatNumber(row.unique_clicks) },
  {
    key: 'bots',
    title: 'Bots',
    align: 'end',
    hidden: true,
    narrow: false,
    render: (row) => formatNumber(row.bot_clicks),
  },
  {
    key: 'url',
    title: 'Destination',
    narrow: false,
    render: (row) => <span className={styles.cut}>{withoutProtocol(row.url)}</span>,
  },
  { key: 'source', title: 'Source', hidden: true, narrow: false, render: (row) => SOURCE_LABELS[row.source] },
  {
    key: 'tags',
    title: 'Tags',
    hidden: true,
    narrow: false,
    render: (row) => <span className={styles.cut}>{row.tags.join(', ') || '\u2013'}</span>,
  },
  { key: 'state', title: 'Status', card: 'corner', render: (row) => <StatusBadge {...linkState(row)} /> },
  {
    key: 'created',
    title: 'Created',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

export default function LinksPage() {
  const session = useSession();
  const navigate = useNavigate();
  const list = useList(listShortUrls, { filters: FILTERS, subject: 'The links' });
  const addReason = routeReason({ needs: createShortUrl.needs }, session);
  const actions = useLinkActions();
  const add = (
    <Disabled reason={addReason}>
      <Button component={Link} to={CREATE_LINK} leftSection={<IconPlus size={16} aria-hidden />}>
        Create link
      </Button>
    </Disabled>
  );
  return (
    <>
      <PageHeader
        title="Link management"
        description="Short links, and who opened them. Bots and link previews are counted separately."
        action={add}
        secondary={
          <Button component={Link} to={LINK_DOMAINS} variant="default">
            Domains
          </Button>
        }
      />
      <ListTable
        id="links"
        label="Links"
        noun="links"
        list={list}
        search="Search by name or URL"
        facets={[
          {
            key: 'sources',
            label: 'Source',
            options: Object.entries(SOURCE_LABELS).map(([value, label]) => ({ value, label })),
          },
          { key: 'archived', label: 'Archive', single: true, options: [{ value: 'true', label: 'Archived' }] },
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={linkTitle}
        onOpen={(row) => void navigate({ href: linkPath(row.id) })}
        actions={actions}
        tools={<ExportMenu name="links" list={list} table="links" columns={COLUMNS} />}
        empty={
          <EmptyState icon={IconLink} title="No links yet" action={add}>
            Create a link to share, or write {'{url=https://example.com}'} in a message to give each recipient their own
            link.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconLink} title="No links match these filters">
            Search by part of the name or destination.
          </EmptyState>
        }
      />
    </>
  );
}

function useLinkActions(): RowAction<ShortUrl>[] {
  const editReason = useReason(updateShortUrl.needs);
  const removeReason = useReason(removeShortUrl.needs);
  const archive = useAction(updateShortUrl, {
    onSuccess: ({ data }) => toast.success(data.archived ? 'Link archived' : 'Link restored'),
  });
  return [
    {
      key: 'archive',
      label: 'Archive link',
      icon: IconArchive,
      isOffered: ({ archived }) => !archived,
      reason: () => editReason,
      onSelect: ({ id }) => archive.mutate({ params: { id }, body: { archived: true } }),
    },
    {
      key: 'restore',
      label: 'Restore link',
      icon: IconArchiveOff,
      isOffered: ({ archived }) => archived,
      reason: () => editReason,
      onSelect: ({ id }) => archive.mutate({ params: { id }, body: { archived: false } }),
    },
    {
      key: 'remove',
      label: 'Delete link',
      icon: IconTrash,
      danger: true,
      reason: () => removeReason,
      onSelect: (row) =>
        removeWithUndo({
          id: row.id,
          endpoint: removeShortUrl,
          input: { params: { id: row.id } },
          message: `${linkTitle(row)} was deleted.`,
        }),
    },
  ];
}
