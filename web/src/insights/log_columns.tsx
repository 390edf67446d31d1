/** The columns of the message log. */
import type { SortName } from '@parley/contract/endpoint.ts';
import type { LoggedMessage, listMessages } from '@parley/contract/messages/messages.ts';
import { shownStatus } from '@parley/contract/messages/statuses.ts';
import { VERIFICATION_STATUS } from '@parley/contract/verifications/statuses.ts';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { CATEGORY_WORDS, DIRECTION_WORDS, SOURCE_WORDS, TYPE_WORDS } from '../messages/words.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { countryName } from '../ui/form/countries.ts';
import styles from './Insights.module.css';

export const COLUMNS: Column<LoggedMessage, SortName<typeof listMessages>>[] = [
  {
    key: 'created',
    title: 'Time',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...shownStatus(row)} reason={row.status_details} />,
  },
  { key: 'number', title: 'Number', card: 'title', fixed: true, render: (row) => <Party message={row} /> },
  {
    key: 'sender',
    title: 'Sender',
    card: 'hidden',
    narrow: false,
    render: (row) => <PhoneNumber value={row.direction === 'MT' ? row.from : row.to} withCountry={false} />,
  },
  {
    key: 'text',
    title: 'Text',
    card: 'subtitle',
    renderCard: (row) => row.text || TYPE_WORDS[row.type],
    narrow: false,
    width: '100%',
    render: (row) => <bdi className={styles.text}>{row.text || TYPE_WORDS[row.type]}</bdi>,
  },
  {
    key: 'segments',
    title: 'Segments',
    card: 'hidden',
    align: 'end',
    narrow: false,
    render: (row) => row.segments_count,
  },
  moneyColumn({
    key: 'price',
    title: 'Price',
    narrow: false,
    micros: (row) => row.price_micros,
    currency: (row) => row.currency,
    exact: true,
  }),
  {
    key: 'channel',
    title: 'Channel',
    narrow: false,
    hidden: true,
    render: (row) => <ChannelMark channel={row.channel} />,
  },
  { key: 'network', title: 'Network', narrow: false, hidden: true, render: (row) => row.network ?? '–' },
  {
    key: 'mccmnc',
    title: 'MCC/MNC',
    narrow: false,
    hidden: true,
    render: (row) => row.mccmnc ?? '–',
  },
  { key: 'country', title: 'Country', narrow: false, hidden: true, render: (row) => countryName(row.country) },
  {
    key: 'direction',
    title: 'Direction',
    narrow: false,
    hidden: true,
    render: (row) => DIRECTION_WORDS[row.direction],
  },
  { key: 'source', title: 'Source', narrow: false, hidden: true, render: (row) => SOURCE_WORDS[row.source] },
  {
    key: 'category',
    title: 'Category',
    narrow: false,
    hidden: true,
    render: (row) => (row.wa_category === null ? '–' : CATEGORY_WORDS[row.wa_category]),
  },
  {
    key: 'verification',
    title: 'Verification',
    narrow: false,
    hidden: true,
    render: (row) =>
      row.verification_status === null ? '–' : <StatusBadge {...VERIFICATION_STATUS[row.verification_status]} />,
  },
];

/** The recipient or sender, with the direction. On narrow screens the time is shown below. */
function Party({ message }: { message: LoggedMessage }) {
  const isOutbound = message.direction === 'MT';
  const Icon = isOutbound ? IconArrowUpRight : IconArrowDownLeft;
  return (
    <span className={styles.party}>
      <Icon size={15} stroke={2} role="img" aria-label={isOutbound ? 'Outbound, to' : 'Inbound, from'} />
      <PhoneNumber value={isOutbound ? message.to : message.from} />
      <span className={styles.below}>
        <DateTime value={message.create_date} />
      </span>
    </span>
  );
}
