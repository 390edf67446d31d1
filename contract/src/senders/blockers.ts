/** Contacts that are blocked for one sender: entries of the stop list that name it. */
import { z } from 'zod';
import { StopListEntry } from '../audiences/stop_list.ts';
import { idParams, problem, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const createBlocker = endpoint({
  id: 'senders.create_blocker',
  method: 'POST',
  path: '/v1/senders/{id}/blockers',
  summary: 'Block a contact for this sender',
  needs: 'SENDERS:edit',
  params: idParams(1402),
  body: z.object({
    number: z
      .string({ error: problem(1353) })
      .trim()
      .min(1, { error: problem(1353) })
      .max(45, { error: problem(1355) }),
  }),
  status: 201,
  idempotent: true,
  output: StopListEntry,
  problems: [1003, 1353, 1354, 1355, 1402],
});
export const removeBlocker = endpoint({
  id: 'senders.remove_blocker',
  method: 'DELETE',
  path: '/v1/senders/{id}/blockers/{blocker_id}',
  summary: 'Unblock a contact for this sender',
  needs: 'SENDERS:edit',
  params: z.object({ id: uuid(1402), blocker_id: uuid(1481) }),
  status: 204,
  output: z.null(),
  problems: [1402, 1481],
});
