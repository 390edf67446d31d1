/** Decodes octets into a PDU. Every read is bounds-checked. Buffers in the result are views into the given frame. */

import { PduError, STATUS } from '../status.ts';
import { commandById, DESTINATION, LIST, MAX_SHORT_MESSAGE, type StringField } from './commands.ts';
import { HEADER } from './encode.ts';
import type { Destination, Pdu, Unsuccessful } from './model.ts';
import { type OtherTlv, readTlv, type Tlvs, tlvByTag } from './tlv.ts';

export function decodePdu(frame: Buffer): Pdu {
  if (frame.length < HEADER || frame.readUInt32BE(0) !== frame.length) {
    throw new PduError(STATUS.ESME_RINVCMDLEN, `command_length does not match a frame of ${frame.length} octets`);
  }
  const layout = commandById(frame.readUInt32BE(4));
  if (!layout) throw new PduError(STATUS.ESME_RINVCMDID, `command_id 0x${frame.toString('hex', 4, 8)}`);
  const pdu: Pdu = {
    command: layout.command,
    command_status: frame.readUInt32BE(8),
    sequence_number: frame.readUInt32BE(12),
  };
  // Header-only responses are common, and required if the status is an error.
  if (frame.length === HEADER && layout.id >= 0x80000000) return pdu;
  const reader: Reader = { frame, at: HEADER };
  const values = pdu as Record<string, unknown>;
  for (const field of layout.fields) {
    if (field.kind === 'int8') values[field.name] = readInt8(reader, field.name);
    else if (field.kind === 'string') values[field.name] = readString(reader, field);
    else if (field.kind === 'message') pdu.short_message = readMessage(reader);
    else if (field.kind === 'destinations') pdu.dest_addresses = readDestinations(reader);
    else pdu.unsuccess_smes = readUnsuccessful(reader);
  }
  if (reader.at < frame.length) {
    if (layout.fields.length === 0) throw new PduError(STATUS.ESME_RINVCMDLEN, `${layout.command} has no body`);
    readTlvs(reader, pdu);
  }
  if (pdu.esm_class !== undefined && pdu.esm_class & 0x40) checkUserDataHeader(pdu);
  return pdu;
}

type Reader = { frame: Buffer; at: number };

function readInt8(reader: Reader, name: string): number {
  const value = reader.frame[reader.at++];
  if (value === undefined) throw new PduError(STATUS.ESME_RINVCMDLEN, `PDU ends before ${name}`);
  return value;
}

// YYMMDDhhmmss, tenths of a second, the offset from UTC in quarter hours, and the offset's sign or R for a relative
// time (3.4, 7.1.1).
const TIME = /^\d{15}[-+R]$/;

function readString(reader: Reader, field: StringField): string {
  const { frame, at } = reader;
  const limit = Math.min(frame.length, at + field.max);
  let end = at;
  while (end < limit && frame[end] !== 0) end++;
  if (end === limit) {
    const truncated = limit === frame.length;
    throw new PduError(
      truncated ? STATUS.ESME_RINVCMDLEN : field.status,
      truncated ? `PDU ends inside ${field.name}` : `${field.name} is longer than ${field.max - 1} octets`,
    );
  }
  reader.at = end + 1;
  if (end === at) return '';
  const text = frame.toString('latin1', at, end);
  if (field.time && !TIME.test(text)) throw new PduError(field.status, `${field.name} is not a time`);
  return text;
}

function readMessage(reader: Reader): Buffer {
  const length = readInt8(reader, 'sm_length');
  const end = reader.at + length;
  if (end > reader.frame.length) throw new PduError(STATUS.ESME_RINVCMDLEN, 'PDU ends inside short_message');
  if (length > MAX_SHORT_MESSAGE) throw new PduError(STATUS.ESME_RINVMSGLEN, `sm_length ${length}`);
  const message = reader.frame.subarray(reader.at, end);
  reader.at = end;
  return message;
}

function readDestinations(reader: Reader): Destination[] {
  const destinations: Destination[] = [];
  for (let left = readInt8(reader, 'number_of_dests'); left > 0; left--) {
    const flag = readInt8(reader, 'dest_flag');
    if (flag === 2) destinations.push({ dl_name: readString(reader, LIST) });
    else if (flag === 1) {
      destinations.push({
        dest_addr_ton: readInt8(reader, 'dest_addr_ton'),
        dest_addr_npi: readInt8(reader, 'dest_addr_npi'),
        destination_addr: readString(reader, DESTINATION),
      });
    } else throw new PduError(STATUS.ESME_RINVDESTFLAG, `dest_flag ${flag}`);
  }
  return destinations;
}

function readUnsuccessful(reader: Reader): Unsuccessful[] {
  const failures: Unsuccessful[] = [];
  for (let left = readInt8(reader, 'no_unsuccess'); left > 0; left--) {
    const dest_addr_ton = readInt8(reader, 'dest_addr_ton');
    const dest_addr_npi = readInt8(reader, 'dest_addr_npi');
    const destination_addr = readString(reader, DESTINATION);
    if (reader.at + 4 > reader.frame.length) throw new PduError(STATUS.ESME_RINVCMDLEN, 'PDU ends inside a result');
    const error_status_code = reader.frame.readUInt32BE(reader.at);
    reader.at += 4;
    failures.push({ dest_addr_ton, dest_addr_npi, destination_addr, error_status_code });
  }
  return failures;
}

function readTlvs(reader: Reader, pdu: Pdu): void {
  const { frame } = reader;
  const tlvs: Record<string, unknown> = {};
  const others: OtherTlv[] = [];
  while (reader.at < frame.length) {
    const at = reader.at + 4;
    const length = at > frame.length ? -1 : frame.readUInt16BE(at - 2);
    if (length < 0 || at + length > frame.length) {
      throw new PduError(STATUS.ESME_RINVOPTPARSTREAM, 'Optional parameters run past the end of the PDU');
    }
    const tag = frame.readUInt16BE(at - 4);
    const spec = tlvByTag(tag);
    if (spec && !(spec.name in tlvs)) tlvs[spec.name] = readTlv(spec, frame, at, length);
    else others.push({ tag, value: frame.subarray(at, at + length) });
    reader.at = at + length;
  }
  pdu.tlvs = tlvs as Tlvs;
  if (others.length > 0) pdu.other_tlvs = others;
}

function checkUserDataHeader(pdu: Pdu): void {
  const message = pdu.short_message?.length ? pdu.short_message : pdu.tlvs?.message_payload;
  if (!message?.length || message[0]! + 1 > message.length) {
    throw new PduError(STATUS.ESME_RINVESMCLASS, 'User data header runs past the end of the message');
  }
}
