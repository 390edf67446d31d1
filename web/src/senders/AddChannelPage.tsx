/** The channels, each with its status and the next step. */
import { Button } from '@mantine/core';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { ALL_CHANNELS, channelRules, channelsWith } from '@parley/contract/channels/index.ts';
import { getSender, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { type ListedSender, listSenders, SENDER_STATUS } from '@parley/contract/senders/senders.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { channelOffer } from '../channels/offers.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CREATE_SENDER, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './AddChannel.module.css';
import { daysText, fieldLabel, senderStatus } from './labels.ts';

const WITH_ACCESS = channelsWith(({ access }) => access !== null);

export default function AddChannelPage() {
  const { account } = useSession();
  const viewReason = useReason(listSenders.needs);
  const answer = useEndpoint(
    listSenders,
    { query: { page_size: 100, filter: { channels: WITH_ACCESS } } },
    { enabled: viewReason === null },
  );
  const senders = viewReason ? [] : answer.data?.data;
  return (
    <>
      <PageHeader title="Add channel" description="Channels you can send on, and what each channel requires." />
      {answer.error && !senders ? (
        <ErrorState
          title="The channels could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : (
        <ul className={styles.cards} aria-label="Channels">
          {ALL_CHANNELS.map(({ name, access }) => (
            <li key={name} className={styles.card}>
              <h2 className={styles.title}>
                <ChannelMark channel={name} />
                {account.channels.includes(name) && <StatusBadge {...SENDER_STATUS.available} />}
              </h2>
              <p>{channelOffer(name).description}</p>
              {access === null ? (
                <OrderSender requirements={channelOffer(name).requirements} />
              ) : senders ? (
                <Access
                  kind={access}
                  requirements={channelOffer(name).requirements}
                  senders={senders.filter(({ channel }) => channel === name)}
                />
              ) : (
                <div role="status" aria-label="Loading">
                  <SkeletonLines lines={3} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Footer({ children }: { children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>;
}

function OrderSender({ requirements }: { requirements: string }) {
  return (
    <>
      <p>{requirements}</p>
      <Footer>
        <Allow needs={createSender.needs}>
          <Button component={Link} to={CREATE_SENDER}>
            Create sender
          </Button>
        </Allow>
        <Button variant="default" component={Link} to={SENDERS}>
          View senders
        </Button>
      </Footer>
    </>
  );
}

/** Sort order: senders that need action, then pending ones, then the rest. */
const RANK: Partial<Record<ListedSender['status'], number>> = { rejected: 0, unregistered: 1, pending: 2 };
const SHOWN = 4;

interface AccessProps {
  kind: AccessKind;
  requirements: string;
  senders: readonly ListedSender[];
}

function Access({ kind, requirements, senders }: AccessProps) {
  const sorted = [...senders].sort((a, b) => (RANK[a.status] ?? 3) - (RANK[b.status] ?? 3));
  const open = sorted.find(({ status }) => status === 'rejected' || status === 'unregistered');
  return (
    <>
      {sorted.length === 0 && <p>{requirements}</p>}
      {sorted.length > 0 && (
        <ul className={styles.requests} aria-label="Your requests">
          {sorted.slice(0, SHOWN).map((sender) => (
            <AccessRequest key={sender.id} sender={sender} />
          ))}
        </ul>
      )}
      <Footer>
        <Allow needs={createSender.needs}>
          {open ? (
            <Button
              component={Link}
              {...linkTo(REQUEST_PATHS[kind], {
                id: open.id,
                ...(open.status === 'rejected' ? { step: 'review' } : {}),
              })}
            >
              {open.status === 'rejected' ? 'Edit and resubmit' : 'Continue'}
            </Button>
          ) : (
            <Button
              component={Link}
              {...linkTo(REQUEST_PATHS[kind], sorted.length > 0 ? { fresh: '1' } : {})}
              variant={sorted.length > 0 ? 'default' : 'filled'}
            >
              {sorted.length > 0 ? 'Request another sender' : 'Get access'}
            </Button>
          )}
        </Allow>
        {sorted.length > SHOWN && (
          <Button variant="default" component={Link} {...linkTo(SENDERS, { channels: kind.toUpperCase() })}>
            All {sorted.length} senders
          </Button>
        )}
      </Footer>
    </>
  );
}

/** One access request. Reasons and the expected date are loaded only for pending and rejected senders. */
function AccessRequest({ sender }: { sender: ListedSender }) {
  const needsDetail = sender.status === 'pending' || sender.status === 'rejected';
  const detail = useEndpoint(getSender, { params: { id: sender.id } }, { enabled: needsDetail }).data?.data;
  return (
    <li className={styles.request}>
      <span className={styles.requestHead}>
        <Link {...linkTo(SENDERS, { open: sender.id })} className={styles.name}>
          {sender.business_name || (sender.code ? <PhoneNumber value={sender.code} /> : sender.name)}
        </Link>
        <StatusBadge {...senderStatus(sender)} />
      </span>
      {sender.business_name && channelRules(sender.channel).own_number && sender.code && (
        <span className={styles.more}>
          <PhoneNumber value={sender.code} />
        </span>
      )}
      {sender.status === 'unregistered' && <span className={styles.more}>Draft. Not submitted yet.</span>}
      {sender.status === 'pending' && detail && <PendingDetail sender={detail} />}
      {sender.status === 'rejected' && detail && (
        <ul className={styles.reasons}>
          {detail.reasons.map(({ field, text }) => (
            <li key={`${field} ${text}`}>
              <strong>{fieldLabel(field)}</strong> {text}
            </li>
          ))}
          {detail.note && <li>{detail.note}</li>}
        </ul>
      )}
    </li>
  );
}

/** The reviewers' question, or the expected date of their decision. */
function PendingDetail({ sender }: { sender: SenderDetail }) {
  if (!sender.asked)
    return (
      sender.expected_days && (
        <span className={styles.more}>
          Under review. This usually takes {daysText(sender.expected_days)}
          {sender.expected_date && (
            <>
              . Decision expected by <DateTime value={sender.expected_date} show="date" />
            </>
          )}
        </span>
      )
    );
  const { access } = channelRules(sender.channel);
  return (
    <>
      <span className={styles.more}>
        More information requested: {[...sender.reasons.map(({ text }) => text), sender.note].filter(Boolean).join(' ')}
      </span>
      {access && (
        <Allow needs={createSender.needs}>
          <Button
            size="xs"
            variant="default"
            component={Link}
            {...linkTo(REQUEST_PATHS[access], { id: sender.id, step: 'review' })}
            className={styles.reply}
          >
            Reply
          </Button>
        </Allow>
      )}
    </>
  );
}
