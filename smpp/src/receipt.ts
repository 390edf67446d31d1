/**
 * Delivery receipts as carriers actually write them. Optional parameters take precedence over the text format of 3.4,
 * appendix B, which may have any spacing, any case, and missing fields. Only esm_class or parameters identify a
 * receipt. The text does not, because a person could type it.
 */

import type { Pdu, PduFields } from './pdu.ts';
import { messageBody } from './reassembly.ts';
import { DATA_CODING, decodeText, resolveCharset } from './text.ts';
import { parseStamp, stamp } from './time.ts';

/** The states in the order of their message_state values. */
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
  /** The message ID as the carrier wrote it (see normalizeId). Empty if the receipt has none. */
  id: string;
  state: MessageState;
  /** The carrier's error code as written. Null if the receipt has none. */
  error: string | null;
  submit_date: Date | null;
  done_date: Date | null;
  /** The beginning of the message, as the carrier repeats it. */
  text: string;
  /** The ID and the date in the text, unchanged. Empty if the text has none. */
  written: { id: string; done_date: string };
  /** True if the carrier is still trying to deliver the message. */
  intermediate: boolean;
};

type ReceiptOptions = {
  /** The carrier's offset from UTC, for dates without a time zone. */
  utc_offset_minutes?: number;
};

const TYPE_MASK = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;

/** Parses a delivery receipt. Returns null if the PDU is a message from a person. */
export function parseReceipt(pdu: Pdu, options: ReceiptOptions = {}): Receipt | null {
  const type = (pdu.esm_class ?? 0) & TYPE_MASK;
  const { receipted_message_id, message_state, network_error_code } = pdu.tlvs ?? {};
  const hasParameters = receipted_message_id !== undefined && message_state !== undefined;
  if (type !== RECEIPT && type !== INTERMEDIATE && !hasParameters) return null;
  const fields = parseFields(receiptBody(pdu));
  const offset = options.utc_offset_minutes ?? 0;
  const state =
    message_state === undefined ? parseState(fields.get('stat') ?? '') : (MESSAGE_STATES[message_state] ?? 'UNKNOWN');
  return {
    id: receipted_message_id || (fields.get('id') ?? ''),
    state,
    error: network_error_code ? String(network_error_code.readUInt16BE(1)) : fields.get('err') || null,
    submit_date: parseStamp(fields.get('submitdate') ?? '', offset),
    done_date: parseStamp(fields.get('donedate') ?? '', offset),
    text: fields.get('text') ?? '',
    written: { id: fields.get('id') ?? '', done_date: fields.get('donedate') ?? '' },
    intermediate: type === INTERMEDIATE || state === 'ENROUTE' || state === 'SCHEDULED',
  };
}

function receiptBody(pdu: Pdu): string {
  const data_coding = pdu.data_coding ?? 0;
  // Carriers write the text format in ASCII regardless of the declared coding. Decoding it as GSM-7 would change "_"
  // and "@" in message IDs.
  const isAscii = resolveCharset(data_coding) === 'gsm7';
  try {
    return decodeText(messageBody(pdu), isAscii ? DATA_CODING.latin1 : data_coding);
  } catch {
    // The user data header is malformed, but the optional parameters are still usable.
    return '';
  }
}

const KEY = /(?:^|[\s,;])(id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat(?:us)?|err(?:or)?|text)\s*[:=]/gi;

/**
 * Splits the text at its keys, so that an empty value does not absorb the next one. Everything after `text:` belongs to
 * the text.
 */
function parseFields(body: string): Map<string, string> {
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

function parseState(stat: string): MessageState {
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

type ReceiptDraft = {
  id: string;
  state: MessageState;
  submit_date: Date;
  done_date: Date;
  /** Three digits; "000" means no error. */
  error?: string;
  text?: string;
  /** Also sets receipted_message_id and message_state. Default: true. */
  tlvs?: boolean;
};

/** Builds the fields of a deliver_sm that carries a delivery receipt. Dates are written in UTC. */
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

/** How a carrier writes message IDs. Responses and receipts on one connection may use different formats. */
export type IdFormat = 'text' | 'hex' | 'decimal' | 'hex_to_decimal' | 'decimal_to_hex';

/**
 * Converts a message ID to a canonical form, so that `0000A1F` in a response matches `2591` in a receipt. An ID that
 * does not fit the format is returned unchanged.
 */
export function normalizeId(id: string, format: IdFormat): string {
  const written = id.trim();
  if (format === 'text') return written;
  const isHex = format === 'hex' || format === 'hex_to_decimal';
  if (!(isHex ? /^(0x)?[0-9a-f]+$/i : /^[0-9]+$/).test(written)) return written;
  const value = BigInt(isHex ? `0x${written.replace(/^0x/i, '')}` : written);
  return value.toString(format === 'hex' || format === 'decimal_to_hex' ? 16 : 10);
}
