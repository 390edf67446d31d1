/**
 * Which notifications the saved views give for a conversation. Most users have no settings for views, so the server is
 * asked about a conversation only if there are some.
 */
import {
  getConversationNotifications,
  listViewNotifications,
  type NotificationChoice,
} from '@parley/contract/inbox/view_notifications.ts';
import { useEffect, useRef } from 'react';
import { call } from '../../kernel/http/client.ts';
import { useEndpoint } from '../../kernel/http/query.ts';

/** Null: the general settings apply, also if the server cannot be asked. */
export type FindChoice = (conversation_id: string) => Promise<NotificationChoice | null>;

export function useViewChoice(enabled: boolean): FindChoice {
  const settings = useEndpoint(listViewNotifications, {}, { enabled, staleTime: 300_000 });
  const count = settings.data?.data.length ?? 0;
  const hasSettings = useRef(false);
  useEffect(() => {
    hasSettings.current = count > 0;
  }, [count]);
  const find = useRef<FindChoice>(async (id) => {
    if (!hasSettings.current) return null;
    try {
      return (await call(getConversationNotifications, { params: { id } })).data;
    } catch {
      return null;
    }
  });
  return find.current;
}
