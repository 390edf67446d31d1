import { Button } from '@mantine/core';
import {
  APPROVAL_STATUS,
  decideApproval,
  getApproval,
  type SendApproval,
  TOKEN_MINUTES,
} from '@parley/contract/keys/approvals.ts';
import { channelLabel } from '../channels/index.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatMoney } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import styles from './Keys.module.css';

export function ApprovalPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getApproval, { params: { id: id ?? '' } }, { enabled: id !== null });
  const decision = useAction(decideApproval);
  const approval = query.data?.data;
  const token = decision.data?.data.token ?? null;
  const decide = (status: 'approved' | 'declined') => decision.mutate({ params: { id: id! }, body: { status } });
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title="Message to approve"
      description={approval && <StatusBadge {...APPROVAL_STATUS[approval.status]} />}
      recordId={id ?? undefined}
      actions={
        approval?.status === 'pending' && (
          <>
            <Allow needs={decideApproval}>
              <Button loading={decision.isPending} onClick={() => decide('approved')}>
                Approve message
              </Button>
            </Allow>
            <Allow needs={decideApproval}>
              <Button variant="default" disabled={decision.isPending} onClick={() => decide('declined')}>
                Decline message
              </Button>
            </Allow>
          </>
        )
      }
    >
      {approval ? (
        <div className={styles.newKey}>
          {decision.error && <Notice tone="fail">{decision.error.message}</Notice>}
          {token !== null && <Token token={token} />}
          <Details approval={approval} />
        </div>
      ) : query.error ? (
        <ErrorState
          title="The approval could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={6} />
      )}
    </SidePanel>
  );
}

function Token({ token }: { token: string }) {
  return (
    <>
      <Notice tone="wait">
        Give this token to the agent or program. It is valid for {TOKEN_MINUTES} minutes, for this message only, and
        cannot be shown again.
      </Notice>
      <p className={styles.secret}>
        <CopyId value={token} label="Approval token" />
      </p>
    </>
  );
}

function Details({ approval: { rehearsal, ...approval } }: { approval: SendApproval }) {
  const { messages, total_micros, currency, fallbacks } = rehearsal;
  const [first] = messages;
  const content = first?.content as { file_name?: string | null; media_url?: string | null } | null | undefined;
  const texts = [...new Set(messages.map(({ text }) => text))];
  return (
    <Fields
      fields={[
        { label: 'Key', value: <bdi>{approval.key_name ?? 'Deleted key'}</bdi> },
        { label: 'Channel', value: channelLabel(first?.channel ?? '') },
        { label: 'From', value: <bdi>{first?.from}</bdi> },
        {
          label: 'To',
          value: messages.map(({ to }) => (
            <div key={to}>
              <PhoneNumber value={to} />
            </div>
          )),
        },
        { label: 'Text', value: texts.map((text) => <div key={text}>{text}</div>) },
        ...(first && first.type !== 'text' ? [{ label: 'Type', value: first.type }] : []),
        ...(content?.file_name ? [{ label: 'File', value: content.file_name }] : []),
        ...fallbacks.map(({ channel, text }) => ({ label: `Fallback: ${channelLabel(channel)}`, value: text ?? '–' })),
        ...(first?.schedule ? [{ label: 'Scheduled', value: <DateTime value={first.schedule} /> }] : []),
        { label: 'Price', value: total_micros === null ? '–' : formatMoney(total_micros, currency) },
        { label: 'Requested', value: <DateTime value={approval.create_date} /> },
        { label: 'Expires', value: <DateTime value={approval.expire_date} /> },
        ...(approval.decided_by ? [{ label: 'Decided by', value: approval.decided_by }] : []),
      ]}
    />
  );
}
