/**
 * The state of sending after the database was replaced by a failover, a restore, or a copy. Sending is held until an
 * operator decides about the messages that may already have been sent.
 */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { statusWord } from '../status.ts';

/** `send`: again, marked as possible duplicates. `cancel`: not again; the holds are released. */
const DECISIONS = ['send', 'cancel'] as const;
export type SendingDecision = (typeof DECISIONS)[number];

export const SENDING_STATES = {
  open: statusWord('Sending', 'ok', 'check'),
  checking: statusWord('Checking', 'wait', 'clock'),
  held: statusWord('Held', 'fail', 'alert'),
};

/** What replaced the history of the database. */
export const EPOCH_CAUSES = {
  failover: 'A replica became the primary, or the database was recovered to a point in time',
  restore: 'The database was restored from a backup or copied',
  rewind: 'The database lost changes that workers had committed',
} as const;

const HeldConnection = z.object({
  connection_id: z.string(),
  name: z.string(),
  channel: z.enum(CHANNELS),
  /** Messages that may have been sent, when the hold began. */
  message_count: z.int(),
  /** Those that neither evidence nor a decision has settled yet. */
  remaining: z.int(),
  /** The oldest of them. */
  oldest_date: timestamp.nullable(),
  /** Messages accepted since then, which are sent once the hold ends. Counted up to 10,001. */
  waiting: z.int(),
  /** Null: waits for a decision. Otherwise, the decision is being carried out. */
  decision: z.enum(DECISIONS).nullable(),
});

export const SendingHold = z.object({
  state: z.enum(Object.keys(SENDING_STATES) as [keyof typeof SENDING_STATES]),
  cause: z.enum(Object.keys(EPOCH_CAUSES) as [keyof typeof EPOCH_CAUSES]).nullable(),
  /** When the change was noticed. */
  change_date: timestamp.nullable(),
  /** The last moment that the database contains. What happened between then and the change is missing. */
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
  summary: 'Get whether sending is held after a failover or a restore, and which messages may already have been sent',
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
    'Decide about the messages that may already have been sent: send them again, marked as possible duplicates, or ' +
    'do not. Sending resumes when the decision is carried out',
  needs: 'CHANNELS:edit',
  audience: 'operator',
  body: z.object({
    decision: z.enum(DECISIONS),
    /** Null or missing: all connections without a decision. */
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
