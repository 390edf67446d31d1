/** Proposing a change of a balance after the server has refused it for one operator. */
import { createProposal, PROPOSAL_DAYS, type ProposalKind } from '@parley/contract/admin/balance_proposals.ts';
import { useState } from 'react';
import { ApiError } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import type { ReasonRequest } from '../customers/ReasonDialog.tsx';

export const needsApproval = (error: unknown): boolean =>
  error instanceof ApiError && error.name === 'SECOND_OPERATOR_REQUIRED';

export const KIND_LABELS: Readonly<Record<ProposalKind, string>> = {
  top_up: 'Payment by the customer',
  bonus: 'Bonus',
  compensation: 'Compensation',
  correction: 'Correction',
  refund: 'Refund',
  transfer: 'Bank transfer',
};

export function usePropose(onDone: () => void) {
  return useAction(createProposal, {
    onSuccess: () => {
      toast.success('Approval requested');
      onDone();
    },
  });
}

interface PaymentTarget {
  id: string;
  payment_id: string;
}

/** The dialog for a change of a payment that another operator must approve. */
export function useProposalDialog() {
  const [request, setRequest] = useState<ReasonRequest | null>(null);
  const close = () => setRequest(null);
  const action = usePropose(close);
  /** Opens the dialog if the refusal is about the amount, and shows any other error. */
  const onRefused = (error: ApiError, kind: 'refund' | 'transfer', { id, payment_id }: PaymentTarget) => {
    if (!needsApproval(error)) return toastError(error);
    setRequest({
      title: kind === 'refund' ? 'Request approval of the refund' : 'Request approval of the bank transfer',
      text: `Another operator must approve this amount within ${PROPOSAL_DAYS} days.`,
      action: 'Request approval',
      hint: 'Shown to the other operator.',
      onDone: (reason) => action.mutate({ params: { id }, body: { kind, payment_id, reason } }),
    });
  };
  return { request, busy: action.isPending, close, onRefused };
}
