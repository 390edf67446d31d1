/** The panel of one message: the rule, the highlighted text, its sender, and the decision. */
import { Button } from '@mantine/core';
import { CONTENT_KIND_WORDS } from '@parley/contract/guard/content_rules.ts';
import {
  decideMessageReviews,
  getMessageReview,
  type MessageReview,
  REVIEW_STATUS,
} from '@parley/contract/guard/message_reviews.ts';
import { messageReviewsChanged } from '@parley/contract/guard/review_events.ts';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { onLive } from '../../kernel/live/live.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { SOURCE_WORDS } from '../../messages/words.ts';
import { accountPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Buttons } from '../../ui/form/FormParts.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import type { useDecision } from './decision.ts';
import { MarkedText } from './MarkedText.tsx';
import styles from './Reviews.module.css';

type Ask = ReturnType<typeof useDecision>['ask'];

interface ReviewPanelProps {
  id: string | null;
  onClose: () => void;
  onDecide: Ask;
}

export function ReviewPanel({ id, onClose, onDecide }: ReviewPanelProps) {
  const query = useEndpoint(getMessageReview, { params: { id: id ?? '' } }, { enabled: id !== null });
  const review = id && query.data?.data.id === id ? query.data.data : null;
  const { refetch } = query;
  useEffect(() => (id === null ? undefined : onLive(messageReviewsChanged, () => void refetch())), [id, refetch]);
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={review?.rule_name ?? 'Review'}
      description={
        review && (
          <>
            <StatusBadge {...REVIEW_STATUS[review.state]} />
            {CONTENT_KIND_WORDS[review.kind].label}
          </>
        )
      }
      recordId={review?.id}
    >
      {review ? (
        <ReviewContent review={review} onDecide={onDecide} />
      ) : query.error ? (
        <ErrorState
          title="The message could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

function ReviewContent({ review, onDecide }: { review: MessageReview; onDecide: Ask }) {
  const hidden = review.matches.filter(({ start }) => start === null);
  return (
    <div className={styles.sections}>
      {review.possible_duplicate && (
        <Notice tone="wait">
          The database was restored while this message was waiting, so it may have been released and sent before.
        </Notice>
      )}
      <section>
        <h3 className={styles.heading}>Message</h3>
        <MarkedText text={review.text} matches={review.matches} />
        {hidden.length > 0 && (
          <p className={styles.hint}>
            {`Also found in a link, button, or fallback: ${[...new Set(hidden.map(({ what }) => what))].join(', ')}`}
          </p>
        )}
      </section>
      <Facts review={review} />
      {review.state === 'waiting' && <Decision review={review} onDecide={onDecide} />}
    </div>
  );
}

const Decision = ({ review, onDecide }: { review: MessageReview; onDecide: Ask }) => (
  <Buttons>
    <Allow needs={decideMessageReviews}>
      <Button onClick={() => onDecide('release', [review])}>Release</Button>
    </Allow>
    <Allow needs={decideMessageReviews}>
      <Button color="red" onClick={() => onDecide('reject', [review])}>
        Reject
      </Button>
    </Allow>
    <Allow needs={decideMessageReviews}>
      <Button variant="default" onClick={() => onDecide('release', [review], undefined, { like: true })}>
        Release all like this
      </Button>
    </Allow>
    <Allow needs={decideMessageReviews}>
      <Button variant="default" onClick={() => onDecide('reject', [review], undefined, { like: true })}>
        Reject all like this
      </Button>
    </Allow>
  </Buttons>
);

function Facts({ review }: { review: MessageReview }) {
  const { matches, reason, reviewer_name, decide_date, campaign_name, message_count } = review;
  const facts = [
    { label: 'Found', value: [...new Set(matches.map(({ what }) => what))].join(', ') },
    { label: 'Account', value: <Link to={accountPath(review.account_id)}>{review.company_name}</Link> },
    { label: 'From', value: <PhoneNumber value={review.from} /> },
    { label: 'To', value: <PhoneNumber value={review.to} /> },
    { label: 'Country', value: countryName(review.country) },
    { label: 'Sent by', value: SOURCE_WORDS[review.source as keyof typeof SOURCE_WORDS] ?? review.source },
    { label: 'Campaign', value: campaign_name, when: campaign_name !== null },
    { label: 'Messages', value: message_count, when: message_count > 1 },
    { label: 'Since', value: <DateTime value={review.create_date} /> },
    { label: 'Expires', value: <DateTime value={review.expire_date} />, when: review.state === 'waiting' },
    { label: 'Decided', value: <DateTime value={decide_date} />, when: decide_date !== null },
    { label: 'Decided by', value: reviewer_name, when: reviewer_name !== null },
    { label: 'Reason', value: reason, when: reason !== null },
  ];
  return <Fields fields={facts.filter(({ when }) => when !== false)} />;
}
