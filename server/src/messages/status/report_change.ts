/** Converts a delivery receipt into a change to its message. */
import type { Failure } from '@parley/contract/messages/messages.ts';
import type { Report } from '../../channels/channel.ts';
import type { Change } from '../model/change.ts';

const FAILURES: Partial<Record<Report['status'], Failure>> = {
  failed: 'rejected',
  rejected: 'rejected',
  expired: 'expired',
  unsubscribed: 'opted_out',
};

const STATE_TEXTS: Readonly<Record<string, string>> = {
  EXPIRED: 'Not delivered in time',
  DELETED: 'Deleted by the carrier',
  UNDELIVERABLE: 'The phone could not be reached',
  REJECTED: 'The carrier rejected the message',
  SKIPPED: 'Skipped by the carrier',
};

/** If a carrier reports on a message, it has accepted the message, so the message is charged. */
export function toChange(account_id: string, message_id: string, connection_id: string, report: Report): Change {
  const usual = FAILURES[report.status];
  const failure = usual && (report.failure?.kind ?? usual);
  return {
    account_id,
    message_id,
    connection_id,
    status: report.status,
    source: 'carrier',
    accepted: true,
    detail: report.detail,
    ...(report.at === undefined ? {} : { at: report.at }),
    ...(report.code === null ? {} : { code: report.code }),
    ...(failure ? { failure, text: failureText(report) } : {}),
  };
}

function failureText({ state, code, failure }: Report): string {
  const text = failure?.text ?? STATE_TEXTS[state] ?? 'The carrier gave no reason';
  return code === null ? text : `${text} (carrier code ${code})`;
}
