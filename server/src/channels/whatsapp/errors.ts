/**
 * The meaning of WhatsApp's error codes, for a refused call and for a message that fails later. If there is a code, the
 * code and its details decide, never the text or the HTTP status.
 */
import type { Report, SendFailure } from '../channel.ts';
import { type Json, maskNumbers, toObject, toText } from '../wire_json.ts';

interface Meaning {
  kind: SendFailure['kind'];
  text: string;
  /** The text for operators, if `text` omits the cause. */
  internal?: string;
  /** Retried a few times, then final. */
  limited?: true;
  /** True if the failure concerns this recipient or sender, not the bind. */
  narrow?: true;
  /** WhatsApp has closed the session. */
  closes?: true;
  /** The status of a message that fails later, if the kind does not determine it. */
  later?: 'failed';
}

const BUSY: Meaning = { kind: 'connection', text: 'WhatsApp could not accept the message right now', limited: true };
const AWAY: Meaning = { kind: 'connection', text: 'WhatsApp cannot accept messages right now' };
const TOKEN: Meaning = {
  kind: 'connection',
  text: 'WhatsApp is not available at the moment',
  internal: 'The connection’s access token is invalid or has expired',
};
const DENIED: Meaning = {
  kind: 'connection',
  text: 'WhatsApp is not available at the moment',
  internal: 'The access token lacks a permission for this call',
  limited: true,
};
const UNPAID: Meaning = {
  kind: 'connection',
  text: 'WhatsApp is not available at the moment',
  internal: 'WhatsApp is waiting for payment for the business account',
};
const FASTER: Meaning = { kind: 'throttled', text: 'WhatsApp is limiting the message rate' };
const MALFORMED: Meaning = { kind: 'invalid', text: 'WhatsApp could not read the message' };
const MISFIT: Meaning = { kind: 'invalid', text: 'The values do not match the template' };
const UNREACHED: Meaning = {
  kind: 'rejected',
  text: 'The recipient cannot be reached on WhatsApp',
  later: 'failed',
};

const MEANINGS: Readonly<Record<number, Meaning>> = {
  0: TOKEN,
  190: TOKEN,
  3: DENIED,
  10: DENIED,
  131005: DENIED,
  4: FASTER,
  80007: FASTER,
  130429: FASTER,
  133016: FASTER,
  131048: { kind: 'throttled', text: 'Too many of this sender’s messages were blocked or reported', narrow: true },
  131056: { kind: 'throttled', text: 'Too many messages were sent to this recipient in a short time', narrow: true },
  131064: { kind: 'throttled', text: 'The sender has reached its daily recipient limit', narrow: true },
  132069: { kind: 'throttled', text: 'The form has been opened too many times', narrow: true },
  1: BUSY,
  131000: BUSY,
  135000: BUSY,
  2: AWAY,
  131016: AWAY,
  131057: AWAY,
  131042: UNPAID,
  131044: UNPAID,
  368: { kind: 'config', text: 'WhatsApp has blocked the business for violating its policies' },
  131031: { kind: 'config', text: 'WhatsApp has locked the business account' },
  131037: { kind: 'config', text: 'The sender’s display name is not approved yet' },
  131045: { kind: 'config', text: 'The sender is not registered with WhatsApp' },
  133010: { kind: 'config', text: 'The sender is not registered with WhatsApp' },
  131063: { kind: 'config', text: 'Marketing templates are turned off for this sender' },
  132001: { kind: 'config', text: 'The template does not exist in this language or is not approved' },
  132015: { kind: 'config', text: 'WhatsApp has paused the template' },
  132016: { kind: 'config', text: 'WhatsApp has disabled the template' },
  132068: { kind: 'config', text: 'The form is blocked' },
  100: MALFORMED,
  131008: MALFORMED,
  131009: MALFORMED,
  131051: { kind: 'invalid', text: 'WhatsApp does not support this type of message' },
  131052: { kind: 'invalid', text: 'The file could not be read' },
  131053: { kind: 'invalid', text: 'WhatsApp could not accept the file' },
  131062: { kind: 'invalid', text: 'This message cannot be sent to a recipient without a phone number' },
  132000: MISFIT,
  132005: MISFIT,
  132008: MISFIT,
  132012: MISFIT,
  132018: MISFIT,
  130472: {
    kind: 'rejected',
    text: 'The recipient is part of a WhatsApp experiment and receives no marketing messages',
    later: 'failed',
  },
  130497: { kind: 'rejected', text: 'The business cannot send messages to recipients in this country' },
  131021: { kind: 'rejected', text: 'A sender cannot send messages to itself' },
  131026: UNREACHED,
  131030: { kind: 'rejected', text: 'A test number can send only to the numbers on its list' },
  131047: {
    kind: 'rejected',
    text: 'The recipient has not written in the last 24 hours, so only a template can be sent',
    closes: true,
  },
  131049: {
    kind: 'rejected',
    text: 'WhatsApp did not deliver it, because the recipient already receives many marketing messages',
    later: 'failed',
  },
  131050: { kind: 'opted_out', text: 'The recipient has opted out of marketing from this sender' },
  132007: { kind: 'rejected', text: 'The template’s content violates WhatsApp’s policies' },
  137000: { kind: 'rejected', text: 'The recipient’s identity has changed' },
};

/** WhatsApp reports an invalid parameter, and this subcode shows that the parameter is the sending number. */
const NO_SUCH_OBJECT = 33;
const STRANGER: Meaning = {
  kind: 'config',
  text: 'The sender is not available on WhatsApp',
  internal: 'WhatsApp does not recognize the sender, or the access token has no access to it',
};

export interface Refused {
  failure: SendFailure;
  narrow: boolean;
  /** WhatsApp's text, with numbers masked. */
  description: string;
}

/** Reads the `error` of a response, or one of the `errors` in a webhook. Returns null if there is none. */
export function refusedBy(error: unknown): (Refused & { code: number }) | null {
  const { code, error_subcode, message, title, error_data } = toObject(error);
  const number = Number(toText(code) || Number.NaN);
  if (!Number.isSafeInteger(number)) return null;
  const meaning =
    number === 100 && error_subcode === NO_SUCH_OBJECT ? STRANGER : (MEANINGS[number] ?? fallback(number));
  const description = maskNumbers(toObject(error_data).details) || maskNumbers(message) || maskNumbers(title);
  return { code: number, ...toRefusal(meaning, String(number)), description };
}

const fallback = (code: number): Meaning =>
  code >= 200 && code <= 299 ? DENIED : { kind: 'rejected', text: 'WhatsApp rejected the message' };

const toRefusal = ({ kind, text, internal, limited, narrow, closes }: Meaning, code: string) => ({
  failure: {
    kind,
    code,
    text,
    ...(internal ? { internal } : {}),
    ...(limited ? { limited } : {}),
    ...(closes ? { closes } : {}),
  },
  narrow: narrow === true,
});

/** The status of a message that failed after it was accepted. */
export function failureStatus(errors: readonly unknown[]): { status: Report['status']; error: Json } {
  const error = toObject(errors[0]);
  const refused = refusedBy(error);
  if (!refused) return { status: 'failed', error };
  const { kind } = refused.failure;
  if (kind === 'opted_out') return { status: 'unsubscribed', error };
  const later = MEANINGS[refused.code]?.later;
  return { status: kind === 'rejected' && !later ? 'rejected' : 'failed', error };
}
