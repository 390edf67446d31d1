// Delivery receipts as carriers really write them: parameters first, then the text form of 3.4 appendix B with any spacing, case
// and missing fields. A receipt is known by esm_class or parameters only: a person can type the text, so it proves nothing.

import type { Pdu, PduFields } from './pdu.ts';
import { bodyOf } from './reassembly.ts';
import { charsetOf, DATA_CODING, decodeText } from './text.ts';
import { parseStamp, stamp } from './time.ts';

/** By their number in message_state. */
export const MESSAGE_STATES = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVERED',
  'EXPIRED',
  'DELETED',
  'UNDELIVERABLE',
  'ACCEPTED',
  'UNKNOWN',
  'REJECTED',
  'SKIPPED',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export type Receipt = {
  /** As written; see normaliseId. Empty when the carrier gave none. */
  id: string;
  state: MessageState;
  /** The carrier's own code, as written; null when it gave none. */
  error: string | null;
  submit_date: Date | null;
  done_date: Date | null;
  /** Beginning of the message, as the carrier repeats it. */
  text: string;
  /** Not the last word: the carrier is still trying. */
  intermediate: boolean;
};

export type ReceiptOptions = {
  /** Clock of the carrier, for dates that do not say their zone. */
  utc_offset_minutes?: number;
};

const TYPE = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;

/** Null when the PDU is not a receipt but a message of a person. */
export function parseReceipt(pdu: Pdu, options: ReceiptOptions = {}): Receipt | null {
  const type = (pdu.esm_class ?? 0) & TYPE;
  const { receipted_message_id, message_state, network_error_code } = pdu.tlvs ?? {};
  const byParameters = receipted_message_id !== undefined && message_state !== undefined;
  if (type !== RECEIPT && type !== INTERMEDIATE && !byParameters) return null;
  const fields = textFields(receiptBody(pdu));
  const offset = options.utc_offset_minutes ?? 0;
  const state =
    message_state === undefined ? stateOf(fields.get('stat') ?? '') : (MESSAGE_STATES[message_state] ?? 'UNKNOWN');
  return {
    id: receipted_message_id || (fields.get('id') ?? ''),
    state,
    error: network_error_code ? String(network_error_code.readUInt16BE(1)) : fields.get('err') || null,
    submit_date: parseStamp(fields.get('submitdate') ?? '', offset),
    done_date: parseStamp(fields.get('donedate') ?? '', offset),
    text: fields.get('text') ?? '',
    intermediate: type === INTERMEDIATE || state === 'ENROUTE' || state === 'SCHEDULED',
  };
}

function receiptBody(pdu: Pdu): string {
  const data_coding = pdu.data_coding ?? 0;
  // Carriers write the form in ASCII whatever they declare: read as GSM-7, an id with "_" or "@" would not be the one we know.
  const ascii = charsetOf(data_coding) === 'gsm7';
  try {
    return decodeText(bodyOf(pdu), ascii ? DATA_CODING.latin1 : data_coding);
  } catch {
    // A broken header before the text: the parameters still count.
    return '';
  }
}

const KEY = /(?:^|[\s,;])(id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat(?:us)?|err(?:or)?|text)\s*[:=]/gi;

/** Splits at the keys, so that an empty value does not swallow its neighbour. Nothing after `text:` is a key: people write that. */
function textFields(body: string): Map<string, string> {
  const fields = new Map<string, string>();
  let key = '';
  let from = 0;
  for (const match of body.matchAll(KEY)) {
    if (key) keep(fields, key, body.slice(from, match.index));
    key = match[1]!
      .toLowerCase()
      .replace(/[ _]/, '')
      .replace(/^status$/, 'stat')
      .replace(/^error$/, 'err');
    from = match.index + match[0].length;
    if (key === 'text') break;
  }
  if (key) keep(fields, key, body.slice(from));
  return fields;
}

function keep(fields: Map<string, string>, key: string, value: string): void {
  if (!fields.has(key)) fields.set(key, value.trim());
}

const STEMS: readonly [string, MessageState][] = [
  ['DELIV', 'DELIVERED'],
  ['UNDEL', 'UNDELIVERABLE'],
  ['FAIL', 'UNDELIVERABLE'],
  ['EXPIR', 'EXPIRED'],
  ['DELET', 'DELETED'],
  ['ACCEP', 'ACCEPTED'],
  ['REJEC', 'REJECTED'],
  ['ENROU', 'ENROUTE'],
  ['BUFFE', 'ENROUTE'],
  ['SCHED', 'SCHEDULED'],
  ['SKIP', 'SKIPPED'],
];

function stateOf(stat: string): MessageState {
  const written = stat.toUpperCase();
  return STEMS.find(([stem]) => written.startsWith(stem))?.[1] ?? 'UNKNOWN';
}

const STAT: Record<MessageState, string> = {
  SCHEDULED: 'SCHEDLD',
  ENROUTE: 'ENROUTE',
  DELIVERED: 'DELIVRD',
  EXPIRED: 'EXPIRED',
  DELETED: 'DELETED',
  UNDELIVERABLE: 'UNDELIV',
  ACCEPTED: 'ACCEPTD',
  UNKNOWN: 'UNKNOWN',
  REJECTED: 'REJECTD',
  SKIPPED: 'SKIPPED',
};

export type ReceiptDraft = {
  id: string;
  state: MessageState;
  submit_date: Date;
  done_date: Date;
  /** Three digits, "000" for none. */
  error?: string;
  text?: string;
  /** Also say it by receipted_message_id and message_state. Default true. */
  tlvs?: boolean;
};

/** The fields of a deliver_sm that reports on a message. Dates are written in UTC. */
export function formatReceipt(receipt: ReceiptDraft): PduFields {
  const delivered = receipt.state === 'DELIVERED' ? '001' : '000';
  const text =
    `id:${receipt.id} sub:001 dlvrd:${delivered} submit date:${stamp(receipt.submit_date)} ` +
    `done date:${stamp(receipt.done_date)} stat:${STAT[receipt.state]} err:${receipt.error ?? '000'} ` +
    `text:${(receipt.text ?? '').replace(/[^\x20-\x7e]/g, '.').slice(0, 20)}`;
  const fields: PduFields = {
    esm_class: receipt.state === 'ENROUTE' || receipt.state === 'SCHEDULED' ? INTERMEDIATE : RECEIPT,
    data_coding: 0,
    short_message: Buffer.from(text, 'latin1'),
  };
  if (receipt.tlvs === false) return fields;
  const message_state = MESSAGE_STATES.indexOf(receipt.state);
  return { ...fields, tlvs: { receipted_message_id: receipt.id, message_state } };
}

/** How to bring the ids of responses and those of receipts to one form; each side of a connection has its own. */
export type IdFormat = 'text' | 'hex' | 'decimal' | 'hex_to_decimal' | 'decimal_to_hex';

/** Same message, same result, though the carrier wrote `0000A1F` in one place and `2591` in the other. What does not fit stays. */
export function normaliseId(id: string, format: IdFormat): string {
  const written = id.trim();
  if (format === 'text') return written;
  const hex = format === 'hex' || format === 'hex_to_decimal';
  if (!(hex ? /^(0x)?[0-9a-f]+$/i : /^[0-9]+$/).test(written)) return written;
  const value = BigInt(hex ? `0x${written.replace(/^0x/i, '')}` : written);
  return value.toString(format === 'hex' || format === 'decimal_to_hex' ? 16 : 10);
}
