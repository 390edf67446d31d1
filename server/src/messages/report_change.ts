/** What one report says about a message, as a change. */
import type { Failure } from '@parley/contract/messages/messages.ts';
import type { Report } from '../channels/channel.ts';
import type { Change } from './change.ts';

const FAILURE: Partial<Record<Report['status'], Failure>> = {
  failed: 'rejected',
  rejected: 'rejected',
  expired: 'expired',
  unsubscribed: 'opted_out',
};

const WORDS: Readonly<Record<string, string>> = {
  EXPIRED: 'Not delivered in time',
  DELETED: 'Deleted by the carrier',
  UNDELIVERABLE: 'The phone could not be reached',
  REJECTED: 'The carrier refused the message',
  SKIPPED: 'Skipped by the carrier',
};

/** A carrier that reports on a message has it: the message is paid for, whatever became of it. */
export function changeOf(account_id: string, message_id: string, connection_id: string, report: Report): Change {
  const usual = FAILURE[report.status];
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
    ...(failure ? { failure, text: wordsOf(report) } : {}),
  };
}

function wordsOf({ state, code, failure }: Report): string {
  const text = failure?.text ?? WORDS[state] ?? 'The carrier could not say what became of it';
  return code === null ? text : `${text} (carrier code ${code})`;
}
