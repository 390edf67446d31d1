/** The next and the past runs of a repeating campaign or an automation. */
import { Button } from '@mantine/core';
import { type Campaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { skipRun } from '@parley/contract/campaigns/runs.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { IconPlayerSkipForward } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { campaignPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from '../Campaigns.module.css';
import { statusReason } from '../status_reason.ts';

const SHOWN = 20;

export default function Series({ campaign }: { campaign: Campaign }) {
  return (
    <>
      <NextRuns campaign={campaign} />
      <PastRuns campaign={campaign} />
    </>
  );
}

function NextRuns({ campaign: { id, next_runs, status } }: { campaign: Campaign }) {
  const skip = useAction(skipRun, {
    invalidates: ['campaigns'],
    onSuccess: () => toast.success('Next run skipped'),
  });
  const [next] = next_runs;
  if (!next || status === 'in_complete') return null;
  return (
    <section className={`${styles.forecast} ${styles.part}`} aria-label="Next runs">
      <h2>Next runs</h2>
      <ol className={styles.runs}>
        {next_runs.map((run) => (
          <li key={run}>
            <DateTime value={run} />
          </li>
        ))}
      </ol>
      <Allow needs={skipRun.needs}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerSkipForward size={14} aria-hidden />}
          loading={skip.isPending}
          onClick={() => skip.mutate({ params: { id }, body: { schedule: next } })}
        >
          Skip next run
        </Button>
      </Allow>
    </section>
  );
}

function PastRuns({ campaign: { id, trigger } }: { campaign: Campaign }) {
  const title = trigger ? 'Runs' : 'Past runs';
  const query = useEndpoint(listCampaigns, { query: { page_size: SHOWN, filter: { series_id: id } } });
  const runs = query.data?.data;
  if (query.error && !runs)
    return (
      <ErrorState title="The runs could not be loaded" onRetry={() => void query.refetch()} retrying={query.isFetching}>
        {query.error.message}
      </ErrorState>
    );
  if (!runs) return <SkeletonLines lines={3} />;
  return (
    <section className={`${styles.forecast} ${styles.part}`} aria-label={title}>
      <h2>{title}</h2>
      {runs.length === 0 ? (
        <p className={styles.forecastNote}>No run has started yet.</p>
      ) : (
        <div className={styles.forecastBox}>
          <table className={styles.forecastTable}>
            <thead>
              <tr>
                <th scope="col">Run</th>
                <th scope="col">Status</th>
                <th scope="col">Recipients</th>
                <th scope="col">Delivered</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.id}>
                  <th scope="row">
                    <Link to={campaignPath(run)}>
                      <bdi>{run.name}</bdi>
                    </Link>
                  </th>
                  <td>
                    <StatusBadge {...CAMPAIGN_STATUS[run.status]} />
                    {run.status_details && <p className={styles.forecastNote}>{statusReason(run)}</p>}
                  </td>
                  <td>{formatNumber(run.fanned_out)}</td>
                  <td>{formatNumber(run.messages.delivered)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
