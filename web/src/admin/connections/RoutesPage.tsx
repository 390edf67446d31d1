import { Button } from '@mantine/core';
import { createRoute, listRoutes, type Route, removeRoute, updateRoute } from '@parley/contract/admin/admin.ts';
import { IconPlus, IconRoute, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { CONNECTIONS } from '../../paths.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { RoutePanel } from './RoutePanel.tsx';
import { reachOf } from './reach.ts';

const FILTERS: readonly string[] = [];
const NEW = 'new';

const COLUMNS: Column<Route>[] = [
  { key: 'reach', title: 'Numbers', fixed: true, render: (row) => <span className={styles.name}>{reachOf(row)}</span> },
  {
    key: 'connection',
    title: 'Connection',
    fixed: true,
    render: (row) => (
      <Link to={CONNECTIONS} search={{ open: row.connection_id } as never} onClick={(event) => event.stopPropagation()}>
        {row.connection_name}
      </Link>
    ),
  },
  { key: 'priority', title: 'Priority', align: 'end', narrow: false, render: (row) => row.priority },
  {
    key: 'state',
    title: 'State',
    narrow: false,
    render: (row) => <StatusBadge status={row.enabled ? 'active' : 'disabled'} />,
  },
];

export default function RoutesPage() {
  const panel = usePanel();
  const list = useList(listRoutes, { filters: FILTERS, subject: 'The routes' });
  const mayRemove = useReason(removeRoute.needs);
  const remove = useAction(removeRoute, {
    onSuccess: () => {
      toast.success('The route was removed');
      panel.close();
    },
  });
  const change = useAction(updateRoute);
  const mayEdit = useReason(updateRoute.needs);
  const ask = async (row: Route) => {
    const yes = await confirm({
      title: `Remove the route to ${row.connection_name}?`,
      consequence: `${reachOf(row)}: messages accepted from now on go by the next route that fits, or are refused when there is none.`,
      action: 'Remove route',
      danger: true,
    });
    if (yes) remove.mutate({ params: { id: row.id } });
  };
  const add = (
    <Allow needs={createRoute.needs}>
      <Button onClick={() => panel.open(NEW)} leftSection={<IconPlus size={16} aria-hidden />}>
        Add route
      </Button>
    </Allow>
  );
  const opened = list.rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <PageHeader
        title="Routes"
        description="Which connection carries which numbers: the longest prefix wins over a country, a country over everywhere."
        action={add}
      />
      <ListTable
        id="routes"
        label="Routes"
        noun="routes"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${reachOf(row)} by ${row.connection_name}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            key: 'disable',
            label: 'Disable',
            isOffered: (row) => row.enabled,
            reason: () => mayEdit,
            onSelect: (row) => change.mutate({ params: { id: row.id }, body: { enabled: false } }),
          },
          {
            key: 'enable',
            label: 'Enable',
            isOffered: (row) => !row.enabled,
            reason: () => mayEdit,
            onSelect: (row) => change.mutate({ params: { id: row.id }, body: { enabled: true } }),
          },
          {
            key: 'remove',
            label: 'Remove',
            icon: IconTrash,
            danger: true,
            reason: () => mayRemove,
            onSelect: (row) => void ask(row),
          },
        ]}
        empty={
          <EmptyState icon={IconRoute} title="No routes yet" action={add}>
            A message is accepted only when a route leads its number to a connection. One route for everywhere is enough
            to begin.
          </EmptyState>
        }
      />
      <RoutePanel
        open={panel.id === NEW || opened !== null}
        route={opened}
        onClose={panel.close}
        onRemove={(row) => void ask(row)}
      />
    </>
  );
}
