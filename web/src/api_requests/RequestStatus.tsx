import { OUTCOME_STATUS, readOutcome } from '@parley/contract/api_requests/api_requests.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';

/** The HTTP status of a response, in the color of its outcome. */
export function RequestStatus({ status }: { status: number }) {
  return <StatusBadge {...OUTCOME_STATUS[readOutcome(status)]} label={String(status)} />;
}
