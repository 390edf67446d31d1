/**
 * The test carrier: what happens to a message that was sent with a test key. The last six digits of the recipient's
 * number choose the outcome; server/guides/test-keys.md lists them for customers.
 */
import type { TimelineEntry } from '@parley/contract/messages/details.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';

interface Outcome {
  readonly status: Status;
  readonly failure: Message['failure'];
  readonly text: string;
}

const DELIVERED: Outcome = { status: 'delivered', failure: null, text: 'Delivered by the test carrier' };
const OUTCOMES: Readonly<Record<string, Outcome | null>> = {
  '000001': { status: 'failed', failure: 'invalid', text: 'Test: the number does not exist' },
  '000002': { status: 'rejected', failure: 'rejected', text: 'Test: the carrier rejected the message' },
  '000003': { status: 'expired', failure: 'expired', text: 'Test: the phone was off until the message expired' },
  '000004': { status: 'unsubscribed', failure: 'opted_out', text: 'Test: the recipient has opted out' },
  // No receipt arrives, so the status stays `sent`.
  '000005': null,
};
const DIGITS = 6;
/** These fail before the carrier accepts them. */
const UNSENT: ReadonlySet<string> = new Set(['rejected', 'unsubscribed']);

export interface Step {
  readonly status: Status;
  readonly fields: Partial<Message>;
  readonly entry: TimelineEntry;
}

/** The changes of the message, in their order. `at` is the time for the timeline. */
export function testSteps(to: string, at: string): Step[] {
  const ending = to.slice(-DIGITS);
  const outcome = ending in OUTCOMES ? OUTCOMES[ending]! : DELIVERED;
  const sent: Step = { status: 'sent', fields: {}, entry: { at, status: 'sent', source: 'test' } };
  if (!outcome) return [sent];
  const { status, failure, text } = outcome;
  const end: Step = {
    status,
    fields: failure ? { failure, status_details: text } : {},
    entry: { at, status, source: 'test', text },
  };
  return UNSENT.has(status) ? [end] : [sent, end];
}
