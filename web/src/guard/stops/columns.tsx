import { MESSAGE_SIGNAL_LABELS, TRAFFIC_WORDS, type TrafficStop } from '@parley/contract/guard/traffic_stops.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { StopFigures } from './StopFigures.tsx';
import styles from './Stops.module.css';
import { stopPlace } from './stop_words.ts';

export const STOP_COLUMNS: Column<TrafficStop>[] = [
  {
    key: 'place',
    title: 'Range or country',
    fixed: true,
    card: 'title',
    render: (row) => (
      <span className={styles.place}>
        <span>{stopPlace(row)}</span>
        <span className={styles.lead}>{TRAFFIC_WORDS[row.traffic]}</span>
      </span>
    ),
  },
  {
    key: 'reason',
    title: 'Sign of fraud',
    width: '100%',
    card: 'subtitle',
    render: (row) => (
      <span className={styles.evidence}>
        <span>{MESSAGE_SIGNAL_LABELS[row.signal]}</span>
        <span className={styles.lead}>{row.reason}</span>
        <StopFigures figures={row.figures} />
      </span>
    ),
  },
  {
    key: 'state',
    title: 'Messages',
    card: 'corner',
    render: (row) => (
      <StatusBadge
        tone={row.refuses ? 'fail' : 'wait'}
        label={row.refuses ? 'Stopped' : 'Still sent'}
        icon={row.refuses ? 'ban' : 'alert'}
      />
    ),
  },
  { key: 'date', title: 'Since', narrow: false, render: (row) => <DateTime value={row.stop_date} /> },
  {
    key: 'until',
    title: 'Until',
    narrow: false,
    render: (row) => (row.expire_date ? <DateTime value={row.expire_date} /> : 'Until lifted'),
  },
];
