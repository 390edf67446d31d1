/**
 * The state of sending after a failover, a restore, or a copy replaced the database. Sending is held until an operator
 * decides what to do with the messages that may already have been sent.
 */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { statusWord } from '../status.ts';

/** `send` sends the messages again, marked as possible duplicates. `cancel` cancels them and releases their holds. */
const DECISIONS = ['send', 'cancel'] as const;
export type SendingDecision = (typeof DECISIONS)[number];

export const SENDING_STATES = {
  open: statusWord('Sending', 'ok', 'check'),
  checking: statusWord('Checking', 'wait', 'clock'),
  held: statusWord('Held', 'fail', 'alert'),
};

/** The causes of a new epoch. */
export const EPOCH_CAUSES = {
  failover: 'A replica became the primary, or the database was recovered to a point in time',
  restore: 'The database was restored from a backup or copied',
  rewind: 'The database lost changes that workers had committed',
} as const;

const HeldConnection = z.object({
  connection_id: z.string(),
  name: z.string(),
  channel: z.enum(CHANNELS),
  /** The number of messages that may have been sent, as of the start of the hold. */
  message_count: z.int(),
  /** The number of these messages that neither evidence nor a decision has settled yet. */
  remaining: z.int(),
  /** The time of the oldest of these messages. */
  oldest_date: timestamp.nullable(),
  /** The number of messages accepted since then, which are sent once the hold ends. Counted up to 10,001. */
  waiting: z.int(),
  /** Null until an operator decides. Otherwise, the decision that is being carried out. */
  decision: z.enum(DECISIONS).nullable(),
});

export const SendingHold = z.object({
  state: z.enum(Object.keys(SENDING_STATES) as [keyof typeof SENDING_STATES]),
  cause: z.enum(Object.keys(EPOCH_CAUSES) as [keyof typeof EPOCH_CAUSES]).nullable(),
  /** The time when the change was detected. */
  change_date: timestamp.nullable(),
  /** The time of the newest change in the database. Later changes are missing. */
  data_date: timestamp.nullable(),
  connections: z.array(HeldConnection),
  /** Campaigns that were paused because contacts may already have their message. */
  paused_campaigns: z.int(),
});
export type SendingHold = z.output<typeof SendingHold>;

export const getSendingHold = endpoint({
  id: 'sending_hold.get',
  method: 'GET',
  path: '/v1/sending_hold',
  summary: 'Get the state of sending after a failover or a restore, with the messages that may already have been sent',
  needs: 'CHANNELS:view',
  audience: 'operator',
  output: SendingHold,
  problems: ['OPERATOR_ONLY'],
});

export const decideSendingHold = endpoint({
  id: 'sending_hold.decide',
  method: 'POST',
  path: '/v1/sending_hold/decisions',
  summary:
    'Decide what to do with messages that may already have been sent: send them again, marked as possible ' +
    'duplicates, or cancel them. Sending resumes once the decision is carried out',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  body: z.object({
    decision: z.enum(DECISIONS),
    /** The connection of the messages. If null or missing, the decision applies to all connections without one. */
    connection_id: uuid('CONNECTION_NOT_FOUND').nullable().default(null),
  }),
  output: SendingHold,
  problems: ['OPERATOR_ONLY', 'CONNECTION_NOT_FOUND', 'SENDING_NOT_HELD'],
});

/** Sending was held or resumed. Only the operators' account receives it. */
export const sendingHoldChanged = event({
  id: 'sending_hold.changed',
  modules: ['sending_hold', 'health', 'connections'],
  needs: 'CHANNELS:view',
  payload: z.object({ state: z.enum(Object.keys(SENDING_STATES) as [keyof typeof SENDING_STATES]) }),
});
