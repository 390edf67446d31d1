import { Button } from '@mantine/core';
import {
  createRoute,
  listRoutes,
  ROUTE_STATE,
  type Route,
  removeRoute,
  updateRoute,
} from '@parley/contract/admin/admin.ts';
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
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { RoutePanel } from './RoutePanel.tsx';
import { fromMicros, routeNumbers } from './route_numbers.ts';

const FILTERS: readonly string[] = [];
const NEW = 'new';

const COLUMNS: Column<Route>[] = [
  {
    key: 'reach',
    title: 'Numbers',
    fixed: true,
    render: (row) => <span className={styles.name}>{routeNumbers(row)}</span>,
  },
  {
    key: 'connection',
    title: 'Connection',
    card: 'subtitle',
    fixed: true,
    render: (row) => (
      <Link to={CONNECTIONS} search={{ open: row.connection_id } as never} onClick={(event) => event.stopPropagation()}>
        {row.connection_name}
      </Link>
    ),
  },
  { key: 'priority', title: 'Priority', align: 'end', narrow: false, render: (row) => row.priority },
  {
    key: 'percentage',
    title: 'Share',
    align: 'end',
    narrow: false,
    render: (row) => (row.percentage === null ? '–' : `${row.percentage}%`),
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'end',
    narrow: false,
    render: (row) => (row.cost_micros === null ? '–' : fromMicros(row.cost_micros)),
  },
  {
    key: 'state',
    title: 'State',
    card: 'corner',
    narrow: false,
    render: (row) => <StatusBadge {...ROUTE_STATE[row.enabled ? 'enabled' : 'disabled']} />,
  },
];

/** Removes a route after a confirmation. */
function useRouteRemoval(onRemoved: () => void): (route: Route) => void {
  const remove = useAction(removeRoute, {
    onSuccess: () => {
      toast.success('The route was removed');
      onRemoved();
    },
  });
  return (route) =>
    void confirm({
      title: `Remove the route to ${route.connection_name}?`,
      consequence:
        `${routeNumbers(route)}: new messages will use the next matching route. ` +
        'If no route matches, they will be rejected.',
      action: 'Remove route',
      danger: true,
    }).then((confirmed) => confirmed && remove.mutate({ params: { id: route.id } }));
}

function useRouteActions(onRemove: (route: Route) => void): RowAction<Route>[] {
  const update = useAction(updateRoute);
  const editReason = useReason(updateRoute.needs);
  const removeReason = useReason(removeRoute.needs);
  return [
    {
      key: 'disable',
      label: 'Disable',
      isOffered: (row) => row.enabled,
      reason: () => editReason,
      onSelect: (row) => update.mutate({ params: { id: row.id }, body: { enabled: false } }),
    },
    {
      key: 'enable',
      label: 'Enable',
      isOffered: (row) => !row.enabled,
      reason: () => editReason,
      onSelect: (row) => update.mutate({ params: { id: row.id }, body: { enabled: true } }),
    },
    {
      key: 'remove',
      label: 'Remove',
      icon: IconTrash,
      danger: true,
      reason: () => removeReason,
      onSelect: onRemove,
    },
  ];
}

export default function RoutesPage() {
  const panel = usePanel();
  const list = useList(listRoutes, { filters: FILTERS, subject: 'The routes' });
  const remove = useRouteRemoval(panel.close);
  const actions = useRouteActions(remove);
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
        description="Routes assign numbers to connections. The longest prefix wins, then the country, then all numbers."
        action={add}
      />
      <ListTable
        id="routes"
        label="Routes"
        noun="routes"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${routeNumbers(row)} via ${row.connection_name}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        empty={
          <EmptyState icon={IconRoute} title="No routes yet" action={add}>
            Messages are accepted only if a route matches the recipient’s number. One route for all numbers is enough to
            start.
          </EmptyState>
        }
      />
      <RoutePanel open={panel.id === NEW || opened !== null} route={opened} onClose={panel.close} onRemove={remove} />
    </>
  );
}
