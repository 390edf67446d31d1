/** The panel of one request, of any kind. */
import { customerChanged } from '@parley/contract/admin/customers.ts';
import {
  getRequest,
  KIND_LABELS,
  REQUEST_STATUS,
  type Request,
  requestChanged,
} from '@parley/contract/admin/requests.ts';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { onLive } from '../../kernel/live/live.ts';
import { accountPath } from '../../paths.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import { RequestContent } from './RequestContent.tsx';
import { waitingTime } from './request_words.ts';

interface RequestPanelProps {
  id: string | null;
  onClose: () => void;
  onDecided: (id: string) => void;
}

export function RequestPanel({ id, onClose, onDecided }: RequestPanelProps) {
  const query = useEndpoint(getRequest, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 });
  const request = id && query.data?.data.id === id ? query.data.data : null;
  useLiveRefetch(id, request, query.refetch);
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={request?.name ?? 'Request'}
      description={request && <Description request={request} />}
      recordId={request?.id}
    >
      {request ? (
        <RequestContent key={request.id} request={request} onDecided={onDecided} />
      ) : query.error ? (
        <ErrorState
          title="The request could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

/** Reloads the request when it changes. A company verification also reloads when its account changes. */
function useLiveRefetch(id: string | null, request: Request | null, refetch: () => unknown): void {
  const account_id = request?.kind === 'company' ? request.account_id : null;
  useEffect(() => {
    if (id === null) return;
    const unsubscribe = [
      onLive(requestChanged, (changed) => changed.id === id && void refetch()),
      onLive(customerChanged, (changed) => changed.id === account_id && void refetch()),
    ];
    return () => {
      for (const stop of unsubscribe) stop();
    };
  }, [id, account_id, refetch]);
}

const Description = ({ request }: { request: Request }) => (
  <>
    <StatusBadge {...REQUEST_STATUS[request.status]} />
    {KIND_LABELS[request.kind]}
    <Link to={accountPath(request.account_id)}>{request.company_name}</Link>
    {request.status === 'waiting' && <span>waiting for {waitingTime(request.create_date)}</span>}
  </>
);
