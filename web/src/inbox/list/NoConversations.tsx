/** Explains why the list is empty, and the next step. A default export, because it loads when the list is empty. */
import { Button } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { STATUS_LABELS } from '../status/words.ts';
import { type InboxFilters, isFiltered } from './filters.ts';

interface NoConversationsProps {
  filters: InboxFilters;
  isUnreadOnly: boolean;
  /** The text for an inbox without conversations. */
  emptyText: string;
  emptyAction: ReactNode;
  onClear: () => void;
}

export default function NoConversations({
  filters,
  isUnreadOnly,
  emptyText,
  emptyAction,
  onClear,
}: NoConversationsProps) {
  const action = isFiltered(filters) ? (
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  ) : isUnreadOnly ? null : (
    emptyAction
  );
  return (
    <EmptyState icon={IconInbox} title={emptyTitle(filters, isUnreadOnly)} action={action}>
      {emptyHint(filters, isUnreadOnly) ?? emptyText}
    </EmptyState>
  );
}

function emptyTitle(filters: InboxFilters, isUnreadOnly: boolean): string {
  if (filters.mentioned) return 'No conversations mention you';
  if (filters.channel || filters.sender_id || filters.label_id || filters.due)
    return 'No conversations match these filters';
  if (filters.status !== 'open')
    return filters.status ? `No ${STATUS_LABELS[filters.status].toLowerCase()} conversations` : 'No conversations yet';
  return isUnreadOnly ? 'No unread conversations' : 'No conversations yet';
}

function emptyHint(
  { channel, sender_id, status, mentioned, label_id, due }: InboxFilters,
  isUnreadOnly: boolean,
): string | null {
  if (mentioned) return 'When another user mentions you in a note, the conversation appears here.';
  if (channel || sender_id || label_id || due) return 'Choose other filters, or clear them.';
  if (status !== 'open') return 'Choose another status, or clear the filters.';
  return isUnreadOnly ? 'You have read all conversations in this inbox.' : null;
}
