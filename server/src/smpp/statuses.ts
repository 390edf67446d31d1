/** The command_status values with which the SMPP server refuses requests, and the states of messages in SMPP. */
import type { Message } from '@parley/contract/messages/messages.ts';
import type { Problem, ProblemName } from '@parley/contract/problem.ts';
import type { MessageState } from '@parley/smpp/receipt.ts';
import { PduError, STATUS } from '@parley/smpp/status.ts';

type StatusName = keyof typeof STATUS;

/** A test compares this table with docs/smpp.md. */
export const REFUSALS = {
  MESSAGE_SENDER_REQUIRED: 'ESME_RINVSRCADR',
  MESSAGE_SENDER_INVALID: 'ESME_RINVSRCADR',
  MESSAGE_SENDER_NOT_FOUND: 'ESME_RINVSRCADR',
  SENDER_BLOCKED: 'ESME_RINVSRCADR',
  RECIPIENT_REQUIRED: 'ESME_RINVDSTADR',
  RECIPIENTS_INVALID: 'ESME_RINVDSTADR',
  ROUTE_NOT_FOUND: 'ESME_RINVDSTADR',
  PRICE_NOT_FOUND: 'ESME_RINVDSTADR',
  RECIPIENT_BLOCKED: 'ESME_RPROHIBITED',
  COUNTRY_BLOCKED: 'ESME_RPROHIBITED',
  TRAFFIC_STOPPED: 'ESME_RPROHIBITED',
  TRIAL_RECIPIENT_NOT_ALLOWED: 'ESME_RPROHIBITED',
  RECIPIENT_LIMIT_REACHED: 'ESME_RPROHIBITED',
  CONTENT_REFUSED: 'ESME_RPROHIBITED',
  MESSAGE_TEXT_REQUIRED: 'ESME_RINVMSGLEN',
  MESSAGE_TEXT_TOO_LONG: 'ESME_RINVMSGLEN',
  MESSAGE_SEGMENTS_LIMIT_EXCEEDED: 'ESME_RINVMSGLEN',
  SCHEDULE_IN_PAST: 'ESME_RINVSCHED',
  VALIDITY_INVALID: 'ESME_RINVEXPIRY',
  ACCOUNT_UNVERIFIED: 'ESME_RSERTYPDENIED',
  TRIAL_ENDED: 'ESME_RSERTYPDENIED',
  PAYMENT_OVERDUE: 'ESME_RSERTYPDENIED',
  BALANCE_NOT_ENOUGH: 'ESME_RSERTYPDENIED',
  MESSAGE_NOT_FOUND: 'ESME_RINVMSGID',
  MESSAGE_CANCEL_NOT_ALLOWED: 'ESME_RCANCELFAIL',
  TRAFFIC_LIMIT_REACHED: 'ESME_RTHROTTLED',
  ACCOUNT_BUSY: 'ESME_RMSGQFUL',
  IDEMPOTENCY_KEY_IN_USE: 'ESME_RMSGQFUL',
} as const satisfies Partial<Record<ProblemName, StatusName>>;

/** Programs repeat a submit that was refused as throttled. Other refusals are final. */
function problemStatus({ name, status }: Problem): number {
  const known: StatusName | undefined = (REFUSALS as Partial<Record<ProblemName, StatusName>>)[name];
  if (known) return STATUS[known];
  if (status === 429 || status === 503) return STATUS.ESME_RTHROTTLED;
  return status >= 500 ? STATUS.ESME_RSYSERR : STATUS.ESME_RSUBMITFAIL;
}

/** The status of a refusal. Returns null for an unexpected error. */
export function refusalStatus(error: unknown, isProblem: (error: unknown) => error is Problem): number | null {
  if (error instanceof PduError) return error.command_status;
  return isProblem(error) ? problemStatus(error) : null;
}

/** The states of outbound messages. */
export const STATES: Readonly<Record<Message['status'], MessageState>> = {
  scheduled: 'SCHEDULED',
  enroute: 'ENROUTE',
  sent: 'ENROUTE',
  delivered: 'DELIVERED',
  read: 'DELIVERED',
  failed: 'UNDELIVERABLE',
  rejected: 'REJECTED',
  expired: 'EXPIRED',
  blocked: 'REJECTED',
  unsubscribed: 'REJECTED',
  canceled: 'DELETED',
  received: 'UNKNOWN',
};

const FINAL: ReadonlySet<MessageState> = new Set(['DELIVERED', 'UNDELIVERABLE', 'REJECTED', 'EXPIRED', 'DELETED']);

export const isFinal = (state: MessageState): boolean => FINAL.has(state);

/** The error codes of receipts, for messages whose carrier gave no code of at most three digits. */
const FAILURE_CODES: Readonly<Record<NonNullable<Message['failure']>, number>> = {
  connection: 1,
  throttled: 2,
  rejected: 3,
  invalid: 4,
  config: 5,
  opted_out: 6,
  unknown: 7,
  expired: 8,
};

/** 0 means no error. */
export function errorCode(state: MessageState, failure: Message['failure'], carrier_code: string | null): number {
  if (state === 'DELIVERED' || !isFinal(state)) return 0;
  if (carrier_code && /^\d{1,3}$/.test(carrier_code)) return Number(carrier_code);
  return failure ? FAILURE_CODES[failure] : 0;
}
