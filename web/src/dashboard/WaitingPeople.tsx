import { type Conversation, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { IconMoodCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { personName } from '../channels/compose/person_name.ts';
import { lastSaid } from '../inbox/list/person.ts';
import { useSession } from '../kernel/session/session.tsx';
import { BUCKET_PATHS } from '../paths.ts';
import { ChannelMark } from '../ui/data/ChannelMark.tsx';
import { CountBadge } from '../ui/data/CountBadge.tsx';
import { formatDay, formatTime } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';

const MOST = 6;

/** Whose words nobody has read yet, the latest first. */
export function WaitingPeople({ conversations }: { conversations: readonly Conversation[] }) {
  const { user } = useSession();
  const zone = useZone();
  return (
    <Card title="Unread conversations" more={{ label: 'Inbox', href: '/inbox' }}>
      {conversations.length === 0 ? (
        <EmptyState icon={IconMoodCheck} title="Nobody is waiting for an answer">
          What people write to you is listed here until it has been read.
        </EmptyState>
      ) : (
        <ul className={styles.rows}>
          {conversations.slice(0, MOST).map((conversation) => {
            const day = formatDay(conversation.timestamp, zone);
            return (
              <li key={conversation.id}>
                <Link
                  to={`${BUCKET_PATHS[conversationBucket(conversation.assignee_id, user.id)]}?conversation=${conversation.id}`}
                  className={styles.person}
                >
                  <ChannelMark channel={conversation.channel} iconOnly />
                  <span className={styles.personName}>
                    {personName(conversation) || <PhoneNumber value={conversation.number} withCountry={false} />}
                  </span>
                  <span className={styles.dim}>{day === 'Today' ? formatTime(conversation.timestamp, zone) : day}</span>
                  <span className={styles.said}>
                    {conversation.last_message && lastSaid(conversation.last_message)}
                  </span>
                  <CountBadge count={conversation.unread_count} label="unread" />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
