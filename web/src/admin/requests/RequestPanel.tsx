/** The panel of one request, of any kind. J and K open the next and the previous request of the queue. */
import { ActionIcon } from '@mantine/core';
import { customerChanged } from '@parley/contract/admin/customers.ts';
import { getRequest, KIND_LABELS, type Request, requestChanged } from '@parley/contract/admin/requests.ts';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { onLive } from '../../kernel/live/live.ts';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { accountPath } from '../../paths.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import { RequestContent } from './RequestContent.tsx';
import { REQUEST_STATUS_WORDS, waitingTime } from './request_words.ts';

type Step = (() => void) | undefined;

interface RequestPanelProps {
  id: string | null;
  onClose: () => void;
  onDecided: (id: string) => void;
  /** Undefined for the first and the last request of the page. */
  onPrevious: Step;
  onNext: Step;
}

export function RequestPanel({ id, onClose, onDecided, onPrevious, onNext }: RequestPanelProps) {
  const query = useEndpoint(getRequest, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 });
  const request = id && query.data?.data.id === id ? query.data.data : null;
  useLiveRefetch(id, request, query.refetch);
  useShortcuts('Request', [
    {
      keys: 'J',
      label: 'Next request',
      run: () => onNext?.(),
      when: () => id !== null && onNext !== undefined,
      inDialogs: true,
    },
    {
      keys: 'K',
      label: 'Previous request',
      run: () => onPrevious?.(),
      when: () => id !== null && onPrevious !== undefined,
      inDialogs: true,
    },
  ]);
  return (
    <SidePanel
      wide
      open={id !== null}
      onClose={onClose}
      title={request?.name ?? 'Request'}
      description={request && <Description request={request} onPrevious={onPrevious} onNext={onNext} />}
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

type DescriptionProps = Pick<RequestPanelProps, 'onPrevious' | 'onNext'> & { request: Request };

const Description = ({ request, onPrevious, onNext }: DescriptionProps) => (
  <>
    <StatusBadge status={request.status} words={REQUEST_STATUS_WORDS} />
    {KIND_LABELS[request.kind]}
    <Link to={accountPath(request.account_id)}>{request.company_name}</Link>
    {request.status === 'waiting' && <span>waiting for {waitingTime(request.create_date)}</span>}
    <StepButton label="Previous request" shortcut="K" onStep={onPrevious}>
      <IconChevronUp size={16} aria-hidden />
    </StepButton>
    <StepButton label="Next request" shortcut="J" onStep={onNext}>
      <IconChevronDown size={16} aria-hidden />
    </StepButton>
  </>
);

interface StepButtonProps {
  label: string;
  shortcut: string;
  onStep: Step;
  children: ReactNode;
}

const StepButton = ({ label, shortcut, onStep, children }: StepButtonProps) => (
  <Tooltip label={`${label} (${shortcut})`}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-disabled={!onStep || undefined}
      data-disabled={!onStep || undefined}
      onClick={() => onStep?.()}
    >
      {children}
    </ActionIcon>
  </Tooltip>
);
