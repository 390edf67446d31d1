/** Counts the items awaiting operators, for their menu entries. Renders nothing. */
import { listRequests } from '@parley/contract/admin/requests.ts';
import { listMessageReviews } from '@parley/contract/guard/message_reviews.ts';
import { useEffect } from 'react';
import type { CallInput } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';

/** Undefined until they are known, and without permission. */
export interface Queues {
  requests?: number | undefined;
  reviews?: number | undefined;
}

const REQUESTS: CallInput<typeof listRequests> = { query: { page_size: 10, filter: { statuses: ['waiting'] } } };
const REVIEWS: CallInput<typeof listMessageReviews> = { query: { page_size: 10, filter: { state: 'waiting' } } };

export default function OperatorQueues({ onChange }: { onChange: (queues: Queues) => void }) {
  const mayDecide = useReason(['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view']) === null;
  const mayReview = useReason(listMessageReviews.needs) === null;
  const requests = useEndpoint(listRequests, REQUESTS, { enabled: mayDecide }).data?.pagination?.total;
  const reviews = useEndpoint(listMessageReviews, REVIEWS, { enabled: mayReview }).data?.pagination?.total;
  useEffect(() => onChange({ requests, reviews }), [requests, reviews, onChange]);
  return null;
}
