/** Asks for a reason, then releases or rejects messages. */
import {
  decideMessageReviews,
  type MessageReview,
  type ReviewDecision,
} from '@parley/contract/guard/message_reviews.ts';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import type { ReasonRequest } from '../customers/ReasonDialog.tsx';

export interface DecisionOptions {
  /** Also decides the other waiting messages of the same account, rule, and campaign. */
  like?: boolean;
}

export function useDecision(onDecided: () => void) {
  const [request, setRequest] = useState<ReasonRequest | null>(null);
  const [onDone, setOnDone] = useState<(() => void) | null>(null);
  const close = () => setRequest(null);
  const action = useAction(decideMessageReviews, {
    onSuccess: ({ data }, input) => {
      const word = input.body.decision === 'release' ? 'released' : 'rejected';
      const others = input.body.like ? '. The rest are being processed in the background' : '';
      toast.success(`${formatCount(data.decided, 'message')} ${word}${others}`);
      close();
      onDone?.();
      onDecided();
    },
    onError: (error) => {
      close();
      toast.error(error.message);
    },
  });
  const ask = (
    decision: ReviewDecision,
    rows: readonly Pick<MessageReview, 'id'>[],
    clear: () => void = () => {},
    { like = false }: DecisionOptions = {},
  ) => {
    setOnDone(() => clear);
    const count = like ? 'all messages like this' : formatCount(rows.length, 'message');
    const isRelease = decision === 'release';
    setRequest({
      title: `${isRelease ? 'Release' : 'Reject'} ${count}?`,
      text: isRelease
        ? 'The messages are sent now.'
        : 'The messages fail, and their holds are released. Owners get an email with your reason.',
      action: isRelease ? 'Release' : 'Reject',
      ...(isRelease ? {} : { danger: true }),
      hint: isRelease ? 'Recorded in the audit log.' : 'Recorded in the audit log, and shown to the customer.',
      onDone: (reason) => action.mutate({ body: { decision, reason, ids: rows.map(({ id }) => id), like } }),
    });
  };
  return { request, close, busy: action.isPending, ask };
}
