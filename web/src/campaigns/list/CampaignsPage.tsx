import { Button } from '@mantine/core';
import { APPROVAL_STATUS } from '@parley/contract/campaigns/approval_words.ts';
import { listTags } from '@parley/contract/campaigns/calendar.ts';
import { type Campaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { createCampaign, updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import { CAMPAIGN_STATUS, CAMPAIGN_STATUSES } from '@parley/contract/campaigns/statuses.ts';
import { CHANNEL_LABELS, type ChannelName } from '@parley/contract/channels/names.ts';
import {
  IconArchive,
  IconBolt,
  IconCopy,
  IconExternalLink,
  IconPencil,
  IconPlus,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { BulkProgress } from '../../bulk/BulkProgress.tsx';
import { bulkAction } from '../../bulk/bulk_action.ts';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { useSpendColumns } from '../../kernel/list/spend_columns.ts';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { campaignPath, campaignsPath, copyCampaignPath, createCampaignPath, editCampaignPath } from '../../paths.ts';
import { Segments } from '../../ui/controls/Segments.tsx';
import type { RowAction } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { isArchivable, useArchive } from '../archive.ts';
import { isEditable } from '../editable.ts';
import { removeQuestion, removeReason, useRemoveCampaign } from '../remove.ts';
import { useRouteChannel } from '../route_channel.ts';
import { isDraft } from '../stage.ts';
import { COLUMNS } from './columns.tsx';
import '../live.ts';

const RenameCampaign = lazyPart(() => import('../RenameCampaign.tsx'));
const Calendar = lazyPart(() => import('./Calendar.tsx'));

const FILTERS = ['search', 'statuses', 'approvals', 'tags', 'archived', 'automations'] as const;
const STATIC_FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: CAMPAIGN_STATUSES.map((value) => ({ value, label: CAMPAIGN_STATUS[value].label })),
  },
  {
    key: 'approvals',
    label: 'Approval',
    options: (['requested', 'approved', 'declined'] as const).map((value) => ({
      value,
      label: APPROVAL_STATUS[value].label,
    })),
  },
];

const ARCHIVE_FACET = {
  key: 'archived',
  label: 'Archive',
  single: true,
  options: [
    { value: 'true', label: 'Archived' },
    { value: 'all', label: 'Archived and others' },
  ],
};

/** The tags become a filter once campaigns have any. */
function useFacets() {
  const { data } = useEndpoint(listTags, {}, { staleTime: 60_000 });
  return useMemo(() => {
    const tags = (data?.data ?? []).map(({ tag }) => ({ value: tag, label: tag }));
    return [
      ...STATIC_FACETS,
      ...(tags.length > 0 ? [{ key: 'tags', label: 'Tags', options: tags }] : []),
      ARCHIVE_FACET,
    ];
  }, [data]);
}

const LAYOUTS = [
  { value: 'list', label: 'List', query: '' },
  { value: 'automations', label: 'Automations', query: '?automations=true' },
  { value: 'calendar', label: 'Calendar', query: '?layout=calendar' },
] as const;
type Layout = (typeof LAYOUTS)[number]['value'];

function LayoutChoice({ channel, value }: { channel: ChannelName; value: Layout }) {
  const navigate = useNavigate();
  const open = (next: Layout) => {
    const { query } = LAYOUTS.find((layout) => layout.value === next)!;
    void navigate({ href: `${campaignsPath(channel)}${query}` });
  };
  return <Segments aria-label="Layout" value={value} onChange={open} data={LAYOUTS} />;
}

function CreateButton({ channel, reason }: { channel: ChannelName; reason: string | null }) {
  return (
    <Disabled reason={reason}>
      <Button component={Link} to={createCampaignPath(channel)} leftSection={<IconPlus size={16} aria-hidden />}>
        Create campaign
      </Button>
    </Disabled>
  );
}

function CalendarPage({ channel }: { channel: ChannelName }) {
  const createReason = routeReason({ needs: createCampaign.needs as 'CAMPAIGNS:add' }, useSession());
  return (
    <>
      <PageHeader
        title={`${CHANNEL_LABELS[channel]} campaigns`}
        description="Past and upcoming campaign starts."
        action={<CreateButton channel={channel} reason={createReason} />}
        secondary={<LayoutChoice channel={channel} value="calendar" />}
      />
      <Suspense fallback={<SkeletonLines lines={12} />}>
        <Calendar channel={channel} />
      </Suspense>
    </>
  );
}

const NO_MATCH = (
  <EmptyState icon={IconSend} title="No campaigns match these filters">
    Clear a filter or try another search.
  </EmptyState>
);

function NoAutomations({ create }: { create: ReactNode }) {
  return (
    <EmptyState icon={IconBolt} title="No automations yet" action={create}>
      Automations welcome new contacts, send birthday wishes, follow up with people who have not replied, or answer a
      keyword. Create a campaign, and select <strong>Automatically</strong> in the last step.
    </EmptyState>
  );
}

function CampaignsPage({ channel }: { channel: ChannelName }) {
  const label = CHANNEL_LABELS[channel];
  const navigate = useNavigate();
  const session = useSession();
  const columns = useSpendColumns(COLUMNS, 'cost');
  const list = useList(listCampaigns, { filters: FILTERS, fixed: { channel }, subject: 'The campaigns' });
  const [renaming, setRenaming] = useState<Campaign | null>(null);
  const editReason = useReason(updateCampaign.needs);
  const remove = useRemoveCampaign();
  const createReason = routeReason({ needs: createCampaign.needs as 'CAMPAIGNS:add' }, session);
  const open = (row: Campaign) =>
    void navigate({ href: isDraft(row) && !editReason ? editCampaignPath(row) : campaignPath(row) });
  const create = <CreateButton channel={channel} reason={createReason} />;
  const actions = useRowActions(createReason, setRenaming);
  const facets = useFacets();
  const hasAutomations = list.filter('automations') === 'true';
  return (
    <>
      <PageHeader
        title={`${label} campaigns`}
        description={
          hasAutomations
            ? 'An automation sends its message when its trigger occurs, such as a new contact or a birthday.'
            : 'Send one message to an audience. Each contact gets it once.'
        }
        action={create}
        secondary={<LayoutChoice channel={channel} value={hasAutomations ? 'automations' : 'list'} />}
      />
      <BulkProgress name="remove_campaigns" />
      <ListTable
        id={`campaigns.${channel}`}
        label="Campaigns"
        noun="campaigns"
        list={list}
        search="Search by name"
        facets={facets}
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        tools={<ExportMenu name="campaigns" list={list} table={`campaigns.${channel}`} columns={columns} />}
        onOpen={open}
        actions={actions}
        bulk={[
          bulkAction<Campaign>({
            name: 'remove_campaigns',
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            reason: remove.reason,
            onOne: (row) => void remove.confirmRemove(row),
            question: removeQuestion,
          }),
        ]}
        empty={
          <EmptyState icon={IconSend} title={`No ${label} campaigns yet`} action={create}>
            Choose an audience, write a message, and check recipients and cost before you send it.
          </EmptyState>
        }
        emptyFiltered={
          hasAutomations && Object.keys(list.filters).length === 1 ? <NoAutomations create={create} /> : NO_MATCH
        }
      />
      {renaming && (
        <Suspense>
          <RenameCampaign campaign={renaming} onClose={() => setRenaming(null)} />
        </Suspense>
      )}
    </>
  );
}

/** `createReason`: why the user cannot create campaigns. */
function useRowActions(createReason: string | null, onRename: (campaign: Campaign) => void): RowAction<Campaign>[] {
  const navigate = useNavigate();
  const editReason = useReason(updateCampaign.needs);
  const remove = useRemoveCampaign();
  const archive = useArchive();
  return [
    {
      key: 'open',
      label: 'Open',
      icon: IconExternalLink,
      onSelect: (row) => void navigate({ href: campaignPath(row) }),
    },
    {
      key: 'edit',
      label: 'Edit',
      icon: IconPencil,
      isOffered: isEditable,
      reason: () => editReason,
      onSelect: (row) => void navigate({ href: editCampaignPath(row) }),
    },
    {
      key: 'rename',
      label: 'Rename',
      icon: IconPencil,
      isOffered: (row) => !isEditable(row),
      reason: () => editReason,
      onSelect: onRename,
    },
    {
      key: 'copy',
      label: 'Duplicate as draft',
      icon: IconCopy,
      reason: () => createReason,
      onSelect: (row) => void navigate({ href: copyCampaignPath(row) }),
    },
    {
      key: 'archive',
      label: 'Archive',
      icon: IconArchive,
      isOffered: (row) => isArchivable(row) && row.archive_date === null,
      reason: () => editReason,
      onSelect: archive,
    },
    {
      key: 'unarchive',
      label: 'Unarchive',
      icon: IconArchive,
      isOffered: (row) => row.archive_date !== null,
      reason: () => editReason,
      onSelect: archive,
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: (row) => remove.reason ?? removeReason(row),
      onSelect: (row) => void remove.confirmRemove(row),
    },
  ];
}

export default function ChannelCampaignsPage() {
  const channel = useRouteChannel();
  const { layout } = useSearch({ strict: false }) as { layout?: string };
  const Page = layout === 'calendar' ? CalendarPage : CampaignsPage;
  return <Page key={channel} channel={channel} />;
}
