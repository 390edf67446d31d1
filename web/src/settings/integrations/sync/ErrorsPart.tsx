import { Button } from '@mantine/core';
import { type CrmSync, listCrmSyncErrors, retryCrmSync } from '@parley/contract/crm/sync.ts';
import { useAction, useEndpoint } from '../../../kernel/http/query.ts';
import { formatCount } from '../../../ui/data/format.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/feedback/Skeletons.tsx';
import { toast } from '../../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../../ui/form/FormParts.tsx';
import settings from '../../Settings.module.css';
import styles from './Sync.module.css';

const SHOWN = 50;

/** The people that could not be synced, each with the reason. */
export function ErrorsPart({ sync: { provider, failed_count, is_on } }: { sync: CrmSync }) {
  const params = { provider };
  const input = { params, query: { page_size: SHOWN } };
  const query = useEndpoint(listCrmSyncErrors, input, { refetchInterval: 5_000 });
  const retry = useAction(retryCrmSync, {
    onSuccess: ({ data }) =>
      toast.success(`${formatCount(data.retried_count, 'person', 'people')} will be tried again`),
  });
  if (query.error)
    return (
      <ErrorState title="The list could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={3} />;
  return (
    <>
      <ul className={settings.rows} aria-label="People who could not be synced">
        {query.data.data.map(({ id, name, number, record_id, error }) => (
          <li key={id}>
            <span className={settings.rowText}>
              <bdi className={settings.rowName}>{name ?? (number ? `+${number}` : `Record ${record_id}`)}</bdi>
              <span className={styles.changes}>{error}</span>
            </span>
            <Button
              variant="default"
              size="xs"
              disabled={!is_on || retry.isPending}
              onClick={() => retry.mutate({ params, body: { id } })}
            >
              Retry
            </Button>
          </li>
        ))}
      </ul>
      {failed_count > SHOWN && <p className={settings.hint}>The newest {SHOWN} are shown.</p>}
      <Buttons>
        <Button
          variant="default"
          disabled={!is_on}
          loading={retry.isPending}
          onClick={() => retry.mutate({ params, body: {} })}
        >
          Retry all
        </Button>
      </Buttons>
    </>
  );
}
