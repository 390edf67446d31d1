/** The templates of the company: what is written once and sent often. */

import { Button } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import {
  createTemplate,
  listTemplates,
  removeTemplate,
  type Template,
  updateTemplate,
  WA_CATEGORIES,
} from '@parley/contract/templates/templates.ts';
import { IconCopy, IconPencil, IconPlus, IconTemplate, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { NOTHING_FOUND, nothingYet, SEARCH_DEBOUNCE_MS } from '../channels/compose/template_words.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { CREATE_TEMPLATE, editTemplatePath, LIBRARY, linkTo } from '../paths.ts';
import { ChannelMark } from '../ui/data/ChannelMark.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import tabStyles from '../ui/layout/Tabs.module.css';
import { useRemoveTemplate } from './acts.ts';
import styles from './Library.module.css';
import { SyncButton } from './SyncButton.tsx';
import { TemplatePanel } from './TemplatePanel.tsx';
import { CATEGORY_WORDS, CHANNEL_TABS, CHANNEL_WORDS, lookOf, STATUS_OPTIONS } from './words.ts';

const FILTERS = ['search', 'channel', 'statuses', 'wa_categories'] as const;
const CATEGORIES = WA_CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value].label }));

const COLUMNS: Column<Template>[] = [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    render: (row) => (
      <span className={styles.named}>
        <ChannelMark channel={row.channel} iconOnly />
        <span className={styles.name}>{row.name}</span>
      </span>
    ),
  },
  {
    key: 'wa_category',
    title: 'Category',
    narrow: false,
    render: (row) => (row.wa_category ? CATEGORY_WORDS[row.wa_category].label : '–'),
  },
  {
    key: 'wa_sender_code',
    title: 'WhatsApp sender',
    narrow: false,
    render: (row) => (row.wa_sender_code ? <PhoneNumber value={row.wa_sender_code} /> : '–'),
  },
  {
    key: 'text',
    title: 'Text',
    narrow: false,
    width: '100%',
    render: (row) => <span className={styles.excerpt}>{row.text || '–'}</span>,
  },
  { key: 'status', title: 'Status', fixed: true, render: (row) => <StatusBadge {...lookOf(row)} /> },
  { key: 'create_date', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
];

const channelOf = (given: unknown): ChannelName | null => CHANNEL_TABS.find((one) => one === given) ?? null;

export default function LibraryPage() {
  const { channel: given } = useSearch({ strict: false }) as { channel?: string };
  const channel = channelOf(given);
  const create = linkTo(CREATE_TEMPLATE, channel ? { channel } : {});
  return (
    <>
      <PageHeader
        title="Messages"
        description="Templates: messages written once, looked at where a channel asks for it, and sent often."
        action={
          <Allow needs={createTemplate.needs}>
            <Button component={Link} {...create} leftSection={<IconPlus size={16} aria-hidden />}>
              Create template
            </Button>
          </Allow>
        }
        secondary={channel === 'WHATSAPP' ? <SyncButton /> : undefined}
      >
        <nav aria-label="Channels" className={tabStyles.tabs}>
          {[null, ...CHANNEL_TABS].map((one) => (
            <Link
              key={one ?? 'all'}
              {...linkTo(LIBRARY, one ? { channel: one } : {})}
              className={tabStyles.tab}
              aria-current={one === channel ? 'page' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {one ? CHANNEL_WORDS[one] : 'All'}
            </Link>
          ))}
        </nav>
      </PageHeader>
      <Templates key={channel} channel={channel} />
    </>
  );
}

function Templates({ channel }: { channel: ChannelName | null }) {
  const panel = usePanel();
  const navigate = useNavigate();
  const remove = useRemoveTemplate(panel.close);
  const mayEdit = useReason(updateTemplate.needs);
  const mayAdd = useReason(createTemplate.needs);
  const mayRemove = useReason(removeTemplate.needs);
  const list = useList(listTemplates, {
    filters: FILTERS,
    subject: 'The templates',
    toFilter: ({ search, ...rest }) => ({ ...rest, ...(search ? { name: search } : {}) }),
  });
  const underReview = (row: Template) =>
    row.status === 'IN_PROCESS' ? 'It is being reviewed and cannot be changed until it is decided' : null;
  const actions: RowAction<Template>[] = [
    {
      key: 'edit',
      label: 'Edit',
      icon: IconPencil,
      reason: (row) => mayEdit ?? underReview(row),
      onSelect: (row) => void navigate({ to: editTemplatePath(row) }),
    },
    {
      key: 'copy',
      label: 'Copy',
      icon: IconCopy,
      reason: () => mayAdd,
      isOffered: (row) => row.status !== 'CANCELED',
      onSelect: (row) => void navigate(linkTo(CREATE_TEMPLATE, { from: row.id })),
    },
    {
      key: 'fix',
      label: 'Copy and fix',
      icon: IconCopy,
      reason: () => mayAdd,
      isOffered: (row) => row.status === 'CANCELED',
      onSelect: (row) => void navigate(linkTo(CREATE_TEMPLATE, { from: row.id })),
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: (row) => mayRemove ?? underReview(row),
      onSelect: (row) => void remove(row),
    },
  ];
  const narrowed = list.filter('statuses') !== '' || list.filter('wa_categories') !== '';
  const nothing = (
    <EmptyState
      icon={IconTemplate}
      title={list.filter('search') ? NOTHING_FOUND : nothingYet(channel)}
      action={
        list.filter('search') ? undefined : (
          <Allow needs={createTemplate.needs}>
            <Button component={Link} {...linkTo(CREATE_TEMPLATE, channel ? { channel } : {})}>
              Create template
            </Button>
          </Allow>
        )
      }
    >
      {list.filter('search')
        ? 'Look for another part of its name.'
        : 'Whoever writes a campaign or an answer can take a template instead of writing the text again.'}
    </EmptyState>
  );
  return (
    <>
      <ListTable
        id="templates"
        label="Templates"
        noun="templates"
        list={list}
        search="Search by name"
        search_debounce_ms={SEARCH_DEBOUNCE_MS}
        facets={[
          { key: 'statuses', label: 'Status', options: STATUS_OPTIONS },
          ...(channel === null || channel === 'WHATSAPP'
            ? [{ key: 'wa_categories', label: 'Category', options: CATEGORIES }]
            : []),
        ]}
        columns={
          channel === null || channel === 'WHATSAPP' ? COLUMNS : COLUMNS.filter(({ key }) => !key.startsWith('wa_'))
        }
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        empty={nothing}
        emptyFiltered={
          narrowed && !list.filter('search') ? (
            <EmptyState icon={IconTemplate} title="Nothing fits">
              Take a filter away to see the others.
            </EmptyState>
          ) : (
            nothing
          )
        }
      />
      <TemplatePanel id={panel.id} onClose={panel.close} onRemove={(template) => void remove(template)} />
    </>
  );
}
