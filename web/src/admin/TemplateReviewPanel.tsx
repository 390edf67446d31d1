/** One template as people will get it, and the decision on it. */
import { fillTemplate, placeholdersOfTemplate } from '@parley/contract/template_rules.ts';
import { decideTemplate } from '@parley/contract/templates.ts';
import { Link } from '@tanstack/react-router';
import { MessagePreview } from '../channels/preview/MessagePreview.tsx';
import { FilePlace } from '../channels/preview/PreviewFile.tsx';
import { useReason } from '../kernel/session.tsx';
import { MediaView } from '../media/MediaView.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Fields, SidePanel } from '../ui/SidePanel.tsx';
import { BoneLines } from '../ui/Skeletons.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import styles from './Admin.module.css';
import { accountPath } from './links.ts';
import { REQUEST_LOOKS } from './sender_words.ts';
import { TemplateDecision } from './TemplateDecision.tsx';
import type { TemplateReview } from './TemplateReviewsPage.tsx';
import { WebLink } from './WebLink.tsx';

export interface TemplateReviewPanelProps {
  id: string | null;
  /** Null while it is not among what has been loaded. */
  review: TemplateReview | null;
  loading: boolean;
  onClose: () => void;
  onDecided: (id: string) => void;
}

export function TemplateReviewPanel({ id, review, loading, onClose, onDecided }: TemplateReviewPanelProps) {
  return (
    <SidePanel
      wide
      open={id !== null}
      onClose={onClose}
      title={review?.name ?? 'Template'}
      line={
        review && (
          <>
            <StatusBadge status={review.status} words={REQUEST_LOOKS} />
            <Link to={accountPath(review.account_id)}>{review.company_name}</Link>
          </>
        )
      }
    >
      {review ? (
        <Opened key={`${review.id} ${review.status}`} review={review} onDecided={onDecided} />
      ) : loading ? (
        <div role="status" aria-label="Loading">
          <BoneLines lines={10} />
        </div>
      ) : (
        <p className={styles.hint}>It is not on this page of the queue. Look for it by its name, among all statuses.</p>
      )}
    </SidePanel>
  );
}

function Opened({ review, onDecided }: { review: TemplateReview; onDecided: (id: string) => void }) {
  const mayNot = useReason(decideTemplate.needs);
  const { type, get_url, thumbnail_url, url, filename } = review;
  const places = placeholdersOfTemplate(review);
  const { text, content } = fillTemplate(
    review,
    places.map(({ tag, fallback }) => fallback || tag),
  );
  const file = type !== 'text' && (
    <FilePlace
      type={type}
      name={type === 'document' ? (filename ?? '') : url ? new URL(url).host : ''}
      picture={thumbnail_url ?? (type === 'image' ? get_url : null)}
    />
  );
  return (
    <>
      <section className={styles.section}>
        <MessagePreview
          channel={review.channel}
          sender={review.company_name}
          text={text}
          content={content}
          {...(file ? { media: file } : {})}
        />
      </section>
      {type !== 'text' && get_url && (
        <section className={styles.section}>
          <h3>File</h3>
          <MediaView type={type} url={get_url} thumbnail_url={thumbnail_url} file_name={filename ?? review.name} />
        </section>
      )}
      <section className={styles.section}>
        <Fields
          fields={[
            ...(url ? [{ label: 'Link to the file', value: <WebLink url={url} /> }] : []),
            ...review.buttons.map((button) => ({
              label: `Button “${button.text}”`,
              value: <WebLink url={button.value} />,
            })),
            { label: 'Placeholders', value: places.map(({ tag }) => tag).join(', ') || 'None' },
            { label: 'Waiting or decided since', value: <DateTime value={review.update_date} /> },
            { label: 'Written', value: <DateTime value={review.create_date} /> },
            ...(review.reason ? [{ label: 'Rejected because', value: review.reason.text }] : []),
            ...(review.external_id ? [{ label: 'Provider’s id', value: review.external_id }] : []),
          ]}
        />
      </section>
      {review.status === 'IN_PROCESS' &&
        (mayNot ? <p className={styles.hint}>{mayNot}</p> : <TemplateDecision review={review} onDecided={onDecided} />)}
    </>
  );
}
