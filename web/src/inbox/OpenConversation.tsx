import { ActionIcon } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  ASSIGN_NEEDS,
  type Conversation,
  conversationBucket,
  getConversation,
  removeConversation,
  STATUS_NEEDS,
} from '@parley/contract/inbox/inbox.ts';
import { LABEL_NEEDS } from '@parley/contract/inbox/label_changes.ts';
import { IconArrowLeft, IconMessages, IconUserCircle } from '@tabler/icons-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { PersonName } from '../channels/compose/PersonName.tsx';
import { personLabel, personName } from '../channels/compose/person_name.ts';
import { useRecordActions } from '../kernel/commands.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { BUCKET_PATHS, conversationPath } from '../paths.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { Tooltip } from '../ui/feedback/Tooltip.tsx';
import { SidePanel } from '../ui/layout/SidePanel.tsx';
import { AssignPicker, openAssignPicker } from './assign/AssignPicker.tsx';
import { ContactFields, ContactPane } from './ContactPane.tsx';
import { Composer } from './composer/Composer.tsx';
import { focusReply } from './composer/ReplyBox.tsx';
import styles from './Inbox.module.css';
import { LabelChips } from './labels/LabelChips.tsx';
import { LabelPicker, openLabelPicker } from './labels/LabelPicker.tsx';
import headerStyles from './OpenConversation.module.css';
import { type Collision, useCollisionGuard } from './presence/collision.ts';
import { PresenceLine } from './presence/PresenceLine.tsx';
import { usePresence } from './presence/presence.ts';
import { senderLabel } from './sender_label.ts';
import { openStatusMenu, StatusPicker } from './status/StatusPicker.tsx';
import { Waiting } from './status/Waiting.tsx';
import { ThreadView } from './thread/ThreadView.tsx';
import { useThread } from './thread/thread.ts';

const DueMark = lazyPart(() => import('./targets/DueMark.tsx'));
const CollisionDialog = lazyPart(() => import('./presence/CollisionDialog.tsx'));

export interface OpenConversationProps {
  id: string;
  /** The conversation from the list, shown until the full one is loaded. */
  listed: Conversation | null;
  /** The message or note at which the thread opens; null for its end. */
  target: string | null;
  onClose: () => void;
  /** Called when the conversation has left the list of open conversations, so that the next one can open. */
  onLeave: () => void;
  /** Receives the person's name or number, to name the conversation. */
  onRemove: (name: string) => void;
}

/** The conversation does not exist, or it is in an inbox that the user cannot view. */
const UNAVAILABLE: ReadonlySet<number> = new Set([403, 404]);

/** A default export, because the list loads first. */
export default function OpenConversation({ id, listed, ...actions }: OpenConversationProps) {
  const query = useEndpoint(getConversation, { params: { id } });
  const isUnavailable = query.error !== null && UNAVAILABLE.has(query.error.status);
  const conversation = isUnavailable ? null : (query.data?.data ?? (query.error ? null : listed));
  if (conversation) return <Loaded conversation={conversation} {...actions} />;
  return (
    <section className={styles.emptyPane} aria-label="Conversation">
      {!query.error ? (
        <SkeletonLines lines={6} />
      ) : isUnavailable ? (
        <EmptyState icon={IconMessages} title="Conversation unavailable">
          You cannot access this conversation.
        </EmptyState>
      ) : (
        <ErrorState title="The conversation could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      )}
    </section>
  );
}

type LoadedProps = Omit<OpenConversationProps, 'id' | 'listed'> & { conversation: Conversation };

function Loaded({ conversation, target, onClose, onLeave, onRemove }: LoadedProps) {
  const thread = useThread(conversation);
  const { others, onType, onStop } = usePresence(conversation.id);
  const { collision, guard, onText } = useCollisionGuard(conversation, thread, onStop);
  const [panel, setPanel] = useState(false);
  const name = <PersonName conversation={conversation} />;
  const remove = () => onRemove(personLabel(conversation));
  useCommands(conversation, () => setPanel(true), remove);
  useAssignKey();
  const back = useRef<HTMLButtonElement>(null);
  const narrow = useMediaQuery('(max-width: 767px)', window.matchMedia?.('(max-width: 767px)').matches ?? false);
  // On narrow screens the list is hidden, so the focus moves to the Back button.
  useEffect(() => {
    if (narrow) back.current?.focus({ preventScroll: true });
  }, [narrow]);
  return (
    <>
      <section className={styles.middle} aria-label="Conversation">
        <header className={styles.head}>
          <ActionIcon
            ref={back}
            className={styles.back}
            variant="subtle"
            aria-label="Back to conversations"
            onClick={onClose}
          >
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
          <div className={styles.names}>
            <h2 className={headerStyles.title}>{name}</h2>
            <p className={styles.subtitle}>
              {personName(conversation) && <PhoneNumber value={conversation.number} />}
              <span className={styles.via}>
                via <bdi>{senderLabel(conversation)}</bdi>
              </span>
              <Waiting since={conversation.waiting_since} />
            </p>
          </div>
          <AssignPicker conversation={conversation} />
          <LabelPicker conversation={conversation} />
          <StatusPicker conversation={conversation} onLeave={onLeave} />
          <Tooltip label="Contact">
            <ActionIcon
              className={styles.person}
              variant="subtle"
              aria-label="Show contact"
              onClick={() => setPanel(true)}
            >
              <IconUserCircle size={20} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </header>
        {(conversation.label_ids.length > 0 || hasClock(conversation)) && (
          <div className={styles.labels}>
            <Suspense>{hasClock(conversation) && <DueMark conversation={conversation} />}</Suspense>
            <LabelChips conversation={conversation} />
          </div>
        )}
        <ThreadView conversation={conversation} thread={thread} target={target} />
        <PresenceLine others={others} />
        <Composer conversation={conversation} onSend={thread.send} guard={guard} onText={onText} onType={onType} />
        <Collisions collision={collision} />
      </section>
      <ContactPane conversation={conversation} onRemove={remove} />
      <SidePanel cover open={panel} onClose={() => setPanel(false)} title={name}>
        <ContactFields conversation={conversation} onRemove={remove} />
      </SidePanel>
    </>
  );
}

const hasClock = ({ clocks }: Conversation): boolean =>
  Boolean(clocks && (clocks.response_due || clocks.resolution_due || clocks.paused));

/** The dialog loads with the first collision. */
function Collisions({ collision }: { collision: Collision | null }) {
  const [hadCollision, setHadCollision] = useState(false);
  if (collision && !hadCollision) setHadCollision(true);
  return hadCollision ? (
    <Suspense>
      <CollisionDialog collision={collision} />
    </Suspense>
  ) : null;
}

function useAssignKey(): void {
  const canAssign = useReason(ASSIGN_NEEDS) === null;
  useShortcuts('Conversation', [{ keys: 'A', label: 'Assign', run: openAssignPicker, when: () => canAssign }]);
}

function useCommands(conversation: Conversation, showContact: () => void, onRemove: () => void): void {
  const { user } = useSession();
  const { id, number, assignee_id } = conversation;
  const path = conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], id);
  useRecordActions({ kind: 'conversation', id, title: personName(conversation) || `+${number}`, path }, [
    { label: 'Reply', keywords: 'write answer', run: focusReply },
    { label: 'Assign', keywords: 'assignee owner', reason: useReason(ASSIGN_NEEDS), run: openAssignPicker },
    {
      label: 'Change status',
      keywords: 'close snooze pending open',
      reason: useReason(STATUS_NEEDS),
      run: openStatusMenu,
    },
    { label: 'Label', keywords: 'tag', reason: useReason(LABEL_NEEDS), run: openLabelPicker },
    { label: 'Show contact', keywords: 'person details', run: showContact },
    { label: 'Delete', keywords: 'remove', reason: useReason(removeConversation.needs), run: onRemove },
  ]);
}
