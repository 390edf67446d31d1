/** A request: its automatic checks, the submitted form, documents, history, other requests, and the decision. */

import { Anchor } from '@mantine/core';
import { AUDIT_PHRASES } from '@parley/contract/accounts/audit_log.ts';
import {
  KIND_LABELS,
  REQUEST_STATUS,
  type Request,
  type RequestDetail,
  requestPermission,
} from '@parley/contract/admin/requests.ts';
import { FILE_LABELS } from '@parley/contract/registrations/access_files.ts';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useReason } from '../../kernel/session/session.tsx';
import { REQUESTS } from '../../paths.ts';
import { CarrierCode } from '../../senders/CarrierCode.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatBytes } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { usePresence } from './presence.ts';
import { RequestDecision } from './RequestDecision.tsx';
import { RequestedTemplate } from './RequestedTemplate.tsx';
import review_styles from './Review.module.css';
import { requestFields } from './request_fields.tsx';
import { DECISION_WORDS } from './request_words.ts';

interface RequestContentProps {
  request: RequestDetail;
  onDecided: (id: string) => void;
}

export function RequestContent({ request, onDecided }: RequestContentProps) {
  const [initial] = useState(request);
  return (
    <>
      <ChangeNotices initial={initial} request={request} />
      <Section title="Checks">
        <Findings findings={request.findings} />
      </Section>
      <Section title="Request">
        <Fields fields={requestFields(request)} />
      </Section>
      {request.template && <RequestedTemplate request={request} requested={request.template} />}
      {request.documents.length > 0 && <Documents documents={request.documents} />}
      {request.history.length > 0 && <History history={request.history} />}
      {request.others.length > 0 && (
        <Section title="Other requests from this company">
          <ul className={review_styles.history}>
            {request.others.map((other) => (
              <li key={other.id}>
                <RequestSummary request={other} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <DecisionSection request={request} onDecided={onDecided} />
    </>
  );
}

interface SectionProps {
  title: string;
  children: ReactNode;
}

const Section = ({ title, children }: SectionProps) => (
  <section className={styles.section}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** Shows the operator who else has the request open, and the changes since it was opened here. */
function ChangeNotices({ initial, request }: { initial: RequestDetail; request: RequestDetail }) {
  const others = usePresence(request.id);
  const isDecided = initial.status !== request.status;
  const isResubmitted = !isDecided && initial.revision !== request.revision;
  const decider = request.status === 'withdrawn' ? '' : request.reviewer_name;
  return (
    <>
      {others.length > 0 && (
        <Notice tone="info" className={review_styles.notice}>
          {others.join(' and ')} {others.length === 1 ? 'has' : 'have'} this request open too.
        </Notice>
      )}
      {isDecided && (
        <Notice tone="wait" className={review_styles.notice}>
          {decider || 'The customer'} {DECISION_WORDS[request.status]} while you had it open.
        </Notice>
      )}
      {isResubmitted && (
        <Notice tone="wait" className={review_styles.notice}>
          The customer resubmitted this request while you had it open. This is the latest version.
        </Notice>
      )}
    </>
  );
}

const Findings = ({ findings }: Pick<RequestDetail, 'findings'>) => (
  <ul className={review_styles.findings}>
    {findings.map(({ level, text }) => (
      <li key={text} data-level={level}>
        {level === 'good' ? (
          <IconCircleCheck size={17} role="img" aria-label="Passed" />
        ) : (
          <IconAlertTriangle size={17} role="img" aria-label="Warning" />
        )}
        {text}
      </li>
    ))}
  </ul>
);

const Documents = ({ documents }: Pick<RequestDetail, 'documents'>) => (
  <Section title="Documents">
    <ul className={review_styles.findings}>
      {documents.map((file) => (
        <li key={file.id}>
          <span>
            <Anchor underline="always" href={file.url} inherit>
              {file.file_name}
            </Anchor>{' '}
            <span className={styles.count}>
              {FILE_LABELS[file.kind]}, {formatBytes(file.bytes)}
            </span>
          </span>
        </li>
      ))}
    </ul>
  </Section>
);

const History = ({ history }: Pick<RequestDetail, 'history'>) => (
  <Section title="History">
    <ol className={review_styles.history}>
      {history.map(({ id, action, actor_name, text, create_date }) => (
        <li key={id} className={review_styles.historyEntry}>
          <span className={styles.count}>
            <DateTime value={create_date} />
          </span>{' '}
          {actor_name || 'Someone'} {AUDIT_PHRASES[action] ?? action}
          {text && `: ${text}`}
        </li>
      ))}
    </ol>
  </Section>
);

function RequestSummary({ request }: { request: Request }) {
  return (
    <div className={review_styles.summary}>
      <div className={review_styles.summaryHead}>
        <Link to={REQUESTS} search={{ open: request.id } as never}>
          <strong>{request.name}</strong>
        </Link>
        {KIND_LABELS[request.kind]}
        <StatusBadge {...REQUEST_STATUS[request.status]} />
        <span className={styles.count}>
          {request.reviewer_name && `${request.reviewer_name} · `}
          <DateTime value={request.decide_date ?? request.create_date} />
        </span>
      </div>
      {request.words && <p>{request.words}</p>}
    </div>
  );
}

/** Shows the decision already made, and the form for the next decision if the operator can make one. */
function DecisionSection({ request, onDecided }: RequestContentProps) {
  const { status, sender } = request;
  const reason = useReason(requestPermission(request.kind, 'edit'));
  const isOpen = status === 'waiting' || (status === 'asked' && sender !== null);
  return (
    <Section title="Decision">
      {status === 'waiting' && sender?.verification && !reason && (
        <CarrierCode
          of="request"
          channel={sender.sender.channel}
          id={request.id}
          number={sender.sender.code}
          verification={sender.verification}
        />
      )}
      {status !== 'waiting' && <RequestSummary request={request} />}
      {isOpen &&
        (reason ? (
          <p className={styles.hint}>{reason}</p>
        ) : (
          <RequestDecision key={request.revision} request={request} onDecided={onDecided} />
        ))}
    </Section>
  );
}
