/** The conversations with the same number on other channels and senders. Opening one switches the channel. */
import { type Conversation, conversationBucket, listConversations } from '@parley/contract/inbox/inbox.ts';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, linkToAddress } from '../paths.ts';
import { formatDate, formatDay, formatExact, formatTime } from '../ui/data/format.ts';
import { useZone } from '../ui/data/zone.ts';
import styles from './OtherConversations.module.css';
import { senderLabel } from './sender_label.ts';

const SHOWN = 20;

export function OtherConversations({ conversation: { id, number } }: { conversation: Conversation }) {
  const { user } = useSession();
  const title = useId();
  const zone = useZone();
  const query = useEndpoint(listConversations, { query: { page_size: SHOWN, filter: { search: number } } });
  // The search also finds longer numbers that begin with this one.
  const others = (query.data?.data ?? []).filter((other) => other.id !== id && other.number === number);
  if (others.length === 0) return null;
  return (
    <section className={styles.others} aria-labelledby={title}>
      <h3 id={title} className={styles.title}>
        Other conversations
      </h3>
      <ul className={styles.list}>
        {others.map((other) => {
          const inbox = BUCKET_PATHS[conversationBucket(other.assignee_id, user.id)];
          return (
            <li key={other.id}>
              <Link className={styles.link} {...linkToAddress(conversationPath(inbox, other.id))}>
                <ChannelMark channel={other.channel} iconOnly />
                <bdi className={styles.name}>{senderLabel(other)}</bdi>
                <time className={styles.when} dateTime={other.timestamp} title={formatExact(other.timestamp, zone)}>
                  {formatDay(other.timestamp, zone) === 'Today'
                    ? formatTime(other.timestamp, zone)
                    : formatDate(other.timestamp, zone)}
                </time>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
