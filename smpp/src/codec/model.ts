/** The fields of SMPP 3.4 PDUs, as callers pass them to the encoder and get them from the decoder. */
import type { Command } from './commands.ts';
import type { OtherTlv, Tlvs } from './tlv.ts';

/** One destination of submit_multi: an address, or the name of a distribution list. */
export type Destination =
  | { dest_addr_ton?: number; dest_addr_npi?: number; destination_addr: string }
  | { dl_name: string };

export type Unsuccessful = {
  dest_addr_ton: number;
  dest_addr_npi: number;
  destination_addr: string;
  error_status_code: number;
};

/** Every field a PDU may carry after its header. Omitted fields are sent as 0 or the empty string. */
export type PduFields = {
  system_id?: string;
  password?: string;
  system_type?: string;
  interface_version?: number;
  addr_ton?: number;
  addr_npi?: number;
  address_range?: string;
  service_type?: string;
  source_addr_ton?: number;
  source_addr_npi?: number;
  source_addr?: string;
  dest_addr_ton?: number;
  dest_addr_npi?: number;
  destination_addr?: string;
  esme_addr_ton?: number;
  esme_addr_npi?: number;
  esme_addr?: string;
  dest_addresses?: Destination[];
  unsuccess_smes?: Unsuccessful[];
  esm_class?: number;
  protocol_id?: number;
  priority_flag?: number;
  schedule_delivery_time?: string;
  validity_period?: string;
  registered_delivery?: number;
  replace_if_present_flag?: number;
  data_coding?: number;
  sm_default_msg_id?: number;
  short_message?: Buffer;
  message_id?: string;
  final_date?: string;
  message_state?: number;
  error_code?: number;
  tlvs?: Tlvs;
  other_tlvs?: OtherTlv[];
};

export type Pdu = PduFields & { command: Command; command_status: number; sequence_number: number };

/** A PDU to send. Its status and sequence number may be filled in later. */
export type PduDraft = PduFields & { command: Command; command_status?: number; sequence_number?: number };
