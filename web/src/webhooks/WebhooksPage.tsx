import { Button } from '@mantine/core';
import { createWebhook, listWebhooks, WEBHOOK_STATUS, type Webhook } from '@parley/contract/webhooks/webhooks.ts';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { eventsText } from './event_labels.ts';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookPanel } from './WebhookPanel.tsx';
import styles from './Webhooks.module.css';

const FILTERS = [] as const;

const COLUMNS: Column<Webhook>[] = [
  { key: 'url', title: 'URL', fixed: true, card: 'title', width: '100%', render: (row) => row.url },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...WEBHOOK_STATUS[row.status]} />,
  },
  {
    key: 'events',
    title: 'Events',
    card: 'subtitle',
    render: (row) => <span className={styles.events}>{eventsText(row)}</span>,
    renderCard: eventsText,
  },
  { key: 'created', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
];

export default function WebhooksPage() {
  const panel = usePanel();
  const list = useList(listWebhooks, { filters: FILTERS, subject: 'The webhooks' });
  const all = useEndpoint(listWebhooks, { query: { page_size: 20 } });
  // The webhook in the dialog; null for a new one.
  const [editing, setEditing] = useState<Webhook | null | undefined>();
  const add = (
    <Allow needs={createWebhook}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing(null)}>
        Add webhook
      </Button>
    </Allow>
  );
  const opened = all.data?.data.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <PageHeader title="Webhooks" description="Your servers get a signed request for each event." action={add} />
      <ListTable
        id="webhooks"
        label="Webhooks"
        noun="webhooks"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.url}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconWebhook} title="No webhooks yet" action={add}>
            Add a URL to receive inbound messages and delivery reports.
          </EmptyState>
        }
      />
      <WebhookPanel webhook={opened} onClose={panel.close} onEdit={setEditing} />
      <WebhookDialog webhook={editing} onClose={() => setEditing(undefined)} />
    </>
  );
}
