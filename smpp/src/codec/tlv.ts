/** Optional parameters (TLVs) of SMPP 3.4 (section 5.3.2) as data, and functions to read and write their values. */

import { PduError, STATUS } from '../status.ts';

type Kind = 'int8' | 'int16' | 'int32' | 'string' | 'octets';
type Spec = { tag: number; kind: Kind; min: number; max: number };

const int = (tag: number, size: 1 | 2 | 4): Spec => ({
  tag,
  kind: size === 1 ? 'int8' : size === 2 ? 'int16' : 'int32',
  min: size,
  max: size,
});
const octets = (tag: number, min: number, max: number): Spec => ({ tag, kind: 'octets', min, max });
const string = (tag: number, max: number): Spec => ({ tag, kind: 'string', min: 0, max });

const TLVS = {
  dest_addr_subunit: int(0x0005, 1),
  dest_network_type: int(0x0006, 1),
  dest_bearer_type: int(0x0007, 1),
  dest_telematics_id: int(0x0008, 2),
  source_addr_subunit: int(0x000d, 1),
  source_network_type: int(0x000e, 1),
  source_bearer_type: int(0x000f, 1),
  source_telematics_id: int(0x0010, 1),
  qos_time_to_live: int(0x0017, 4),
  payload_type: int(0x0019, 1),
  additional_status_info_text: string(0x001d, 256),
  receipted_message_id: string(0x001e, 65),
  ms_msg_wait_facilities: int(0x0030, 1),
  privacy_indicator: int(0x0201, 1),
  source_subaddress: octets(0x0202, 2, 23),
  dest_subaddress: octets(0x0203, 2, 23),
  user_message_reference: int(0x0204, 2),
  user_response_code: int(0x0205, 1),
  source_port: int(0x020a, 2),
  destination_port: int(0x020b, 2),
  sar_msg_ref_num: int(0x020c, 2),
  language_indicator: int(0x020d, 1),
  sar_total_segments: int(0x020e, 1),
  sar_segment_seqnum: int(0x020f, 1),
  sc_interface_version: int(0x0210, 1),
  callback_num_pres_ind: int(0x0302, 1),
  callback_num_atag: octets(0x0303, 0, 65),
  number_of_messages: int(0x0304, 1),
  callback_num: octets(0x0381, 4, 19),
  dpf_result: int(0x0420, 1),
  set_dpf: int(0x0421, 1),
  ms_availability_status: int(0x0422, 1),
  network_error_code: octets(0x0423, 3, 3),
  message_payload: octets(0x0424, 0, 65_535),
  delivery_failure_reason: int(0x0425, 1),
  more_messages_to_send: int(0x0426, 1),
  message_state: int(0x0427, 1),
  ussd_service_op: int(0x0501, 1),
  display_time: int(0x1201, 1),
  sms_signal: int(0x1203, 2),
  ms_validity: int(0x1204, 1),
  alert_on_message_delivery: octets(0x130c, 0, 1),
  its_reply_type: int(0x1380, 1),
  its_session_info: octets(0x1383, 2, 2),
} as const satisfies Record<string, Spec>;

export type TlvName = keyof typeof TLVS;

type TextTlv = 'additional_status_info_text' | 'receipted_message_id';
type OctetsTlv =
  | 'source_subaddress'
  | 'dest_subaddress'
  | 'callback_num_atag'
  | 'callback_num'
  | 'network_error_code'
  | 'message_payload'
  | 'alert_on_message_delivery'
  | 'its_session_info';
type TlvValue<Name extends TlvName> = Name extends TextTlv ? string : Name extends OctetsTlv ? Buffer : number;

/** Values of known optional parameters by name. */
export type Tlvs = { [Name in TlvName]?: TlvValue<Name> };

/** The raw value of a vendor-specific parameter, or of a known parameter that is repeated. */
export type OtherTlv = { tag: number; value: Buffer };

type TlvSpec = Spec & { name: TlvName };

const BY_TAG = new Map<number, TlvSpec>(
  Object.entries(TLVS).map(([name, spec]) => [spec.tag, { name: name as TlvName, ...spec }]),
);

export const tlvByTag = (tag: number): TlvSpec | undefined => BY_TAG.get(tag);
export const tlvByName = (name: string): Spec | undefined =>
  Object.hasOwn(TLVS, name) ? TLVS[name as TlvName] : undefined;

export function readTlv(spec: TlvSpec, frame: Buffer, at: number, length: number): number | string | Buffer {
  if (length < spec.min || length > spec.max) {
    throw new PduError(STATUS.ESME_RINVPARLEN, `${spec.name} of ${length} octets`);
  }
  if (spec.kind === 'octets') return frame.subarray(at, at + length);
  if (spec.kind === 'string') {
    // Many carriers omit the closing NUL here. In that case, the length determines where the value ends.
    const nul = frame.subarray(at, at + length).indexOf(0);
    return frame.toString('latin1', at, nul < 0 ? at + length : at + nul);
  }
  return length === 1 ? frame[at]! : length === 2 ? frame.readUInt16BE(at) : frame.readUInt32BE(at);
}

/** Encodes a value as the octets that follow the tag and the length. */
export function encodeTlv(name: string, spec: Spec, value: unknown): Buffer {
  let octets: Buffer;
  if (spec.kind === 'octets') {
    if (!(value instanceof Uint8Array)) throw new PduError(STATUS.ESME_RINVOPTPARAMVAL, `${name} must be octets`);
    octets = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  } else if (spec.kind === 'string') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL would end the string early on the other side.
    if (typeof value !== 'string' || /[^\u0001-\u00ff]/.test(value)) {
      throw new PduError(STATUS.ESME_RINVOPTPARAMVAL, `${name} must be a string without NUL`);
    }
    octets = Buffer.from(`${value}\0`, 'latin1');
  } else {
    octets = Buffer.allocUnsafe(spec.max);
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= 2 ** (8 * spec.max)) {
      throw new PduError(STATUS.ESME_RINVOPTPARAMVAL, `${name} must be an integer of ${spec.max} octets`);
    }
    octets.writeUIntBE(value as number, 0, spec.max);
  }
  if (octets.length < spec.min || octets.length > spec.max) {
    throw new PduError(STATUS.ESME_RINVPARLEN, `${name} of ${octets.length} octets`);
  }
  return octets;
}
