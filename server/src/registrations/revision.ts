/**
 * An operator decides only on the revision they have seen. While a request waits for more information the customer can
 * change the form, so it cannot be approved then, and afterwards only in its new revision.
 */
import { Problem } from '@parley/contract/problem.ts';

interface OpenRequest {
  status: string;
  info_requested: boolean;
  revision: number;
}

/** Problem ALREADY_DECIDED. */
export function demandRevision(request: OpenRequest, given: { decision: string; revision?: number | undefined }): void {
  if (request.status !== 'IN_PROCESS') throw new Problem('ALREADY_DECIDED');
  if (given.revision !== undefined && given.revision !== request.revision)
    throw new Problem('ALREADY_DECIDED', { message: 'The request has changed since you opened it. Review it again' });
  if (request.info_requested && given.decision === 'approve')
    throw new Problem('ALREADY_DECIDED', { message: 'The request waits for more information from the customer' });
}
