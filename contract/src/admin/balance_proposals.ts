/** Changes of a customer's balance that one operator proposes and another operator approves. */
import { z } from 'zod';
import { currency, idParams, listQuery, micros, problem, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import type { Need } from '../permission.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { TOP_UP_KINDS } from './top_ups.ts';

/** `refund` returns a card payment. `transfer` confirms a bank transfer. The other kinds need a reference. */
export const PROPOSAL_KINDS = [...TOP_UP_KINDS, 'correction', 'refund', 'transfer'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** The permission for each kind, which is the same as for the change without a proposal. */
export const PROPOSAL_NEEDS: Readonly<Record<ProposalKind, Need>> = {
  top_up: 'PAYMENTS:add',
  bonus: 'PAYMENTS:add',
  compensation: 'PAYMENTS:add',
  transfer: 'PAYMENTS:add',
  correction: 'PAYMENTS:edit',
  refund: 'PAYMENTS:edit',
};

/** `processing`: approved, and the payment provider has not confirmed the refund yet. */
export const PROPOSAL_STATUSES = ['waiting', 'processing', 'applied', 'rejected', 'expired', 'failed'] as const;
export const PROPOSAL_STATUS: Readonly<Record<(typeof PROPOSAL_STATUSES)[number], StatusWord>> = {
  waiting: statusWord('Waiting', 'wait', 'clock'),
  processing: statusWord('Processing', 'flight', 'progress'),
  applied: statusWord('Approved', 'ok', 'check'),
  rejected: statusWord('Rejected', 'fail', 'cross'),
  expired: statusWord('Expired', 'off', 'clock'),
  failed: statusWord('Failed', 'fail', 'alert'),
};

/** How long a proposal waits for another operator. */
export const PROPOSAL_DAYS = 7;

export const BalanceProposal = z.object({
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  status: z.enum(PROPOSAL_STATUSES),
  /** Without tax. */
  amount_micros: micros,
  currency,
  reason: z.string(),
  reference: z.string().nullable(),
  payment_id: z.string().nullable(),
  proposed_by: z.string(),
  /** True if the caller proposed it, and therefore cannot approve it. */
  is_own: z.boolean(),
  decided_by: z.string().nullable(),
  /** Why it was rejected, or why it failed. */
  decision_reason: z.string().nullable(),
  decide_date: timestamp.nullable(),
  expire_date: timestamp,
  create_date: timestamp,
});
export type BalanceProposal = z.output<typeof BalanceProposal>;

const reason = z.string().trim().min(3).max(200);

export const listProposals = endpoint({
  id: 'balance_proposals.list',
  method: 'GET',
  path: '/v1/balance_proposals',
  summary: 'List the balance changes that operators have proposed, newest first',
  needs: 'PAYMENTS:view',
  audience: 'operator',
  query: listQuery({ statuses: wordList(PROPOSAL_STATUSES), account_id: uuid() }),
  list: true,
  output: BalanceProposal,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const createProposal = endpoint({
  id: 'balance_proposals.create',
  method: 'POST',
  path: '/v1/accounts/{id}/balance_proposals',
  summary: 'Propose a change to an account’s balance. It takes effect when another operator approves it',
  needs: ['PAYMENTS:add', 'PAYMENTS:edit'],
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z.object({
    kind: z.enum(PROPOSAL_KINDS),
    /** Required, except for a bank transfer and for a refund of the entire remaining amount. */
    amount_micros: z
      .int()
      .min(1, { error: problem('TOP_UP_AMOUNT_INVALID') })
      .max(1_000_000_000_000, { error: problem('TOP_UP_AMOUNT_INVALID') })
      .optional(),
    reason,
    /** Required, except for a refund and a bank transfer. Each reference can be used once per account. */
    reference: z.string().trim().min(1).max(80).optional(),
    /** The payment of a refund or a bank transfer. */
    payment_id: uuid('PAYMENT_NOT_FOUND').optional(),
  }),
  status: 201,
  idempotent: true,
  output: BalanceProposal,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'OPERATOR_ONLY',
    'ACCOUNT_CLOSED',
    'TOP_UP_AMOUNT_INVALID',
    'TOP_UP_REFERENCE_USED',
    'PAYMENT_NOT_FOUND',
    'PAYMENT_NOT_IN_REVIEW',
    'PAYMENT_NOT_REFUNDABLE',
    'PAYMENT_AMOUNT_INVALID',
    'BALANCE_PROPOSAL_EXISTS',
  ],
});

export const decideProposal = endpoint({
  id: 'balance_proposals.decide',
  method: 'PUT',
  path: '/v1/accounts/{id}/balance_proposals/{proposal_id}',
  summary: 'Approve or reject a proposed change. Only another operator can approve it',
  needs: ['PAYMENTS:add', 'PAYMENTS:edit'],
  audience: 'operator',
  params: z.object({ id: uuid('ACCOUNT_NOT_FOUND'), proposal_id: uuid('BALANCE_PROPOSAL_NOT_FOUND') }),
  body: z.object({ status: z.enum(['approved', 'rejected']), reason: reason.optional() }),
  output: BalanceProposal,
  problems: [
    'BALANCE_PROPOSAL_NOT_FOUND',
    'OPERATOR_ONLY',
    'BALANCE_PROPOSAL_DECIDED',
    'BALANCE_PROPOSAL_OWN',
    'ACCOUNT_CLOSED',
    'TOP_UP_REFERENCE_USED',
    'PAYMENT_NOT_IN_REVIEW',
    'PAYMENT_NOT_REFUNDABLE',
    'PAYMENTS_OFF',
    'BALANCE_NOT_ENOUGH',
  ],
});

export const balanceProposalChanged = event({
  id: 'balance_proposal.changed',
  modules: ['balance_proposals'],
  needs: 'PAYMENTS:view',
  payload: z.object({ id: z.string() }),
});
