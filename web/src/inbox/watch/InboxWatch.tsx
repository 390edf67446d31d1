/**
 * The parts of the inbox that work on every page: notices about conversations that the user lost, toasts about new
 * messages, mentions, and missed targets, clicks on notifications, and the Quick Reply dialog. A default export,
 * because it loads after the page.
 */

import { Suspense } from 'react';
import { closeQuickReply, useQuickReplyTarget } from '../../kernel/quick_reply.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { useLosses } from './losses.ts';
import { useMentionToasts } from './mention_toasts.ts';
import { useMessageToasts } from './message_toasts.ts';
import { useOpenedNotifications } from './opened_notifications.ts';
import { useSimultaneousReplies } from './simultaneous.ts';
import { useTargetToasts } from './target_toasts.ts';

const UnavailableDialog = lazyPart(() => import('./UnavailableDialog.tsx'));
const QuickReply = lazyPart(() => import('../quick_reply/QuickReply.tsx'));

export default function InboxWatch() {
  const { loss, acknowledge } = useLosses();
  useMessageToasts();
  useMentionToasts();
  useTargetToasts();
  useOpenedNotifications();
  useSimultaneousReplies();
  const target = useQuickReplyTarget();
  const mayRead = useReason('MESSAGES:view') === null;
  return (
    <Suspense>
      {target && mayRead && <QuickReply target={target} onClose={closeQuickReply} />}
      {loss && <UnavailableDialog loss={loss} onAcknowledge={acknowledge} />}
    </Suspense>
  );
}
