import type { Rate } from '@parley/contract/billing/rates.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { channelLabel } from '../channels/index.ts';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { countryName } from '../ui/form/countries.ts';

type Destination = Pick<Rate, 'channel' | 'country' | 'mccmnc' | 'network' | 'purpose'>;

export const purposeLabel = (purpose: string | null): string =>
  purpose === null ? 'All' : purpose.charAt(0).toUpperCase() + purpose.slice(1);

/** The columns for the destination of a price. */
export const destinationColumns = <T extends Destination>(): Column<T>[] => [
  { key: 'country', title: 'Country', fixed: true, card: 'title', render: (row) => countryName(row.country) },
  { key: 'channel', title: 'Channel', render: (row) => channelLabel(row.channel) },
  { key: 'network', title: 'Network', render: (row) => row.network ?? row.mccmnc ?? 'All networks' },
  {
    key: 'purpose',
    title: 'Purpose',
    narrow: false,
    render: (row) => purposeLabel(row.purpose),
  },
];

export const listColumn = <T extends Pick<Rate, 'custom'>>(): Column<T> => ({
  key: 'custom',
  title: 'Price list',
  render: (row) => (row.custom ? <ToneBadge tone="ok">Your price</ToneBadge> : 'Standard'),
});

export const CHANNEL_FACETS = [
  {
    key: 'channel',
    label: 'Channel',
    single: true,
    options: CHANNELS.map((name) => ({ value: name, label: channelLabel(name) })),
  },
];
