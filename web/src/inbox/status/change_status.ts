/** Changes a conversation's status, with Undo, and marks conversations as unread. */
import { type Conversation, getConversation, updateConversation } from '@parley/contract/inbox/inbox.ts';
import type { ConversationStatus } from '@parley/contract/inbox/statuses.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type CallInput, call } from '../../kernel/http/client.ts';
import { queryKey, toastError } from '../../kernel/http/query.ts';
import { toWire } from '../../ui/controls/local_time.ts';
import { formatDateTime, instant } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';

const MODULES = ['conversations', 'conversation_badges', 'conversation_entries'];

export interface NewStatus {
  status: ConversationStatus;
  /** The end of the snooze. */
  until?: Date;
}

type Change = NonNullable<CallInput<typeof updateConversation>['body']>;

async function update(client: QueryClient, id: string, body: Change): Promise<boolean> {
  try {
    const { data } = await call(updateConversation, { params: { id }, body });
    client.setQueryData(queryKey(getConversation, { params: { id } }), { data });
    return true;
  } catch (error) {
    toastError(error);
    return false;
  } finally {
    for (const module of MODULES) void client.invalidateQueries({ queryKey: [module] });
  }
}

const toBody = ({ status, until }: NewStatus): Change => ({
  status,
  ...(until ? { snooze_until: toWire(until) } : {}),
});

/** Returns the function that changes the status. The toast offers Undo, which restores the earlier status. */
export function useChangeStatus(): (conversation: Conversation, next: NewStatus) => Promise<boolean> {
  const client = useQueryClient();
  const zone = useZone();
  return async ({ id, status, snooze_until }, next) => {
    if (!(await update(client, id, toBody(next)))) return false;
    const before: NewStatus = { status, ...(snooze_until ? { until: instant(snooze_until) } : {}) };
    // A snooze that has ended in the meantime cannot be restored.
    const back: NewStatus = before.until && before.until <= new Date() ? { status: 'open' } : before;
    toast.success(doneText(next, zone), {
      id: `status.${id}`,
      autoClose: 5_000,
      action: { label: 'Undo', run: () => void update(client, id, toBody(back)) },
    });
    return true;
  };
}

function doneText({ status, until }: NewStatus, zone: string): string {
  if (status === 'snoozed') return `Snoozed until ${formatDateTime(until, zone)}`;
  return { open: 'Conversation is open', pending: 'Conversation is pending', closed: 'Conversation closed' }[status];
}

/** Returns the function that marks a conversation as unread. */
export function useMarkUnread(): (id: string) => Promise<boolean> {
  const client = useQueryClient();
  return (id) => update(client, id, { unread: true });
}
