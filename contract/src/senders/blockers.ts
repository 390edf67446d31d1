/** Contacts that are blocked for one sender: stop list entries for that sender. */
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
  params: idParams('SENDER_NOT_FOUND'),
  body: z.object({
    number: z
      .string({ error: problem('CONTACT_NUMBER_REQUIRED') })
      .trim()
      .min(1, { error: problem('CONTACT_NUMBER_REQUIRED') })
      .max(45, { error: problem('CONTACT_NUMBER_TOO_LONG') }),
  }),
  status: 201,
  idempotent: true,
  output: StopListEntry,
  problems: [
    'STOP_LIST_ENTRY_EXISTS',
    'CONTACT_NUMBER_REQUIRED',
    'CONTACT_NUMBER_INVALID',
    'CONTACT_NUMBER_TOO_LONG',
    'SENDER_NOT_FOUND',
  ],
});
export const removeBlocker = endpoint({
  id: 'senders.remove_blocker',
  method: 'DELETE',
  path: '/v1/senders/{id}/blockers/{blocker_id}',
  summary: 'Unblock a contact for this sender',
  needs: 'SENDERS:edit',
  params: z.object({ id: uuid('SENDER_NOT_FOUND'), blocker_id: uuid('BLOCKED_CONTACT_NOT_FOUND') }),
  status: 204,
  output: z.null(),
  problems: ['SENDER_NOT_FOUND', 'BLOCKED_CONTACT_NOT_FOUND'],
});
