/** The list of templates. */

import { Button } from '@mantine/core';
import { ALL_CHANNELS, channelRules, channelsWith } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
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
import { BulkProgress } from '../bulk/BulkProgress.tsx';
import { bulkAction } from '../bulk/bulk_action.ts';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { NO_TEMPLATE_FOUND, noTemplatesYet, SEARCH_DEBOUNCE_MS } from '../channels/compose/template_words.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { CREATE_TEMPLATE, editTemplatePath, LIBRARY, linkTo } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';
import { removeQuestion, useRemoveTemplate } from './remove.ts';
import { SyncButton } from './SyncButton.tsx';
import { TemplatePanel } from './TemplatePanel.tsx';
import styles from './Templates.module.css';
import { CATEGORIES, STATUS_OPTIONS, statusBadge } from './words.ts';

const FILTERS = ['search', 'channel', 'statuses', 'wa_categories'] as const;
const STATUS_FACET = { key: 'statuses', label: 'Status', options: STATUS_OPTIONS };
const CATEGORY_FACET = {
  key: 'wa_categories',
  label: 'Category',
  options: WA_CATEGORIES.map((value) => ({ value, label: CATEGORIES[value].label })),
};

const COLUMNS: Column<Template, SortName<typeof listTemplates>>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    fixed: true,
    render: (row) => (
      <span className={styles.named}>
        <ChannelMark channel={row.channel} iconOnly />
        <bdi className={styles.name}>{row.name}</bdi>
      </span>
    ),
  },
  {
    key: 'wa_category',
    title: 'Category',
    sort: 'wa_category',
    narrow: false,
    render: (row) => (row.wa_category ? CATEGORIES[row.wa_category].label : '–'),
  },
  {
    key: 'wa_sender_code',
    title: 'Sender',
    narrow: false,
    render: (row) => (row.wa_sender_code ? <PhoneNumber value={row.wa_sender_code} /> : '–'),
  },
  {
    key: 'text',
    title: 'Text',
    card: 'subtitle',
    renderCard: (row) => row.text || '–',
    narrow: false,
    width: '100%',
    render: (row) => <bdi className={styles.excerpt}>{row.text || '–'}</bdi>,
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...statusBadge(row)} />,
  },
  {
    key: 'create_date',
    title: 'Created',
    sort: 'create_date',
    card: 'hidden',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

const WITH_CATEGORIES = channelsWith(({ templates }) => templates.fields.includes('wa_category'));
const COLUMNS_WITHOUT_CATEGORY = COLUMNS.filter(({ key }) => !key.startsWith('wa_'));

export default function TemplatesPage() {
  const { channel: requested } = useSearch({ strict: false }) as { channel?: string };
  const rules = ALL_CHANNELS.find(({ name }) => name === requested) ?? null;
  const channel = rules?.name ?? null;
  return (
    <>
      <PageHeader
        title="Messages"
        description="Reusable messages. Some channels review them before you can send them."
        action={<CreateButton channel={channel} icon />}
        secondary={rules?.templates.review === 'carrier' ? <SyncButton label={rules.label} /> : undefined}
      >
        <PageTabs label="Channels">
          {[null, ...ALL_CHANNELS.map(({ name }) => name)].map((name) => (
            <PageTab
              key={name ?? 'all'}
              link={linkTo(LIBRARY, name ? { channel: name } : {})}
              isOpen={name === channel}
            >
              {name ? channelRules(name).label : 'All'}
            </PageTab>
          ))}
        </PageTabs>
      </PageHeader>
      <Templates key={channel} channel={channel} />
    </>
  );
}

function CreateButton({ channel, icon = false }: { channel: ChannelName | null; icon?: boolean }) {
  return (
    <Allow needs={createTemplate.needs}>
      <Button
        component={Link}
        {...linkTo(CREATE_TEMPLATE, channel ? { channel } : {})}
        {...(icon ? { leftSection: <IconPlus size={16} aria-hidden /> } : {})}
      >
        Create template
      </Button>
    </Allow>
  );
}

function Templates({ channel }: { channel: ChannelName | null }) {
  const panel = usePanel();
  const remove = useRemoveTemplate(panel.close);
  const actions = useRowActions(remove);
  const list = useList(listTemplates, {
    filters: FILTERS,
    subject: 'The templates',
    toFilter: ({ search, ...rest }) => ({ ...rest, ...(search ? { name: search } : {}) }),
  });
  const isSearched = list.filter('search') !== '';
  const isFiltered = list.filter('statuses') !== '' || list.filter('wa_categories') !== '';
  const hasCategory = channel === null || WITH_CATEGORIES.includes(channel);
  const empty = isSearched ? (
    <EmptyState icon={IconTemplate} title={NO_TEMPLATE_FOUND}>
      Clear the search or try another part of the name.
    </EmptyState>
  ) : (
    <EmptyState icon={IconTemplate} title={noTemplatesYet(channel)} action={<CreateButton channel={channel} />}>
      Create a template to reuse a message in campaigns and replies.
    </EmptyState>
  );
  const noMatch = (
    <EmptyState icon={IconTemplate} title="No templates match these filters">
      Clear a filter to see more templates.
    </EmptyState>
  );
  const removeReason = useReason(removeTemplate.needs);
  return (
    <>
      <BulkProgress name="remove_templates" />
      <ListTable
        id="templates"
        label="Templates"
        noun="templates"
        list={list}
        search="Search by name"
        search_debounce_ms={SEARCH_DEBOUNCE_MS}
        facets={hasCategory ? [STATUS_FACET, CATEGORY_FACET] : [STATUS_FACET]}
        columns={hasCategory ? COLUMNS : COLUMNS_WITHOUT_CATEGORY}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        bulk={[
          bulkAction<Template>({
            name: 'remove_templates',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: removeReason,
            onOne: (row) => void remove(row),
            question: removeQuestion,
          }),
        ]}
        empty={empty}
        emptyFiltered={isFiltered && !isSearched ? noMatch : empty}
      />
      <TemplatePanel id={panel.id} onClose={panel.close} onRemove={(template) => void remove(template)} />
    </>
  );
}

function useRowActions(remove: (template: Template) => Promise<void>): RowAction<Template>[] {
  const navigate = useNavigate();
  const editReason = useReason(updateTemplate.needs);
  const addReason = useReason(createTemplate.needs);
  const removeReason = useReason(removeTemplate.needs);
  const reviewReason = (row: Template) =>
    row.status === 'IN_PROCESS' ? 'The template is under review and cannot be changed now' : null;
  const copy = (row: Template) => void navigate(linkTo(CREATE_TEMPLATE, { from: row.id }));
  return [
    {
      key: 'edit',
      label: 'Edit',
      icon: IconPencil,
      reason: (row) => editReason ?? reviewReason(row),
      onSelect: (row) => void navigate({ to: editTemplatePath(row) }),
    },
    {
      key: 'copy',
      label: 'Copy',
      icon: IconCopy,
      reason: () => addReason,
      isOffered: (row) => row.status !== 'CANCELED',
      onSelect: copy,
    },
    {
      key: 'fix',
      label: 'Copy and fix',
      icon: IconCopy,
      reason: () => addReason,
      isOffered: (row) => row.status === 'CANCELED',
      onSelect: copy,
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: (row) => removeReason ?? reviewReason(row),
      onSelect: (row) => void remove(row),
    },
  ];
}
