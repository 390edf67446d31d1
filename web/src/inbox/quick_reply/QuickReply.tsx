/** A conversation in a dialog, to read and reply on any page. A default export, because it loads when it opens. */
import { Modal } from '@mantine/core';
import {
  type Conversation,
  conversationBucket,
  getConversation,
  listConversations,
} from '@parley/contract/inbox/inbox.ts';
import { IconMessages } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import { PersonName } from '../../channels/compose/PersonName.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import type { QuickReplyTarget } from '../../kernel/quick_reply.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, linkToAddress } from '../../paths.ts';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { ReplyBox } from '../composer/ReplyBox.tsx';
import { senderLabel } from '../sender_label.ts';
import { ThreadView } from '../thread/ThreadView.tsx';
import { useThread } from '../thread/thread.ts';
import { useOpenConversation } from '../watch/open_conversations.ts';
import styles from './QuickReply.module.css';

interface Props {
  onClose: () => void;
}

export default function QuickReply({ target, onClose }: Props & { target: QuickReplyTarget }) {
  return 'id' in target ? (
    <ById key={target.id} id={target.id} onClose={onClose} />
  ) : (
    <ByNumber key={target.number} number={target.number} onClose={onClose} />
  );
}

/** The latest conversation with this number. */
function ByNumber({ number, onClose }: Props & { number: string }) {
  const list = useEndpoint(listConversations, { query: { filter: { search: number }, page_size: 10 } });
  const found = list.data?.data.find((one) => one.number === number);
  if (found) return <ById id={found.id} onClose={onClose} />;
  return (
    <Frame title={<PhoneNumber value={number} />} onClose={onClose}>
      {list.error ? (
        <ErrorState title="The conversation could not be loaded" onRetry={() => void list.refetch()}>
          {list.error.message}
        </ErrorState>
      ) : list.data ? (
        <EmptyState icon={IconMessages} title="No conversation yet">
          A conversation starts when this person messages you, or when you message them from the inbox.
        </EmptyState>
      ) : (
        <SkeletonLines lines={6} />
      )}
    </Frame>
  );
}

function ById({ id, onClose }: Props & { id: string }) {
  const query = useEndpoint(getConversation, { params: { id } });
  useOpenConversation(id, onClose);
  const conversation = query.data?.data;
  if (conversation) return <Reply conversation={conversation} onClose={onClose} />;
  return (
    <Frame title="Quick Reply" onClose={onClose}>
      {!query.error ? (
        <SkeletonLines lines={6} />
      ) : query.error.status === 403 || query.error.status === 404 ? (
        <EmptyState icon={IconMessages} title="Conversation unavailable">
          You cannot access this conversation.
        </EmptyState>
      ) : (
        <ErrorState title="The conversation could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      )}
    </Frame>
  );
}

function Reply({ conversation, onClose }: Props & { conversation: Conversation }) {
  const thread = useThread(conversation);
  const { user } = useSession();
  const { id, channel, assignee_id, unread_count } = conversation;
  const path = conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], id);
  return (
    <Frame
      title={
        <span className={styles.title}>
          <ChannelMark channel={channel} iconOnly />
          <PersonName conversation={conversation} />
          <CountBadge count={unread_count} label="unread" />
        </span>
      }
      onClose={onClose}
    >
      <p className={styles.about}>
        <span>
          via <bdi>{senderLabel(conversation)}</bdi>
        </span>
        <Link {...linkToAddress(path)} onClick={onClose}>
          Open in inbox
        </Link>
      </p>
      <div className={styles.thread}>
        <ThreadView conversation={conversation} thread={thread} />
        <ReplyBox conversation={conversation} onSend={thread.send} />
      </div>
    </Frame>
  );
}

function Frame({ title, onClose, children }: Props & { title: ReactNode; children: ReactNode }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <>
          <span className={styles.hidden}>Quick Reply: </span>
          {title}
        </>
      }
      size="lg"
      classNames={{ content: styles.content, body: styles.body }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}
