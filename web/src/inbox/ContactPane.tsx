import { Button } from '@mantine/core';
import { type Conversation, removeConversation } from '@parley/contract/inbox/inbox.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { IconMessagePlus, IconTrash, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { personName } from '../channels/compose/person_name.ts';
import { channelLabel } from '../channels/index.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { personPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { Fields } from '../ui/layout/SidePanel.tsx';
import styles from './Inbox.module.css';
import { OtherConversations } from './OtherConversations.tsx';
import { senderLabel } from './sender_label.ts';

// Loaded after the thread.
const PersonSections = lazyPart(() => import('./contact/PersonSections.tsx'));
const ContactDeals = lazyPart(() => import('./contact/ContactDeals.tsx'));
const WriteFrom = lazyPart(() => import('./contact/WriteFrom.tsx'));
const MergeDialog = lazyPart(() => import('../audiences/people/MergeDialog.tsx'));

export interface ContactPaneProps {
  conversation: Conversation;
  onRemove: () => void;
}

/** Contact details beside the thread on wide screens. Narrow screens show them in a panel. */
export function ContactPane({ conversation, onRemove }: ContactPaneProps) {
  return (
    <aside className={styles.contact} aria-label="Contact">
      <h2 className={styles.contactName} dir="auto">
        {personName(conversation) || 'Unknown contact'}
      </h2>
      <ContactFields conversation={conversation} onRemove={onRemove} />
    </aside>
  );
}

export function ContactFields({ conversation, onRemove }: ContactPaneProps) {
  const [isMerging, setMerging] = useState(false);
  return (
    <div className={styles.facts}>
      {conversation.stopped && <ToneBadge tone="fail">On the stop list</ToneBadge>}
      <Fields
        fields={[
          { label: 'Number', value: <PhoneNumber value={conversation.number} /> },
          ...(conversation.profile_name &&
          conversation.contact_name &&
          conversation.profile_name !== conversation.contact_name
            ? [{ label: 'Profile name', value: <bdi>{conversation.profile_name}</bdi> }]
            : []),
          { label: 'Channel', value: channelLabel(conversation.channel) },
          {
            label: 'Sender',
            value: (
              <>
                <bdi>{senderLabel(conversation)}</bdi>
                <br />
                <PhoneNumber value={conversation.sender} />
              </>
            ),
          },
          { label: 'Assigned to', value: <bdi>{conversation.assignee_name ?? 'Unassigned'}</bdi> },
          { label: 'Last message', value: <DateTime value={conversation.timestamp} /> },
        ]}
      />
      <OtherConversations conversation={conversation} />
      <OtherSender conversation={conversation} />
      <Suspense fallback={<SkeletonLines lines={4} />}>
        <PersonSections conversation={conversation} />
      </Suspense>
      <Suspense>
        <ContactDeals key={conversation.id} conversation_id={conversation.id} />
      </Suspense>
      <Allow needs="AUDIENCES:view">
        <Button
          variant="default"
          size="sm"
          component={Link}
          to={personPath(conversation.number)}
          leftSection={<IconUser size={15} aria-hidden />}
        >
          Open person
        </Button>
      </Allow>
      <Allow needs="AUDIENCES:delete">
        <Button variant="default" size="sm" onClick={() => setMerging(true)}>
          Merge with another person
        </Button>
      </Allow>
      {isMerging && (
        <Suspense>
          <MergeDialog id={conversation.number} onClose={() => setMerging(false)} />
        </Suspense>
      )}
      <Allow needs={removeConversation.needs}>
        <Button
          variant="subtle"
          color="red"
          size="sm"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={onRemove}
        >
          Delete conversation
        </Button>
      </Allow>
    </div>
  );
}

function OtherSender({ conversation }: Pick<ContactPaneProps, 'conversation'>) {
  const [isWriting, setWriting] = useState(false);
  return (
    <>
      <Allow needs={createMessage.needs}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconMessagePlus size={15} aria-hidden />}
          onClick={() => setWriting(true)}
        >
          Write from another sender
        </Button>
      </Allow>
      {isWriting && (
        <Suspense>
          <WriteFrom conversation={conversation} onClose={() => setWriting(false)} />
        </Suspense>
      )}
    </>
  );
}
