/** The meaning of the `status` of a response. The HTTP status is always 200. */
import type { SendFailure } from '../channel.ts';

type Meaning = Omit<SendFailure, 'code'>;

const MALFORMED: Meaning = { kind: 'invalid', text: 'Viber could not read the message' };
const BUSY: Meaning = { kind: 'connection', text: 'Viber could not take the message for now', limited: true };

const MEANINGS: Readonly<Record<number, Meaning>> = {
  1: BUSY,
  7: BUSY,
  3: MALFORMED,
  5: MALFORMED,
  6: MALFORMED,
  18: MALFORMED,
  20: MALFORMED,
  28: { kind: 'invalid', text: 'Viber does not take files of this type' },
  29: { kind: 'invalid', text: 'The name of the file is too long for Viber' },
  30: { kind: 'invalid', text: 'Viber could not take the picture of the video' },
  31: { kind: 'invalid', text: 'The file is too large for Viber' },
  32: { kind: 'invalid', text: 'The video is too long for Viber' },
  39: { kind: 'invalid', text: 'The values do not fit the template' },
  40: MALFORMED,
  41: MALFORMED,
  2: { kind: 'config', text: 'Viber does not know the service id of the sender' },
  13: { kind: 'config', text: 'The sender may not send messages of this kind' },
  38: { kind: 'config', text: 'Viber does not know the template' },
  43: { kind: 'config', text: 'Viber has blocked the sender' },
  8: { kind: 'opted_out', text: 'The person has blocked the sender' },
  9: { kind: 'rejected', text: 'The person does not use Viber' },
  10: { kind: 'rejected', text: 'The person has no device that can show the message' },
  21: { kind: 'rejected', text: 'No conversation is open, or the person has to answer first', closes: true },
  27: { kind: 'rejected', text: 'Viber does not take the number' },
  401: {
    kind: 'connection',
    text: 'Viber is not available at the moment',
    internal: 'Viber does not let in the address this is sent from',
  },
};

/** Null for success. */
export function failureOf(status: number): SendFailure | null {
  if (status === 0) return null;
  return { ...(MEANINGS[status] ?? { kind: 'rejected', text: 'Viber refused the message' }), code: String(status) };
}
