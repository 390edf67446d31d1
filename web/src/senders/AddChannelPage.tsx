/** The ways to reach people: SMS, WhatsApp and Viber, each with where it stands and the next step. */
import { Button } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { getSender } from '@parley/contract/registrations/registration.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { type ListedSender, listSenders } from '@parley/contract/senders/senders.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CREATE_SENDER, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { ChannelMark } from '../ui/data/ChannelMark.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './AddChannel.module.css';
import { daysWords, fieldWords, lookOf } from './words.ts';

const CHANNELS: readonly { channel: ChannelName; what: string; needed: string }[] = [
  {
    channel: 'SMS',
    what: 'Reaches every phone, without an app. Numbers send and receive at once; names and short codes are approved first.',
    needed: 'Needed: a number, a name or a short code.',
  },
  {
    channel: 'WHATSAPP',
    what: 'Conversations with pictures, files and buttons. You write first with an approved template, and freely for 24 hours after people answer.',
    needed: 'Needed: a number, details of the business and a logo. The review takes 5-7 business days.',
  },
  {
    channel: 'VIBER',
    what: 'Messages with pictures and a button under your business name. Only what is delivered is charged.',
    needed: 'Needed: details of the business, a signed letter and a logo. The review takes 5-7 business days.',
  },
];

export default function AddChannelPage() {
  const { account } = useSession();
  const mayNotLook = useReason(listSenders.needs);
  const answer = useEndpoint(
    listSenders,
    { query: { page_size: 100, filter: { channels: ['WHATSAPP', 'VIBER'] } } },
    { enabled: mayNotLook === null },
  );
  const senders = mayNotLook ? [] : answer.data?.data;
  return (
    <>
      <PageHeader title="Add channel" description="The ways to reach people, and what it takes to use each." />
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
          {CHANNELS.map((one) => (
            <li key={one.channel} className={styles.card}>
              <h2 className={styles.title}>
                <ChannelMark channel={one.channel} />
                {account.channels.includes(one.channel) && <StatusBadge status="available" />}
              </h2>
              <p>{one.what}</p>
              {one.channel === 'SMS' ? (
                <Sms needed={one.needed} />
              ) : senders ? (
                <Access
                  kind={one.channel === 'WHATSAPP' ? 'whatsapp' : 'viber'}
                  needed={one.needed}
                  senders={senders.filter(({ channel }) => channel === one.channel)}
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

function Foot({ children }: { children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>;
}

function Sms({ needed }: { needed: string }) {
  return (
    <>
      <p>{needed}</p>
      <Foot>
        <Allow needs={createSender.needs}>
          <Button component={Link} to={CREATE_SENDER}>
            Create sender
          </Button>
        </Allow>
        <Button variant="default" component={Link} to={SENDERS}>
          Your senders
        </Button>
      </Foot>
    </>
  );
}

/** What has to be done comes first, then what is looked at, then what works. */
const RANK: Partial<Record<ListedSender['status'], number>> = { rejected: 0, unregistered: 1, pending: 2 };
const SHOWN = 4;

function Access({
  kind,
  needed,
  senders,
}: {
  kind: 'whatsapp' | 'viber';
  needed: string;
  senders: readonly ListedSender[];
}) {
  const mine = [...senders].sort((a, b) => (RANK[a.status] ?? 3) - (RANK[b.status] ?? 3));
  const open = mine.find(({ status }) => status === 'rejected' || status === 'unregistered');
  return (
    <>
      {mine.length === 0 && <p>{needed}</p>}
      {mine.length > 0 && (
        <ul className={styles.lines} aria-label="What you have asked for">
          {mine.slice(0, SHOWN).map((sender) => (
            <Line key={sender.id} sender={sender} />
          ))}
        </ul>
      )}
      <Foot>
        {open ? (
          <Allow needs={createSender.needs}>
            <Button
              component={Link}
              {...linkTo(REQUEST_PATHS[kind], {
                id: open.id,
                ...(open.status === 'rejected' ? { step: 'review' } : {}),
              })}
            >
              {open.status === 'rejected' ? 'Mend and send again' : 'Go on'}
            </Button>
          </Allow>
        ) : (
          <Allow needs={createSender.needs}>
            <Button
              component={Link}
              {...linkTo(REQUEST_PATHS[kind], mine.length > 0 ? { fresh: '1' } : {})}
              variant={mine.length > 0 ? 'default' : 'filled'}
            >
              {mine.length > 0 ? 'Ask for another' : 'Get access'}
            </Button>
          </Allow>
        )}
        {mine.length > SHOWN && (
          <Button variant="default" component={Link} {...linkTo(SENDERS, { channels: kind.toUpperCase() })}>
            All {mine.length}
          </Button>
        )}
      </Foot>
    </>
  );
}

/** Why and until when is told by the sender itself; what works needs no more words. */
function Line({ sender }: { sender: ListedSender }) {
  const asks = sender.status === 'pending' || sender.status === 'rejected';
  const detail = useEndpoint(getSender, { params: { id: sender.id } }, { enabled: asks }).data?.data;
  return (
    <li className={styles.line}>
      <span className={styles.lineHead}>
        <Link {...linkTo(SENDERS, { open: sender.id })} className={styles.name}>
          {sender.business_name || (sender.code ? <PhoneNumber value={sender.code} /> : sender.name)}
        </Link>
        <StatusBadge {...lookOf(sender)} />
      </span>
      {sender.business_name && sender.channel === 'WHATSAPP' && sender.code && (
        <span className={styles.more}>
          <PhoneNumber value={sender.code} />
        </span>
      )}
      {sender.status === 'unregistered' && <span className={styles.more}>A draft: nothing has been sent yet.</span>}
      {sender.status === 'pending' &&
        detail &&
        (detail.asked ? (
          <>
            <span className={styles.more}>
              Our team asks: {[...detail.reasons.map(({ text }) => text), detail.note].filter(Boolean).join(' ')}
            </span>
            <Allow needs={createSender.needs}>
              <Button
                size="xs"
                variant="default"
                component={Link}
                {...linkTo(REQUEST_PATHS[sender.channel === 'VIBER' ? 'viber' : 'whatsapp'], {
                  id: sender.id,
                  step: 'review',
                })}
                className={styles.answer}
              >
                Answer
              </Button>
            </Allow>
          </>
        ) : (
          detail.expected_days && (
            <span className={styles.more}>
              Under review, which takes {daysWords(detail.expected_days).replace('working', 'business')}
              {detail.expected_date && (
                <>
                  : until <DateTime value={detail.expected_date} show="date" />
                </>
              )}
            </span>
          )
        ))}
      {sender.status === 'rejected' && detail && (
        <ul className={styles.reasons}>
          {detail.reasons.map(({ field, text }) => (
            <li key={`${field} ${text}`}>
              <strong>{fieldWords(field)}</strong> {text}
            </li>
          ))}
          {detail.note && <li>{detail.note}</li>}
        </ul>
      )}
    </li>
  );
}
