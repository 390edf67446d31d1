/** The meaning of each `status` in a response. The HTTP status is always 200. */
import type { SendFailure } from '../channel.ts';

type Meaning = Omit<SendFailure, 'code'>;

/** Reported for an unpaid account, but also for a single sender that lacks a permission. */
export const NOT_PERMITTED = 13;

const MALFORMED: Meaning = { kind: 'invalid', text: 'Viber could not read the message' };
const BUSY: Meaning = { kind: 'connection', text: 'Viber could not accept the message right now', limited: true };

const MEANINGS: Readonly<Record<number, Meaning>> = {
  1: BUSY,
  7: BUSY,
  3: MALFORMED,
  5: MALFORMED,
  6: MALFORMED,
  18: MALFORMED,
  20: MALFORMED,
  28: { kind: 'invalid', text: 'Viber does not accept this type of file' },
  29: { kind: 'invalid', text: 'The file name is too long for Viber' },
  30: { kind: 'invalid', text: 'Viber could not use the video’s preview image' },
  31: { kind: 'invalid', text: 'The file is too large for Viber' },
  32: { kind: 'invalid', text: 'The video is too long for Viber' },
  39: { kind: 'invalid', text: 'The values do not match the template' },
  40: MALFORMED,
  41: MALFORMED,
  2: { kind: 'config', text: 'Viber does not recognize the sender’s service ID' },
  38: { kind: 'config', text: 'Viber does not recognize the template' },
  43: { kind: 'config', text: 'Viber has blocked the sender' },
  8: { kind: 'opted_out', text: 'The recipient has blocked the sender' },
  9: { kind: 'rejected', text: 'The recipient does not use Viber' },
  10: { kind: 'rejected', text: 'The recipient has no device that can display the message' },
  21: { kind: 'rejected', text: 'No session is open, or the recipient has to reply first', closes: true },
  27: { kind: 'rejected', text: 'Viber does not accept this number' },
  [NOT_PERMITTED]: {
    kind: 'connection',
    text: 'Viber is not available at the moment',
    internal: 'Viber does not permit the account to send. Check its billing',
    pauses: true,
  },
  401: {
    kind: 'connection',
    text: 'Viber is not available at the moment',
    internal: 'Viber does not allow requests from our IP address',
    pauses: true,
  },
};

/** Returns null for success. */
export function toFailure(status: number): SendFailure | null {
  if (status === 0) return null;
  return { ...(MEANINGS[status] ?? { kind: 'rejected', text: 'Viber rejected the message' }), code: String(status) };
}
