import { type Conversation, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { IconMoodCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { personName } from '../channels/compose/person_name.ts';
import { messagePreview } from '../inbox/list/last_message.ts';
import { useSession } from '../kernel/session/session.tsx';
import { BUCKET_PATHS } from '../paths.ts';
import { CountBadge } from '../ui/data/CountBadge.tsx';
import { formatDay, formatTime } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';

const MAX_CONVERSATIONS = 6;

/** Conversations with unread messages, most recent first. */
export function UnreadConversations({ conversations }: { conversations: readonly Conversation[] }) {
  const { user } = useSession();
  const zone = useZone();
  return (
    <Card title="Unread conversations" more={{ label: 'Inbox', href: '/inbox' }}>
      {conversations.length === 0 ? (
        <EmptyState icon={IconMoodCheck} title="No unread conversations">
          Unread messages from your customers appear here.
        </EmptyState>
      ) : (
        <ul className={styles.rows}>
          {conversations.slice(0, MAX_CONVERSATIONS).map((conversation) => {
            const day = formatDay(conversation.timestamp, zone);
            const bucket = BUCKET_PATHS[conversationBucket(conversation.assignee_id, user.id)];
            return (
              <li key={conversation.id}>
                <Link to={`${bucket}?conversation=${conversation.id}`} className={styles.conversation}>
                  <ChannelMark channel={conversation.channel} iconOnly />
                  <span className={styles.personName}>
                    {personName(conversation) || <PhoneNumber value={conversation.number} withCountry={false} />}
                  </span>
                  <span className={styles.dim}>{day === 'Today' ? formatTime(conversation.timestamp, zone) : day}</span>
                  <span className={styles.lastMessage}>
                    {conversation.last_message && messagePreview(conversation.last_message)}
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
