/** One form: what the company says, what can be checked about it, what came of it before; and the decision. */
import type { AccountReview } from '@parley/contract/company.ts';
import { decideReview, getReview } from '@parley/contract/customers.ts';
import type { Data } from '@parley/contract/endpoint.ts';
import { INDUSTRIES } from '@parley/contract/industries.ts';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useEndpoint } from '../kernel/query.ts';
import { useReason } from '../kernel/session.tsx';
import { countryName } from '../ui/countries.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Fields, SidePanel } from '../ui/SidePanel.tsx';
import { BoneLines } from '../ui/Skeletons.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import styles from './Admin.module.css';
import { INTERESTS, REVIEW_WORDS, VOLUMES } from './account_words.ts';
import { DecisionForm } from './DecisionForm.tsx';
import { accountPath } from './links.ts';
import review_styles from './Review.module.css';
import { WebLink } from './WebLink.tsx';

type Review = Data<typeof getReview>;

export interface ReviewPanelProps {
  id: string | null;
  onClose: () => void;
  onDecided: (id: string) => void;
}

export function ReviewPanel({ id, onClose, onDecided }: ReviewPanelProps) {
  // The website is asked for every time: what it said a minute ago is good enough.
  const answer = useEndpoint(getReview, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 });
  const review = id && answer.data?.data.id === id ? answer.data.data : null;
  return (
    <SidePanel
      wide
      open={id !== null}
      onClose={onClose}
      title={review?.form.company_name ?? 'Verification'}
      line={
        review && (
          <>
            <StatusBadge status={review.status} words={REVIEW_WORDS} />
            <DateTime value={review.create_date} />
            <Link to={accountPath(review.account_id)}>Account</Link>
          </>
        )
      }
    >
      {answer.error && !review ? (
        <ErrorState
          title="The form could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : review ? (
        <Opened key={review.id} review={review} onDecided={onDecided} />
      ) : (
        <div role="status" aria-label="Loading">
          <BoneLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

function Opened({ review, onDecided }: { review: Review; onDecided: (id: string) => void }) {
  const mayDecide = useReason(decideReview.needs);
  const findings = useRef<HTMLHeadingElement>(null);
  // From one form to the next the keyboard begins at the top again.
  useEffect(() => findings.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <section className={styles.section}>
        <h3 ref={findings} tabIndex={-1} className={review_styles.first}>
          What can be checked
        </h3>
        <ul className={review_styles.findings}>
          {review.findings.map(({ level, text }) => (
            <li key={text} data-level={level}>
              {level === 'good' ? (
                <IconCircleCheck size={17} role="img" aria-label="Good" />
              ) : (
                <IconAlertTriangle size={17} role="img" aria-label="Look at this" />
              )}
              {text}
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.section}>
        <h3>What they say</h3>
        <Form review={review} />
      </section>
      {review.earlier.length > 0 && (
        <section className={styles.section}>
          <h3>Earlier forms</h3>
          <ul className={review_styles.earlier}>
            {review.earlier.map((one) => (
              <li key={one.id}>
                <Came review={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles.section}>
        <h3>Decision</h3>
        {review.status !== 'OPEN' ? (
          <Came review={review} />
        ) : mayDecide ? (
          <p className={styles.hint}>{mayDecide}</p>
        ) : (
          <DecisionForm review={review} onDecided={onDecided} />
        )}
      </section>
    </>
  );
}

function Came({ review }: { review: AccountReview }) {
  return (
    <div className={review_styles.came}>
      <div className={review_styles.cameHead}>
        <StatusBadge status={review.status} words={REVIEW_WORDS} />
        <span className={styles.count}>
          {review.reviewer_name && `${review.reviewer_name} · `}
          <DateTime value={review.decide_date ?? review.create_date} />
        </span>
      </div>
      {review.reason && <p>{review.reason}</p>}
    </div>
  );
}

function Form({ review: { form, customer } }: { review: Review }) {
  return (
    <Fields
      fields={[
        { label: 'Country', value: countryName(form.country_code) },
        { label: 'Address', value: form.company_address },
        { label: 'Website', value: <WebLink url={form.company_website} /> },
        { label: 'Industry', value: INDUSTRIES[form.industry_id] ?? '–' },
        { label: 'Employees', value: form.company_size },
        { label: 'VAT or tax number', value: form.vat_number || '–' },
        { label: 'Messages a month', value: VOLUMES[form.monthly_volume] ?? form.monthly_volume },
        { label: 'Interested in', value: form.interests.map((one) => INTERESTS[one] ?? one).join(', ') },
        { label: 'What they send', value: form.use_case },
        { label: 'Owner', value: [customer.owner_name, customer.owner_email].filter(Boolean).join(' · ') || '–' },
        { label: 'Signed up', value: <DateTime value={customer.create_date} /> },
      ]}
    />
  );
}
