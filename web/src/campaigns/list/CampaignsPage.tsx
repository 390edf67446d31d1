import { Button } from '@mantine/core';
import {
  CAMPAIGN_STATUSES,
  type Campaign,
  createCampaign,
  listCampaigns,
  updateCampaign,
} from '@parley/contract/campaigns/campaigns.ts';
import { IconCopy, IconExternalLink, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber, formatPercent } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { statusStyle } from '../../ui/data/status.ts';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Campaigns.module.css';
import '../live.ts';
import { campaignPath, copyCampaignPath, createCampaignPath, editCampaignPath } from '../../paths.ts';
import { isEditable } from '../editable.ts';
import { MiniProgress } from '../progress/MiniProgress.tsx';
import { standingOf } from '../progress/progress.ts';
import { RenameCampaign } from '../RenameCampaign.tsx';
import { removeReason, useRemoveCampaign } from '../remove.ts';
import { reasonWords } from '../words.ts';

const FILTERS = ['search', 'statuses'] as const;
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: CAMPAIGN_STATUSES.map((value) => ({ value, label: statusStyle(value).label })),
  },
];

const COLUMNS: Column<Campaign>[] = [
  { key: 'name', title: 'Name', fixed: true, render: (row) => <span className={styles.name}>{row.name}</span> },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    render: (row) => <StatusBadge status={row.status} reason={reasonWords(row)} />,
  },
  {
    key: 'audience',
    title: 'Audience',
    narrow: false,
    render: (row) => <span className={styles.audience}>{row.audience_name ?? '–'}</span>,
  },
  { key: 'progress', title: 'Progress', narrow: false, width: 128, render: (row) => <MiniProgress campaign={row} /> },
  { key: 'delivered', title: 'Delivered', align: 'end', narrow: false, render: (row) => <Delivered campaign={row} /> },
  {
    key: 'failed',
    title: 'Failed',
    align: 'end',
    narrow: false,
    render: (row) => (row.start_date ? formatNumber(row.messages.failed) : '\u2013'),
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'end',
    narrow: false,
    render: (row) => (row.start_date ? <Money micros={row.cost_micros} currency={row.currency} /> : '\u2013'),
  },
  { key: 'when', title: 'When', narrow: false, render: (row) => <When campaign={row} /> },
  { key: 'sender', title: 'Sender', narrow: false, hidden: true, render: (row) => row.sender_name ?? '\u2013' },
  {
    key: 'created',
    title: 'Created',
    narrow: false,
    hidden: true,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

function Delivered({ campaign }: { campaign: Campaign }) {
  if (!campaign.start_date) return '\u2013';
  const { delivered, total } = standingOf(campaign);
  return (
    <span className={styles.delivered}>
      {formatNumber(delivered)} <span className={styles.share}>{formatPercent(delivered, total)}</span>
    </span>
  );
}

/** The time that matters: of the start, before it the one it waits for, else when it was made. The status says which. */
function When({ campaign }: { campaign: Campaign }) {
  const waits = campaign.status === 'scheduled' ? campaign.schedule : null;
  return <DateTime value={campaign.start_date ?? waits ?? campaign.create_date} />;
}

export function CampaignsPage({ channel, word }: { channel: 'SMS' | 'WHATSAPP' | 'VIBER'; word: string }) {
  const navigate = useNavigate();
  const session = useSession();
  const list = useList(listCampaigns, { filters: FILTERS, fixed: { channel }, subject: 'The campaigns' });
  const [renaming, setRenaming] = useState<Campaign | null>(null);
  const mayEdit = useReason(updateCampaign.needs);
  const closed = routeReason({ needs: createCampaign.needs as 'CAMPAIGNS:add' }, session);
  const remove = useRemoveCampaign();
  const open = (row: Campaign) =>
    void navigate({ href: row.status === 'in_complete' && !mayEdit ? editCampaignPath(row) : campaignPath(row) });
  const create = (
    <Disabled reason={closed}>
      <Button component={Link} to={createCampaignPath(channel)} leftSection={<IconPlus size={16} aria-hidden />}>
        Create campaign
      </Button>
    </Disabled>
  );
  const actions: RowAction<Campaign>[] = [
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
      reason: () => mayEdit,
      onSelect: (row) => void navigate({ href: editCampaignPath(row) }),
    },
    {
      key: 'rename',
      label: 'Rename',
      icon: IconPencil,
      isOffered: (row) => !isEditable(row),
      reason: () => mayEdit,
      onSelect: setRenaming,
    },
    {
      key: 'copy',
      label: 'Duplicate as draft',
      icon: IconCopy,
      reason: () => closed,
      onSelect: (row) => void navigate({ href: copyCampaignPath(row) }),
    },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: (row) => remove.reason ?? removeReason(row),
      onSelect: (row) => void remove.ask(row),
    },
  ];
  return (
    <>
      <PageHeader
        title={`${word} campaigns`}
        description="One text to an audience, everybody at most one message."
        action={create}
      />
      <ListTable
        id={`campaigns.${channel}`}
        label="Campaigns"
        noun="campaigns"
        list={list}
        search="Search by name"
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={open}
        actions={actions}
        empty={
          <EmptyState icon={IconSend} title={`No ${word} campaigns yet`} action={create}>
            Choose an audience, write once with names in it, see what each person gets and what it costs, then send.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconSend} title="No campaign fits these filters">
            Take a filter away or search for another name.
          </EmptyState>
        }
      />
      <RenameCampaign campaign={renaming} onClose={() => setRenaming(null)} />
    </>
  );
}

export default function SmsCampaignsPage() {
  return <CampaignsPage channel="SMS" word="SMS" />;
}
