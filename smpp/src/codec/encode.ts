/**
 * Encodes a PDU into octets. The PDU is written to a scratch buffer and then copied, so sizes are computed only once.
 */

import { PduError, STATUS } from '../status.ts';
import { COMMANDS, type CommandLayout, DESTINATION, LIST, MAX_SHORT_MESSAGE, type StringField } from './commands.ts';
import type { Destination, PduDraft, Unsuccessful } from './model.ts';
import { encodeTlv, type TlvName, type Tlvs, tlvByName } from './tlv.ts';

/** The maximum PDU size: room for the largest message_payload and a full mandatory part. */
export const MAX_PDU = 70_000;
export const HEADER = 16;

const scratch = Buffer.allocUnsafeSlow(MAX_PDU);

export function encodePdu(pdu: PduDraft, sequence_number: number = pdu.sequence_number ?? 0): Buffer {
  const layout = COMMANDS[pdu.command];
  const status = pdu.command_status ?? 0;
  let at = HEADER;
  if (status === 0 || !isBodyless(layout, pdu)) {
    const values = pdu as Record<string, unknown>;
    for (const field of layout.fields) {
      if (field.kind === 'int8') at = writeInt8(field.name, values[field.name], at);
      else if (field.kind === 'string') at = writeString(field, values[field.name], at);
      else if (field.kind === 'message') at = writeMessage(pdu.short_message, at);
      else if (field.kind === 'destinations') at = writeDestinations(pdu.dest_addresses ?? [], at);
      else at = writeUnsuccessful(pdu.unsuccess_smes ?? [], at);
    }
    if (pdu.tlvs) at = writeTlvs(pdu.tlvs, at);
    if (pdu.other_tlvs) for (const { tag, value } of pdu.other_tlvs) at = writeTlv(tag, value, at);
  }
  scratch.writeUInt32BE(at, 0);
  scratch.writeUInt32BE(layout.id, 4);
  scratch.writeUInt32BE(status, 8);
  scratch.writeUInt32BE(sequence_number, 12);
  return Buffer.from(scratch.subarray(0, at));
}

/** An error response has no body unless a field is set (3.4, 4.4.2). deliver_sm_resp always has a body. */
function isBodyless(layout: CommandLayout, pdu: PduDraft): boolean {
  if (layout.id < 0x80000000 || pdu.command === 'deliver_sm_resp') return false;
  if (pdu.tlvs || pdu.other_tlvs || pdu.unsuccess_smes) return false;
  const values = pdu as Record<string, unknown>;
  return layout.fields.every((field) => !('name' in field) || values[field.name] === undefined);
}

/** Throws if writing this many octets at this position would exceed the maximum PDU size. */
function checkRoom(octets: number, at: number): void {
  if (at + octets > MAX_PDU) throw new PduError(STATUS.ESME_RINVCMDLEN, `PDU longer than ${MAX_PDU} octets`);
}

function writeInt8(name: string, value: unknown, at: number): number {
  const number = value ?? 0;
  if (typeof number !== 'number' || (number & 0xff) !== number) {
    throw new PduError(STATUS.ESME_RINVPARLEN, `${name} must be an integer of one octet`);
  }
  checkRoom(1, at);
  scratch[at] = number;
  return at + 1;
}

function writeString(field: StringField, value: unknown, start: number): number {
  const text = value ?? '';
  if (typeof text !== 'string' || text.length >= field.max) {
    throw new PduError(field.status, `${field.name} must be a string of at most ${field.max - 1} octets`);
  }
  checkRoom(text.length + 1, start);
  let at = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0 || unit > 0xff) throw new PduError(field.status, `${field.name} contains an unsupported character`);
    scratch[at++] = unit;
  }
  scratch[at++] = 0;
  return at;
}

function writeMessage(message: Uint8Array | undefined, at: number): number {
  const length = message?.length ?? 0;
  if (length > MAX_SHORT_MESSAGE) throw new PduError(STATUS.ESME_RINVMSGLEN, `short_message of ${length} octets`);
  checkRoom(length + 1, at);
  scratch[at] = length;
  if (message) scratch.set(message, at + 1);
  return at + 1 + length;
}

function writeDestinations(destinations: Destination[], start: number): number {
  if (destinations.length > 254) throw new PduError(STATUS.ESME_RINVNUMDESTS, 'More than 254 destinations');
  let at = writeInt8('number_of_dests', destinations.length, start);
  for (const to of destinations) {
    if ('dl_name' in to) {
      at = writeString(LIST, to.dl_name, writeInt8('dest_flag', 2, at));
      continue;
    }
    at = writeInt8('dest_flag', 1, at);
    at = writeInt8('dest_addr_ton', to.dest_addr_ton, at);
    at = writeInt8('dest_addr_npi', to.dest_addr_npi, at);
    at = writeString(DESTINATION, to.destination_addr, at);
  }
  return at;
}

function writeUnsuccessful(failures: Unsuccessful[], start: number): number {
  let at = writeInt8('no_unsuccess', failures.length, start);
  for (const failure of failures) {
    at = writeInt8('dest_addr_ton', failure.dest_addr_ton, at);
    at = writeInt8('dest_addr_npi', failure.dest_addr_npi, at);
    at = writeString(DESTINATION, failure.destination_addr, at);
    checkRoom(4, at);
    at = scratch.writeUInt32BE(failure.error_status_code, at);
  }
  return at;
}

function writeTlvs(tlvs: Tlvs, start: number): number {
  let at = start;
  for (const name in tlvs) {
    const value = tlvs[name as TlvName];
    if (value === undefined) continue;
    const spec = tlvByName(name);
    if (!spec) throw new PduError(STATUS.ESME_ROPTPARNOTALLWD, `Unknown optional parameter ${name}`);
    at = writeTlv(spec.tag, encodeTlv(name, spec, value), at);
  }
  return at;
}

function writeTlv(tag: number, value: Uint8Array, at: number): number {
  if (value.length > 0xffff) throw new PduError(STATUS.ESME_RINVPARLEN, `Parameter of ${value.length} octets`);
  checkRoom(value.length + 4, at);
  scratch.writeUInt16BE(tag, at);
  scratch.writeUInt16BE(value.length, at + 2);
  scratch.set(value, at + 4);
  return at + 4 + value.length;
}
