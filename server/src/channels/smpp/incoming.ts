/** Reads a deliver_sm or data_sm: a delivery receipt or an inbound message. */
import { createHash } from 'node:crypto';
import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { readAddress } from '@parley/smpp/address.ts';
import type { Pdu } from '@parley/smpp/pdu.ts';
import { messageBody, readPart } from '@parley/smpp/reassembly.ts';
import { type IdFormat, type MessageState, normalizeId, parseReceipt } from '@parley/smpp/receipt.ts';
import { decodeText } from '@parley/smpp/text.ts';
import type { Incoming, Report } from '../channel.ts';
import type { NumberForm, Numbering } from '../connection_test.ts';

const STATUSES: Record<MessageState, Report['status']> = {
  SCHEDULED: 'enroute',
  ENROUTE: 'enroute',
  ACCEPTED: 'sent',
  DELIVERED: 'delivered',
  EXPIRED: 'expired',
  DELETED: 'failed',
  UNDELIVERABLE: 'failed',
  UNKNOWN: 'failed',
  SKIPPED: 'failed',
  REJECTED: 'rejected',
};

/**
 * Converts ids so that a response and its delivery receipt match: the id in the response is converted to the format of
 * the receipt's id.
 */
const ANSWER_ID: Record<SmppSettings['id_format'], IdFormat> = {
  text: 'text',
  decimal: 'decimal',
  hex: 'hex',
  hex_to_decimal: 'hex_to_decimal',
  decimal_to_hex: 'decimal_to_hex',
};
const RECEIPT_ID: Record<SmppSettings['id_format'], IdFormat> = {
  text: 'text',
  decimal: 'decimal',
  hex: 'hex',
  hex_to_decimal: 'decimal',
  decimal_to_hex: 'hex',
};
export const receiptId = (id: string, settings: SmppSettings) => normalizeId(id, RECEIPT_ID[settings.id_format]);
export const answerId = (id: string, settings: SmppSettings) => normalizeId(id, ANSWER_ID[settings.id_format]);

/** Returns null if the PDU is not a delivery receipt. */
export function readReport(pdu: Pdu, settings: SmppSettings): Report | null {
  const { utc_offset_minutes } = settings;
  const receipt = parseReceipt(pdu, utc_offset_minutes === null ? {} : { utc_offset_minutes });
  if (!receipt) return null;
  const status = receipt.intermediate ? 'enroute' : STATUSES[receipt.state];
  const code = receipt.error === null || /^0*$/.test(receipt.error) ? null : receipt.error;
  return {
    external_id: receiptId(receipt.id, settings),
    status,
    state: receipt.state,
    code,
    reference: pdu.tlvs?.user_message_reference ?? null,
    number: pduAddress(pdu, 'source'),
    sender: pduAddress(pdu, 'destination'),
    ...numberingFields(pdu, settings),
    // The carrier's dates are meaningless without its UTC offset.
    ...(utc_offset_minutes === null || !receipt.done_date ? {} : { at: receipt.done_date.getTime() }),
    written: {
      id: receipt.id,
      id_in_text: receipt.written.id,
      done_date: receipt.written.done_date,
      parameters: Object.keys(pdu.tlvs ?? {}),
      address: pdu.source_addr ?? '',
    },
    detail: {
      id: receipt.id,
      stat: receipt.state,
      ...(receipt.error === null ? {} : { err: receipt.error }),
      ...(receipt.done_date ? { done_date: receipt.done_date.toISOString().slice(0, 16) } : {}),
    },
  };
}

export function readIncoming(pdu: Pdu, settings: SmppSettings, session: string): Incoming {
  const from = pduAddress(pdu, 'source');
  const to = pduAddress(pdu, 'destination');
  const coding = pdu.data_coding ?? 0;
  const digest = createHash('sha256')
    .update(`${from} ${to} ${coding} ${pdu.esm_class ?? 0} ${JSON.stringify(sarValues(pdu))} `)
    .update(pdu.short_message ?? '')
    .update(pdu.tlvs?.message_payload ?? '')
    .digest();
  const fields = { from, to, ...numberingFields(pdu, settings), digest, session };
  const part = readPart(pdu);
  if (!part) return { ...fields, text: readText(messageBody(pdu), coding, settings), part: null };
  const { key, total, part: number, body } = part;
  return { ...fields, text: null, part: { key, total, part: number, octets: body, coding } };
}

/** The text of one PDU. A character that is split between two parts is incomplete here. */
export const readPduText = (pdu: Pdu, settings: SmppSettings): string =>
  readText(messageBody(pdu), pdu.data_coding ?? 0, settings);

/** The text of a receipt without the beginning of the message, which can contain a code. */
export const readReceiptText = (pdu: Pdu, settings: SmppSettings): string =>
  readPduText(pdu, settings).replace(/\btext:.*$/is, 'text:••••');

const NATIONAL = 2;
const INTERNATIONAL = 1;

/** Without a country, numbers stay unchanged. */
function numberingFields(pdu: Pdu, { country }: SmppSettings): { numbering?: Numbering } {
  if (country === null) return {};
  const from = numberForm(pdu.source_addr_ton ?? 0, pdu.source_addr ?? '');
  return { numbering: { country, from, to: numberForm(pdu.dest_addr_ton ?? 0, pdu.destination_addr ?? '') } };
}

function numberForm(ton: number, written: string): NumberForm {
  if (ton === INTERNATIONAL || /^(\+|00)/.test(written)) return 'international';
  return ton === NATIONAL ? 'national' : 'undeclared';
}

export const readText = (octets: Buffer, coding: number, settings: SmppSettings): string =>
  decodeText(octets, coding, { default_alphabet: settings.default_alphabet });

function pduAddress(pdu: Pdu, side: 'source' | 'destination'): string {
  if (side === 'source') return readAddress(pdu.source_addr_ton ?? 0, pdu.source_addr ?? '').addr;
  return readAddress(pdu.dest_addr_ton ?? 0, pdu.destination_addr ?? '').addr;
}

const sarValues = ({ tlvs }: Pdu) => [tlvs?.sar_msg_ref_num, tlvs?.sar_total_segments, tlvs?.sar_segment_seqnum];
