/** The words for the status of conversations. */
import type { ConversationEntry, RuleOutcome } from '@parley/contract/inbox/entries.ts';
import type { ConversationStatus } from '@parley/contract/inbox/statuses.ts';
import { formatDateTime } from '../../ui/data/format.ts';

export const STATUS_LABELS: Record<ConversationStatus, string> = {
  open: 'Open',
  pending: 'Pending',
  snoozed: 'Snoozed',
  closed: 'Closed',
};

function ruleLine({ name, unavailable, labels, closed, refusal }: RuleOutcome): string {
  const done = [
    ...(labels > 0 ? [labels === 1 ? 'added a label' : `added ${labels} labels`] : []),
    ...(closed ? ['closed the conversation'] : []),
    ...(unavailable === null ? [] : [`could not assign the conversation to ${unavailable}`]),
    ...(refusal === null ? [] : [`could not reply: ${refusal}`]),
  ];
  return `The rule ${name} ${done.length > 0 ? done.join(' and ') : 'was applied'}`;
}

const TARGETS = { response: 'First response', resolution: 'Resolution' } as const;

/** The line in the thread: "Ann Miller closed the conversation". */
export function statusLine({ status, user, answered, rule, missed }: ConversationEntry, zone: string): string {
  if (answered) return `${user?.full_name ?? 'A user'} replied after ${answered.full_name} had already replied`;
  if (rule) return ruleLine(rule);
  if (missed) return `${TARGETS[missed.target]} target missed: it was due ${formatDateTime(missed.due, zone)}`;
  if (!status) return '';
  const { to, from, until } = status;
  if (!user) return to === 'closed' ? 'Conversation closed automatically' : 'Snooze ended';
  const name = user.full_name;
  if (to === 'snoozed') return `${name} snoozed the conversation until ${formatDateTime(until, zone)}`;
  if (to === 'pending') return `${name} marked the conversation as pending`;
  if (to === 'closed') return `${name} closed the conversation`;
  return from === 'closed' ? `${name} reopened the conversation` : `${name} marked the conversation as open`;
}
