/**
 * Operators decide only on the revision that they have seen. While a request is waiting for more information, the
 * customer can change the form, so the request cannot be approved. Afterwards, it can be approved only in its new
 * revision.
 */
import { Problem } from '@parley/contract/problem.ts';

interface OpenRequest {
  status: string;
  info_requested: boolean;
  revision: number;
}

/** Throws ALREADY_DECIDED if the request waits for the customer or has another revision. */
export function requireRevision(
  request: OpenRequest,
  verdict: { decision: string; revision?: number | undefined },
): void {
  if (request.status !== 'IN_PROCESS') throw new Problem('ALREADY_DECIDED');
  if (verdict.revision !== undefined && verdict.revision !== request.revision)
    throw new Problem('ALREADY_DECIDED', { message: 'The request has changed since you opened it. Review it again' });
  if (request.info_requested && verdict.decision === 'approve')
    throw new Problem('ALREADY_DECIDED', { message: 'The request is waiting for more information from the customer' });
}
