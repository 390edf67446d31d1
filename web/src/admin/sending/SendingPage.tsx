/** Explains why sending is held after a failover or a restore, and asks what to do with the messages in question. */
import { Button } from '@mantine/core';
import {
  decideSendingHold,
  EPOCH_CAUSES,
  getSendingHold,
  SENDING_STATES,
  type SendingDecision,
  type SendingHold,
} from '@parley/contract/admin/sending_hold.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from './Sending.module.css';

const REFRESH_MS = 5_000;

type Held = SendingHold['connections'][number];
type Decide = (decision: SendingDecision, held: readonly Held[]) => Promise<void>;

export default function SendingPage() {
  const query = useEndpoint(getSendingHold, {}, { refetchInterval: REFRESH_MS });
  return (
    <RecordPage query={query} noun="sending status">
      {(hold) => (
        <>
          <PageHeader
            title="Sending"
            description="Queued messages that may have been sent before a failover or a restore."
            badge={<StatusBadge {...SENDING_STATES[hold.state]} />}
          />
          {hold.state === 'open' ? (
            <EmptyState title="Messages are being sent">
              {hold.change_date === null
                ? 'After a failover or a restore, sending stops until you decide what to do with the queued messages.'
                : 'No decision is pending.'}
            </EmptyState>
          ) : (
            <HeldSending hold={hold} />
          )}
        </>
      )}
    </RecordPage>
  );
}

function HeldSending({ hold }: { hold: SendingHold }) {
  const action = useAction(decideSendingHold, {
    invalidates: ['sending_hold', 'health'],
    onSuccess: (_, { body }) =>
      toast.success(body.decision === 'send' ? 'The messages are being sent again' : 'The messages are being canceled'),
  });
  const decide: Decide = async (decision, held) => {
    const confirmed = await confirm(confirmation(decision, held));
    if (confirmed)
      action.mutate({ body: { decision, connection_id: held.length === 1 ? held[0]!.connection_id : null } });
  };
  const open = hold.connections.filter((row) => row.decision === null);
  return (
    <div className={styles.body}>
      <Notice tone="fail">
        <Explanation hold={hold} />
      </Notice>
      {hold.state === 'held' && (
        <DataTable
          grow
          id="sending_hold"
          label="Held connections"
          columns={columns(decide, action.isPending)}
          rows={hold.connections}
          rowKey={(row) => row.connection_id}
          empty={null}
        />
      )}
      {open.length > 1 && (
        <div className={styles.actions}>
          <Allow needs={decideSendingHold.needs}>
            <Button disabled={action.isPending} onClick={() => void decide('send', open)}>
              Send all again
            </Button>
          </Allow>
          <Allow needs={decideSendingHold.needs}>
            <Button variant="default" disabled={action.isPending} onClick={() => void decide('cancel', open)}>
              Cancel all
            </Button>
          </Allow>
        </div>
      )}
    </div>
  );
}

function Explanation({ hold }: { hold: SendingHold }) {
  if (hold.state === 'checking')
    return <>The database was replaced. Workers are checking whether it contains all messages that they have sent.</>;
  return (
    <>
      {hold.cause && `${EPOCH_CAUSES[hold.cause]}. `}
      {hold.data_date && (
        <>
          Its data ends at <DateTime value={hold.data_date} />. Messages that were queued at that time may have been
          sent since.{' '}
        </>
      )}
      {hold.paused_campaigns > 0 &&
        `${formatCount(hold.paused_campaigns, 'campaign')} that may have reached more contacts ${
          hold.paused_campaigns === 1 ? 'is' : 'are'
        } paused until a user resumes ${hold.paused_campaigns === 1 ? 'it' : 'them'}.`}
    </>
  );
}

function confirmation(decision: SendingDecision, held: readonly Held[]): Parameters<typeof confirm>[0] {
  const remaining = held.reduce((sum, row) => sum + row.remaining, 0);
  const messages = formatCount(remaining, 'message');
  const place = held.length === 1 ? held[0]!.name : `${held.length} connections`;
  return decision === 'send'
    ? {
        title: `Send ${messages} on ${place} again?`,
        consequence:
          'Recipients who already have their message will get it twice. Messages are marked as possible duplicates.',
        action: 'Send again',
      }
    : {
        title: `Cancel ${messages} on ${place}?`,
        consequence: 'Recipients who have not received their message will not get it, and its hold will be released.',
        action: 'Cancel messages',
      };
}

const columns = (decide: Decide, isPending: boolean): Column<Held>[] => [
  { key: 'name', title: 'Connection', fixed: true, width: '100%', card: 'title', render: (row) => row.name },
  {
    key: 'remaining',
    title: 'May have been sent',
    fixed: true,
    align: 'end',
    render: (row) => formatNumber(row.remaining),
  },
  {
    key: 'oldest',
    title: 'Oldest',
    narrow: false,
    render: (row) => (row.oldest_date ? <DateTime value={row.oldest_date} /> : '–'),
  },
  { key: 'waiting', title: 'Accepted since', align: 'end', narrow: false, render: (row) => formatNumber(row.waiting) },
  {
    key: 'decide',
    title: '',
    fixed: true,
    align: 'end',
    render: (row) =>
      row.decision === null ? (
        <span className={styles.actions}>
          <Allow needs={decideSendingHold.needs}>
            <Button
              size="xs"
              variant="default"
              disabled={isPending}
              aria-label={`Send again on ${row.name}`}
              onClick={() => void decide('send', [row])}
            >
              Send again
            </Button>
          </Allow>
          <Allow needs={decideSendingHold.needs}>
            <Button
              size="xs"
              variant="default"
              disabled={isPending}
              aria-label={`Cancel on ${row.name}`}
              onClick={() => void decide('cancel', [row])}
            >
              Cancel
            </Button>
          </Allow>
        </span>
      ) : row.decision === 'send' ? (
        'Sending again'
      ) : (
        'Canceling'
      ),
  },
];
