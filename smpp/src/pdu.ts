/**
 * Reads and writes SMPP 3.4 PDUs as plain objects. Both directions are strict: a value that does not fit its field
 * raises a PduError with the status for the peer; nothing is shortened or dropped silently. Import PDUs from this
 * module.
 */
export type { Command } from './codec/commands.ts';
export { decodePdu } from './codec/decode.ts';
export { encodePdu, HEADER, MAX_PDU } from './codec/encode.ts';
export type { Destination, Pdu, PduDraft, PduFields } from './codec/model.ts';
export type { OtherTlv, Tlvs } from './codec/tlv.ts';
export { PduError, STATUS, statusName } from './status.ts';
