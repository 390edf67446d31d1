/** Approvals: a person decides about a message that exceeds what a key may send without one. */
import { z } from 'zod';
import { idParams, listQuery, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { createMessage } from '../messages/messages.ts';
import { MessageRehearsal, rehearseMessage } from '../messages/rehearsals.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'declined', 'used', 'expired'] as const;
export const APPROVAL_STATUS: Readonly<Record<(typeof APPROVAL_STATUSES)[number], StatusWord>> = {
  pending: statusWord('Waiting', 'wait', 'clock'),
  approved: statusWord('Approved', 'ok', 'check'),
  declined: statusWord('Declined', 'fail', 'cross'),
  used: statusWord('Sent', 'ok', 'check'),
  expired: statusWord('Expired', 'off', 'clock'),
};

/** How long a request waits for a person, and how long an approval's token is valid. */
export const PENDING_HOURS = 24;
export const TOKEN_MINUTES = 10;

export const SendApproval = z.object({
  id: z.string(),
  account_id: z.string(),
  key_id: z.string(),
  key_name: z.string().nullable(),
  status: z.enum(APPROVAL_STATUSES),
  /** The messages that would be sent, as rehearsed when the approval was requested. */
  rehearsal: MessageRehearsal,
  /** The token for the header `Approval-Token`. Returned once: when the approval is granted. */
  token: z.string().nullable(),
  decided_by: z.string().nullable(),
  decide_date: timestamp.nullable(),
  /** When the request or the token of its approval expires. */
  expire_date: timestamp,
  create_date: timestamp,
});
export type SendApproval = z.output<typeof SendApproval>;

export const requestApproval = endpoint({
  id: 'send_approvals.create',
  method: 'POST',
  path: '/v1/send_approvals',
  summary: 'Request approval for a message that an API key may not send without it',
  needs: 'MESSAGES:add',
  body: createMessage.body,
  status: 201,
  output: SendApproval,
  problems: rehearseMessage.problems,
});

export const listApprovals = endpoint({
  id: 'send_approvals.list',
  method: 'GET',
  path: '/v1/send_approvals',
  summary: 'List the approvals that API keys requested in the last 30 days, newest first',
  needs: 'MESSAGES:view',
  audience: 'session',
  query: listQuery({}),
  list: true,
  output: SendApproval,
  problems: [],
});

export const getApproval = endpoint({
  id: 'send_approvals.get',
  method: 'GET',
  path: '/v1/send_approvals/{id}',
  summary: 'Get a requested approval',
  needs: 'MESSAGES:view',
  audience: 'session',
  params: idParams('SEND_APPROVAL_NOT_FOUND'),
  output: SendApproval,
  problems: ['SEND_APPROVAL_NOT_FOUND'],
});

export const decideApproval = endpoint({
  id: 'send_approvals.decide',
  method: 'PUT',
  path: '/v1/send_approvals/{id}',
  summary: 'Approve or decline a message; only the response to an approval contains its token',
  needs: 'MESSAGES:add',
  audience: 'person',
  params: idParams('SEND_APPROVAL_NOT_FOUND'),
  body: z.object({ status: z.enum(['approved', 'declined']) }),
  masks: ['token'],
  output: SendApproval,
  problems: ['SEND_APPROVAL_NOT_FOUND', 'SEND_APPROVAL_DECIDED'],
});

/** Contains no part of the message. */
export const approvalChanged = event({
  id: 'send_approval.changed',
  modules: ['send_approvals'],
  needs: 'MESSAGES:view',
  payload: z.object({ id: z.string() }),
});
