import { ActionIcon } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Bucket, type Conversation, getConversation } from '@parley/contract/inbox.ts';
import { IconArrowLeft, IconMessages } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../kernel/query.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { PhoneNumber } from '../ui/PhoneNumber.tsx';
import { BoneLines } from '../ui/Skeletons.tsx';
import { ContactPane } from './ContactPane.tsx';
import { ConversationList } from './ConversationList.tsx';
import styles from './Inbox.module.css';
import { ReplyBox } from './ReplyBox.tsx';
import { ThreadView } from './ThreadView.tsx';
import { useThread } from './thread.ts';

const SEARCH_DEBOUNCE_MS = 250;

export function InboxPage({ bucket }: { bucket: Bucket }) {
  const { conversation: openId } = useSearch({ strict: false }) as { conversation?: string };
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), SEARCH_DEBOUNCE_MS);
  const open = (id: string | null) =>
    void navigate({ to: '.', search: (id ? { conversation: id } : {}) as never, replace: openId !== undefined });

  return (
    <div className={styles.page} data-open={openId !== undefined || undefined}>
      <h1 className={styles.hidden}>Inbox</h1>
      <ConversationList
        bucket={bucket}
        search={settled === search.trim() ? settled : search}
        onSearch={setSearch}
        openId={openId ?? null}
        onOpen={(conversation) => open(conversation.id)}
      />
      {openId ? (
        <OpenConversation key={openId} id={openId} onClose={() => open(null)} />
      ) : (
        <section className={styles.nothing} aria-label="Conversation">
          <EmptyState icon={IconMessages} title="Once a conversation is selected, it will be displayed here." />
        </section>
      )}
    </div>
  );
}

export default InboxPage;

function OpenConversation({ id, onClose }: { id: string; onClose: () => void }) {
  const answer = useEndpoint(getConversation, { params: { id } });
  if (answer.error && !answer.data)
    return (
      <section className={styles.nothing} aria-label="Conversation">
        {answer.error.status === 404 ? (
          <EmptyState icon={IconMessages} title="Conversation unavailable">
            You cannot access this conversation.
          </EmptyState>
        ) : (
          <ErrorState title="The conversation could not be loaded" onRetry={() => void answer.refetch()}>
            {answer.error.message}
          </ErrorState>
        )}
      </section>
    );
  if (!answer.data)
    return (
      <section className={styles.nothing} aria-label="Conversation">
        <BoneLines lines={6} />
      </section>
    );
  return <Loaded conversation={answer.data.data} onClose={onClose} />;
}

function Loaded({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const thread = useThread(conversation);
  return (
    <>
      <section className={styles.middle} aria-label="Conversation">
        <header className={styles.head}>
          <ActionIcon className={styles.back} variant="subtle" aria-label="Back to conversations" onClick={onClose}>
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
          <div>
            <p className={styles.title}>{conversation.contact_name || <PhoneNumber value={conversation.number} />}</p>
            <p className={styles.line}>
              {conversation.contact_name && <PhoneNumber value={conversation.number} />} via {conversation.sender_name}
            </p>
          </div>
        </header>
        <ThreadView conversation={conversation} thread={thread} />
        <ReplyBox conversation={conversation} onSend={thread.send} />
      </section>
      <ContactPane conversation={conversation} onClose={onClose} />
    </>
  );
}
