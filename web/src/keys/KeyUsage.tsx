/** The requests of a key by day, which link to the request log. */
import { getKeyUsage } from '@parley/contract/keys/keys.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { REQUEST_LOG } from '../paths.ts';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { formatDayMonth } from '../ui/data/format.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

const SERIES = [
  { key: 'successful', label: 'Successful', color: 'var(--ok-mark)' },
  { key: 'failed', label: 'Failed', color: 'var(--fail-mark)' },
];
const OUTCOMES: Readonly<Record<string, string>> = { successful: 'success', failed: 'client_error,server_error' };

const requestsPath = (key_ids: string, day: string, series: string): string =>
  `${REQUEST_LOG}?${new URLSearchParams({ key_ids, outcomes: OUTCOMES[series] ?? '', from: day, to: day })}`;

export function KeyUsage({ id }: { id: string }) {
  const days = useEndpoint(getKeyUsage, { params: { id } }).data?.data.days;
  return (
    <Chart
      title="Requests by day"
      kind="bar"
      stacked
      rows={days?.map(({ date, requests, errors }) => ({
        date,
        day: formatDayMonth(date),
        successful: requests - errors,
        failed: errors,
      }))}
      x={{ key: 'day', label: 'Day' }}
      series={SERIES}
      file="api-key-requests"
      href={({ date }, key) => requestsPath(id, String(date), key)}
      height={180}
      empty={
        <EmptyState title="No requests in the last 30 days">Requests made with this key are counted here.</EmptyState>
      }
    />
  );
}
