/**
 * What is decided was looked at: while an answer is awaited the customer may change the form and the name it is about, so nothing is approved then, and
 * afterwards only by somebody who has the answered form before them.
 */
import { Problem } from '@parley/contract/problem.ts';

interface Decided {
  status: string;
  asked: boolean;
  revision: number;
}

export function demandSeen(request: Decided, given: { decision: string; revision?: number | undefined }): void {
  if (request.status !== 'IN_PROCESS') throw new Problem(1156);
  if (given.revision !== undefined && given.revision !== request.revision)
    throw new Problem(1156, { message: 'The request has changed since you opened it: look at it again' });
  if (request.asked && given.decision === 'approve')
    throw new Problem(1156, { message: 'The customer’s answer is awaited: it can be approved when it has come' });
}
