/** One request, of whatever kind: what can be checked, what is asked for, its documents, what was done and asked before; and the decision. */
import { ActionIcon, Anchor, Tooltip } from '@mantine/core';
import { AUDIT_WORDS } from '@parley/contract/accounts/audit_log.ts';
import { customerChanged } from '@parley/contract/admin/customers.ts';
import {
  getRequest,
  KIND_WORDS,
  type Request,
  type RequestDetail,
  requestChanged,
  rightOf,
} from '@parley/contract/admin/requests.ts';
import { FILE_WORDS } from '@parley/contract/registrations/access_files.ts';
import { IconAlertTriangle, IconChevronDown, IconChevronUp, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { onLive } from '../../kernel/live/live.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { accountPath, REQUESTS } from '../../paths.ts';
import { CarrierCode } from '../../senders/CarrierCode.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatBytes } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { useKeys } from './keys.ts';
import { useLooks } from './looks.ts';
import { RequestDecision } from './RequestDecision.tsx';
import review_styles from './Review.module.css';
import { requestFields } from './request_fields.tsx';
import { age, DONE, REQUEST_LOOKS } from './request_words.ts';
import { TemplateAsked } from './TemplateAsked.tsx';

type Step = (() => void) | undefined;

export interface RequestPanelProps {
  id: string | null;
  onClose: () => void;
  onDecided: (id: string) => void;
  /** Undefined at the end of the page. */
  onPrevious: Step;
  onNext: Step;
}

export function RequestPanel({ id, onClose, onDecided, onPrevious, onNext }: RequestPanelProps) {
  const answer = useEndpoint(getRequest, { params: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 });
  const request = id && answer.data?.data.id === id ? answer.data.data : null;
  const { refetch } = answer;
  const account_id = request?.kind === 'company' ? request.account_id : null;
  useEffect(() => {
    if (id === null) return;
    const deaf = [
      onLive(requestChanged, (changed) => changed.id === id && void refetch()),
      onLive(customerChanged, (changed) => changed.id === account_id && void refetch()),
    ];
    return () => {
      for (const off of deaf) off();
    };
  }, [id, account_id, refetch]);
  useKeys(id === null ? {} : { j: onNext, k: onPrevious });
  return (
    <SidePanel
      wide
      open={id !== null}
      onClose={onClose}
      title={request?.name ?? 'Request'}
      description={
        request && (
          <>
            <StatusBadge status={request.status} words={REQUEST_LOOKS} />
            {KIND_WORDS[request.kind]}
            <Link to={accountPath(request.account_id)}>{request.company_name}</Link>
            {request.status === 'waiting' && <span>waits for {age(request.create_date)}</span>}
            <StepButton label="Previous request" keyName="K" onStep={onPrevious}>
              <IconChevronUp size={16} aria-hidden />
            </StepButton>
            <StepButton label="Next request" keyName="J" onStep={onNext}>
              <IconChevronDown size={16} aria-hidden />
            </StepButton>
          </>
        )
      }
    >
      {answer.error && !request ? (
        <ErrorState
          title="The request could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : request ? (
        <Opened key={request.id} request={request} onDecided={onDecided} />
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={10} />
        </div>
      )}
    </SidePanel>
  );
}

function StepButton({
  label,
  keyName,
  onStep,
  children,
}: {
  label: string;
  keyName: string;
  onStep: Step;
  children: ReactNode;
}) {
  return (
    <Tooltip label={`${label} (${keyName})`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        aria-keyshortcuts={keyName}
        aria-disabled={!onStep || undefined}
        data-disabled={!onStep || undefined}
        onClick={() => onStep?.()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function Opened({ request, onDecided }: { request: RequestDetail; onDecided: (id: string) => void }) {
  const mayNot = useReason(rightOf(request.kind, 'edit'));
  const looks = useLooks(request.id);
  const [was] = useState(request);
  const first = useRef<HTMLHeadingElement>(null);
  // From one request to the next the keyboard begins at the top again.
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  const elsewhere = was.status !== request.status;
  const open = request.status === 'waiting' || (request.status === 'asked' && request.sender !== null);
  return (
    <>
      {looks.length > 0 && (
        <Notice tone="info" className={review_styles.notice}>
          {looks.join(' and ')} {looks.length === 1 ? 'has' : 'have'} this request open too.
        </Notice>
      )}
      {elsewhere && (
        <Notice tone="wait" className={review_styles.notice}>
          While you had it open{' '}
          {request.status === 'withdrawn' ? 'the customer' : request.reviewer_name || 'the customer'}{' '}
          {DONE[request.status]}.
        </Notice>
      )}
      {!elsewhere && was.revision !== request.revision && (
        <Notice tone="wait" className={review_styles.notice}>
          The customer has sent it anew while you had it open: this is how it is now.
        </Notice>
      )}
      <section className={styles.section}>
        <h3 ref={first} tabIndex={-1} className={review_styles.first}>
          What can be checked
        </h3>
        <ul className={review_styles.findings}>
          {request.findings.map(({ level, text }) => (
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
        <h3>What they ask for</h3>
        {request.template && <TemplateAsked request={request} asked={request.template} />}
        <Fields fields={requestFields(request)} />
      </section>
      {request.documents.length > 0 && <Documents documents={request.documents} />}
      {request.history.length > 0 && <History history={request.history} />}
      {request.others.length > 0 && (
        <section className={styles.section}>
          <h3>Other requests of the company</h3>
          <ul className={review_styles.earlier}>
            {request.others.map((one) => (
              <li key={one.id}>
                <Came request={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles.section}>
        <h3>Decision</h3>
        {request.status === 'waiting' && request.sender?.verification && !mayNot && (
          <CarrierCode
            of="request"
            id={request.id}
            number={request.sender.sender.code}
            verification={request.sender.verification}
          />
        )}
        {request.status !== 'waiting' && <Came request={request} />}
        {open &&
          (mayNot ? (
            <p className={styles.hint}>{mayNot}</p>
          ) : (
            <RequestDecision key={request.revision} request={request} onDecided={onDecided} />
          ))}
      </section>
    </>
  );
}

function Documents({ documents }: Pick<RequestDetail, 'documents'>) {
  return (
    <section className={styles.section}>
      <h3>Documents</h3>
      <ul className={review_styles.findings}>
        {documents.map((file) => (
          <li key={file.id}>
            <span>
              <Anchor underline="always" href={file.url} inherit>
                {file.file_name}
              </Anchor>{' '}
              <span className={styles.count}>
                {FILE_WORDS[file.kind]}, {formatBytes(file.bytes)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ history }: Pick<RequestDetail, 'history'>) {
  return (
    <section className={styles.section}>
      <h3>History</h3>
      <ol className={review_styles.earlier}>
        {history.map(({ id, action, actor_name, text, create_date }) => (
          <li key={id} className={review_styles.act}>
            <span className={styles.count}>
              <DateTime value={create_date} />
            </span>{' '}
            {actor_name || 'Somebody'} {AUDIT_WORDS[action] ?? action}
            {text && `: ${text}`}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Came({ request }: { request: Request }) {
  return (
    <div className={review_styles.came}>
      <div className={review_styles.cameHead}>
        <Link to={REQUESTS} search={{ open: request.id } as never}>
          <strong>{request.name}</strong>
        </Link>
        {KIND_WORDS[request.kind]}
        <StatusBadge status={request.status} words={REQUEST_LOOKS} />
        <span className={styles.count}>
          {request.reviewer_name && `${request.reviewer_name} · `}
          <DateTime value={request.decide_date ?? request.create_date} />
        </span>
      </div>
      {request.words && <p>{request.words}</p>}
    </div>
  );
}
