/** The numbering plan: networks and the number ranges that were issued to them. */
import { Button } from '@mantine/core';
import { listNetworks, type Network, updateNetworks } from '@parley/contract/admin/networks.ts';
import { IconAntennaBars5, IconRefresh } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { formatCount, NONE } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { UpdatePanel } from './UpdatePanel.tsx';

const FILTERS = ['search'] as const;
const SHOWN = 6;

const prefixSample = ({ prefixes }: Network): string => {
  const rest = prefixes.length - SHOWN;
  return prefixes.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${formatCount(rest, 'more', 'more')}` : '');
};

const COLUMNS: Column<Network>[] = [
  { key: 'name', title: 'Network', fixed: true, render: (row) => <span className={styles.name}>{row.name}</span> },
  {
    key: 'country',
    title: 'Country',
    card: 'subtitle',
    render: (row) => <span className={styles.oneLine}>{countryName(row.country)}</span>,
  },
  {
    key: 'code',
    title: 'Code',
    card: 'corner',
    fixed: true,
    render: (row) => <span className={styles.number}>{row.mccmnc}</span>,
  },
  {
    key: 'prefixes',
    title: 'Prefixes',
    narrow: false,
    width: '100%',
    render: (row) => <span className={styles.excerpt}>{prefixSample(row) || NONE}</span>,
    renderCard: (row) => prefixSample(row) || NONE,
  },
];

export default function NetworksPage() {
  const panel = usePanel();
  const list = useList(listNetworks, { filters: FILTERS, subject: 'The networks' });
  const update = (
    <Allow needs={updateNetworks.needs}>
      <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => panel.open('update')}>
        Update networks
      </Button>
    </Allow>
  );
  return (
    <>
      <PageHeader
        title="Networks"
        description="Number ranges and the networks they were issued to. Prices by network depend on them."
        action={update}
      />
      <ListTable
        id="networks"
        label="Networks"
        noun="networks"
        list={list}
        search="Name, code, or phone number"
        columns={COLUMNS}
        rowKey={(row) => row.mccmnc}
        rowName={(row) => row.name}
        empty={
          <EmptyState icon={IconAntennaBars5} title="No networks yet" action={update}>
            Load the numbering plan that comes with Parley, or your own.
          </EmptyState>
        }
      />
      <UpdatePanel open={panel.id === 'update'} onClose={panel.close} />
    </>
  );
}
