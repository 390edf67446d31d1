import { CONVERSION_DAYS, type Conversion, getConversion } from '@parley/contract/verifications/verifications.ts';
import { useState } from 'react';
import { channelLabel } from '../channels/index.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { messagesPath } from '../paths.ts';
import { Segments } from '../ui/controls/Segments.tsx';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatDayMonth, formatNumber, formatPercent } from '../ui/data/format.ts';
import { StatChips } from '../ui/data/StatChips.tsx';
import type { Column } from '../ui/data/table/columns.ts';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { countryName } from '../ui/form/countries.ts';
import styles from './Verifications.module.css';

const REFRESH_MS = 30_000;
const SERIES = [
  { key: 'verified', label: 'Verified', color: 'var(--ok-mark)' },
  { key: 'unused', label: 'Not entered', color: 'var(--flight-mark)' },
];
const EMPTY = (
  <EmptyState title="No codes in this period">
    Send a code with <code>POST /v1/verifications</code>, or choose another period.
  </EmptyState>
);

/** How many codes were sent and how many of them were entered, on the page and in Insights. */
export default function ConversionPart() {
  const [days, setDays] = useState<(typeof CONVERSION_DAYS)[number]>(30);
  const query = useEndpoint(getConversion, { query: { days } }, { keepPrevious: true, refetchInterval: REFRESH_MS });
  const figures = query.data?.data;
  if (query.error && !figures)
    return (
      <ErrorState
        title="The figures could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  return (
    <div className={styles.charts}>
      <Segments
        className={styles.period}
        aria-label="Period"
        value={String(days)}
        onChange={(value) => setDays(CONVERSION_DAYS.find((one) => String(one) === value) ?? 30)}
        data={CONVERSION_DAYS.map((one) => ({ value: String(one), label: `${one} days` }))}
      />
      <Totals figures={figures} />
      <Chart
        title="Codes by day"
        kind="bar"
        stacked
        rows={figures?.by_day.map(({ date, sent, verified }) => ({
          day: formatDayMonth(date),
          verified,
          unused: sent - verified,
        }))}
        x={{ key: 'day', label: 'Day' }}
        series={SERIES}
        file={`verification-codes-${days}-days`}
        empty={EMPTY}
      />
      {figures?.total.sent !== 0 && <Tables figures={figures} />}
    </div>
  );
}

const Tables = ({ figures }: { figures: Conversion | undefined }) => (
  <div className={styles.pair}>
    <Table
      title="Conversion by country"
      name="Country"
      rows={figures?.by_country.map(({ country, ...row }) => ({
        ...row,
        key: country,
        label: countryName(country),
      }))}
    />
    <Table
      title="Conversion by channel"
      name="Channel"
      rows={figures?.by_channel.map(({ channel, ...row }) => ({
        ...row,
        key: channel,
        label: channelLabel(channel),
      }))}
    />
  </div>
);

function Totals({ figures }: { figures: Conversion | undefined }) {
  const { total } = figures ?? {};
  return (
    <StatChips
      label="Codes in this period"
      stats={[
        {
          key: 'conversion',
          label: 'Conversion',
          value: total && (total.sent === 0 ? '–' : formatPercent(total.verified, total.sent)),
          hint: 'The share of codes that people entered.',
        },
        {
          key: 'sent',
          label: 'Codes sent',
          value: total && formatNumber(total.sent),
          href: messagesPath({ verification: 'pending,verified,failed,expired,replaced' }),
        },
        {
          key: 'verified',
          label: 'Verified',
          tone: 'ok',
          value: total && formatNumber(total.verified),
          href: messagesPath({ verification: 'verified' }),
        },
      ]}
    />
  );
}

interface Row {
  key: string;
  label: string;
  sent: number;
  verified: number;
}

function Table({ title, name, rows }: { title: string; name: string; rows: readonly Row[] | undefined }) {
  const isCountry = name === 'Country';
  const columns: Column<Row>[] = [
    { key: 'name', title: name, card: 'title', fixed: true, width: '100%', render: (row) => row.label },
    {
      key: 'sent',
      title: 'Sent',
      align: 'end',
      render: (row) => {
        const filter = { verification: 'pending,verified,failed,expired,replaced' };
        const scope = isCountry ? { country: row.key } : { channel: row.key };
        return <Figure href={messagesPath({ ...filter, ...scope })}>{formatNumber(row.sent)}</Figure>;
      },
    },
    { key: 'verified', title: 'Verified', align: 'end', render: (row) => formatNumber(row.verified) },
    {
      key: 'conversion',
      title: 'Conversion',
      align: 'end',
      card: 'corner',
      render: (row) => formatPercent(row.verified, row.sent),
    },
  ];
  return (
    <section aria-label={title} className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      <DataTable
        id={`verifications.${name.toLowerCase()}`}
        label={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        grow
        empty={EMPTY}
      />
    </section>
  );
}
