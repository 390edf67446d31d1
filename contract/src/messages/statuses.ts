/**
 * The statuses of messages, in one table. Each status belongs to a group. Figures, charts, and campaign results count
 * groups. A label means the same on every screen: "Undelivered" is always the group, and "Failed" is always the status.
 */
import { type StatusWord, statusWord } from '../status.ts';

export const STATUSES = [
  'scheduled',
  'enroute',
  'sent',
  'delivered',
  'read',
  'failed',
  'rejected',
  'expired',
  'blocked',
  'unsubscribed',
  'canceled',
  'received',
] as const;
export type Status = (typeof STATUSES)[number];

export const MESSAGE_GROUPS = {
  scheduled: statusWord('Scheduled', 'wait', 'clock'),
  pending: statusWord('Pending', 'flight', 'send'),
  delivered: statusWord('Delivered', 'ok', 'checks'),
  undelivered: statusWord('Undelivered', 'fail', 'cross'),
  canceled: statusWord('Canceled', 'off', 'ban'),
  answered: statusWord('Received', 'ok', 'check'),
} satisfies Record<string, StatusWord>;
type MessageGroup = keyof typeof MESSAGE_GROUPS;

interface MessageStatus extends StatusWord {
  /** A status is replaced only by one of a higher rank. A late delivery receipt (4, 5) replaces a failure (3). */
  readonly rank: number;
  /** True if no other status is expected. */
  readonly final: boolean;
  readonly group: MessageGroup;
}

export const MESSAGE_STATUS: Readonly<Record<Status, MessageStatus>> = {
  scheduled: { rank: 0, final: false, group: 'scheduled', ...MESSAGE_GROUPS.scheduled },
  enroute: { rank: 1, final: false, group: 'pending', ...statusWord('En route', 'flight', 'send') },
  sent: { rank: 2, final: false, group: 'pending', ...statusWord('Sent', 'flight', 'check') },
  failed: { rank: 3, final: true, group: 'undelivered', ...statusWord('Failed', 'fail', 'cross') },
  rejected: { rank: 3, final: true, group: 'undelivered', ...statusWord('Rejected', 'fail', 'cross') },
  expired: { rank: 3, final: true, group: 'undelivered', ...statusWord('Expired', 'fail', 'clock') },
  blocked: { rank: 3, final: true, group: 'undelivered', ...statusWord('Blocked', 'fail', 'ban') },
  unsubscribed: { rank: 3, final: true, group: 'undelivered', ...statusWord('Unsubscribed', 'fail', 'ban') },
  canceled: { rank: 6, final: true, group: 'canceled', ...MESSAGE_GROUPS.canceled },
  delivered: { rank: 4, final: true, group: 'delivered', ...statusWord('Delivered', 'ok', 'checks') },
  read: { rank: 5, final: true, group: 'delivered', ...statusWord('Read', 'ok', 'checks') },
  received: { rank: 6, final: true, group: 'answered', ...MESSAGE_GROUPS.answered },
};

export const RANK = Object.fromEntries(STATUSES.map((status) => [status, MESSAGE_STATUS[status].rank])) as Readonly<
  Record<Status, number>
>;
/** The status that screens show for a message. A message awaiting review is queued, but not on its way. */
export const shownStatus = ({ status, marks }: { status: Status; marks?: { review?: string } | null }): StatusWord =>
  marks?.review === 'waiting' && RANK[status] < RANK.sent ? IN_REVIEW : MESSAGE_STATUS[status];
const IN_REVIEW = statusWord('In review', 'wait', 'clock');
export const isFinal = (status: Status): boolean => MESSAGE_STATUS[status].final;

export const statusesInGroup = (group: MessageGroup): Status[] =>
  STATUSES.filter((status) => MESSAGE_STATUS[status].group === group);
export const UNDELIVERED: readonly Status[] = statusesInGroup('undelivered');
/** The names of groups that no status has. The API accepts them as a short form. */
export const GROUP_NAMES = ['pending', 'undelivered', 'answered'] as const satisfies readonly MessageGroup[];
export const namedStatuses = (name: Status | (typeof GROUP_NAMES)[number]): Status[] =>
  name in MESSAGE_STATUS ? [name as Status] : statusesInGroup(name as MessageGroup);
/** Messages that an account meant to send: all outbound messages that are neither scheduled nor canceled. */
export const SENT_GROUPS = ['pending', 'delivered', 'undelivered'] as const satisfies readonly MessageGroup[];

/** One choice in the status filter of the message log. */
interface LogWord {
  /** A group, or a status in the group above it. */
  readonly value: MessageGroup | Status;
  readonly label: string;
  readonly statuses: readonly Status[];
  /** True for a status within a group. Its rows are also found by the group. */
  readonly nested: boolean;
}

/**
 * The status filter of the message log: each group, followed by its statuses if it has several. A group and a status
 * with the same name are the group: `delivered` also finds read messages.
 */
export const LOG_WORDS: readonly LogWord[] = (Object.keys(MESSAGE_GROUPS) as MessageGroup[]).flatMap((group) => {
  const statuses = statusesInGroup(group);
  const nested = statuses.length < 2 ? [] : statuses.filter((status) => status !== (group as string));
  return [
    { value: group, label: MESSAGE_GROUPS[group].label, statuses, nested: false },
    ...nested.map((status) => ({
      value: status,
      label: MESSAGE_STATUS[status].label,
      statuses: [status],
      nested: true,
    })),
  ];
});

/** Returns the statuses that these filter words match. */
export const statusesFound = (words: readonly string[]): Status[] => {
  const found = new Set(LOG_WORDS.filter(({ value }) => words.includes(value)).flatMap(({ statuses }) => statuses));
  return STATUSES.filter((status) => found.has(status));
};
