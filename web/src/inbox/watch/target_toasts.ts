/** Toasts about missed targets of the user's conversations and of unassigned ones. Buttons open the conversations. */
import { conversationBucket } from '@parley/contract/inbox/inbox.ts';
import { targetMissed } from '@parley/contract/inbox/missed_targets.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { onLive } from '../../kernel/live/live.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, linkToAddress } from '../../paths.ts';
import { instant } from '../../ui/data/format.ts';
import { isolate } from '../../ui/data/text_direction.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { isOpen } from './open_conversations.ts';

/** Busy inboxes do not cover the page with toasts: at most this many start in each period. */
const MAX_TOASTS = 3;
const PERIOD_MS = 60_000;
/** Events that are older were missed while the tab was away. */
const FRESH_MS = 5 * 60_000;

const TITLES = { response: 'First response overdue', resolution: 'Resolution overdue' } as const;

export function useTargetToasts(): void {
  const { user, admin } = useSession();
  const navigate = useNavigate();
  const go = useRef(navigate);
  useEffect(() => {
    go.current = navigate;
  });
  useEffect(() => {
    if (admin) return;
    let recent: number[] = [];
    return onLive(targetMissed, ({ id, conversation_id, assignee_id, contact, target }, { timestamp }) => {
      const bucket = conversationBucket(assignee_id, user.id);
      const now = Date.now();
      if (isOpen(conversation_id) || bucket === 'others' || now - instant(timestamp).getTime() > FRESH_MS) return;
      recent = recent.filter((at) => now - at < PERIOD_MS);
      if (recent.length >= MAX_TOASTS) return;
      recent.push(now);
      toast.warning(isolate(contact), {
        id: `target.${id}`,
        title: TITLES[target],
        autoClose: 15_000,
        action: {
          label: 'Open',
          run: () => void go.current(linkToAddress(conversationPath(BUCKET_PATHS[bucket], conversation_id))),
        },
      });
    });
  }, [admin, user.id]);
}
