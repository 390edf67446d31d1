/**
 * The layout of every SMPP 3.4 command as data: field order, sizes, and the error status for an invalid field. The
 * encoder and the decoder both read these tables, so new commands need to be added only here.
 */

import { STATUS } from '../status.ts';

/** `max` is the number of octets including the closing NUL, as in the standard. */
export type StringField = { kind: 'string'; name: string; max: number; status: number; time: boolean };
export type Field =
  | StringField
  | { kind: 'int8'; name: string }
  | { kind: 'message' }
  | { kind: 'destinations' }
  | { kind: 'unsuccessful' };

const int8 = (name: string): Field => ({ kind: 'int8', name });
const string = (name: string, max: number, status: number): StringField => ({
  kind: 'string',
  name,
  max,
  status,
  time: false,
});

const address = (prefix: string, name: string, max: number, status: number): Field[] => [
  int8(`${prefix}_ton`),
  int8(`${prefix}_npi`),
  string(name, max, status),
];
const service_type = string('service_type', 6, STATUS.ESME_RINVSERTYP);
const source = address('source_addr', 'source_addr', 21, STATUS.ESME_RINVSRCADR);
const destination = address('dest_addr', 'destination_addr', 21, STATUS.ESME_RINVDSTADR);
const message_id = string('message_id', 65, STATUS.ESME_RINVMSGID);
const system_id = string('system_id', 16, STATUS.ESME_RINVSYSID);
// The standard allows 9 octets, but carriers assign longer passwords, and accepting them does no harm.
const password = string('password', 65, STATUS.ESME_RINVPASWD);

// Times are validated only in requests from applications. Carriers put arbitrary values into deliver_sm.
const times = (checked: boolean): Field[] => [
  { ...string('schedule_delivery_time', 17, STATUS.ESME_RINVSCHED), time: checked },
  { ...string('validity_period', 17, STATUS.ESME_RINVEXPIRY), time: checked },
];
const message = (to: Field[], checked: boolean): Field[] => [
  service_type,
  ...source,
  ...to,
  int8('esm_class'),
  int8('protocol_id'),
  int8('priority_flag'),
  ...times(checked),
  int8('registered_delivery'),
  int8('replace_if_present_flag'),
  int8('data_coding'),
  int8('sm_default_msg_id'),
  { kind: 'message' },
];
const bind: Field[] = [
  system_id,
  password,
  string('system_type', 13, STATUS.ESME_RINVSYSTYP),
  int8('interface_version'),
  ...address('addr', 'address_range', 41, STATUS.ESME_RINVPARLEN),
];

/** The address field in submit_multi and its response. */
export const DESTINATION = string('destination_addr', 21, STATUS.ESME_RINVDSTADR);
export const LIST = string('dl_name', 21, STATUS.ESME_RINVDLNAME);

/** The maximum length of short_message, because sm_length 255 is reserved. */
export const MAX_SHORT_MESSAGE = 254;

type Layout = { id: number; fields: Field[] };

const LAYOUTS = {
  generic_nack: { id: 0x80000000, fields: [] },
  bind_receiver: { id: 0x01, fields: bind },
  bind_receiver_resp: { id: 0x80000001, fields: [system_id] },
  bind_transmitter: { id: 0x02, fields: bind },
  bind_transmitter_resp: { id: 0x80000002, fields: [system_id] },
  query_sm: { id: 0x03, fields: [message_id, ...source] },
  query_sm_resp: {
    id: 0x80000003,
    fields: [message_id, string('final_date', 17, STATUS.ESME_RINVPARLEN), int8('message_state'), int8('error_code')],
  },
  submit_sm: { id: 0x04, fields: message(destination, true) },
  submit_sm_resp: { id: 0x80000004, fields: [message_id] },
  deliver_sm: { id: 0x05, fields: message(destination, false) },
  deliver_sm_resp: { id: 0x80000005, fields: [message_id] },
  unbind: { id: 0x06, fields: [] },
  unbind_resp: { id: 0x80000006, fields: [] },
  replace_sm: {
    id: 0x07,
    fields: [
      message_id,
      ...source,
      ...times(true),
      int8('registered_delivery'),
      int8('sm_default_msg_id'),
      { kind: 'message' },
    ],
  },
  replace_sm_resp: { id: 0x80000007, fields: [] },
  cancel_sm: { id: 0x08, fields: [service_type, message_id, ...source, ...destination] },
  cancel_sm_resp: { id: 0x80000008, fields: [] },
  bind_transceiver: { id: 0x09, fields: bind },
  bind_transceiver_resp: { id: 0x80000009, fields: [system_id] },
  outbind: { id: 0x0b, fields: [system_id, password] },
  enquire_link: { id: 0x15, fields: [] },
  enquire_link_resp: { id: 0x80000015, fields: [] },
  submit_multi: { id: 0x21, fields: message([{ kind: 'destinations' }], true) },
  submit_multi_resp: { id: 0x80000021, fields: [message_id, { kind: 'unsuccessful' }] },
  alert_notification: {
    id: 0x102,
    fields: [
      ...address('source_addr', 'source_addr', 65, STATUS.ESME_RINVSRCADR),
      ...address('esme_addr', 'esme_addr', 65, STATUS.ESME_RINVDSTADR),
    ],
  },
  data_sm: {
    id: 0x103,
    fields: [
      service_type,
      ...address('source_addr', 'source_addr', 65, STATUS.ESME_RINVSRCADR),
      ...address('dest_addr', 'destination_addr', 65, STATUS.ESME_RINVDSTADR),
      int8('esm_class'),
      int8('registered_delivery'),
      int8('data_coding'),
    ],
  },
  data_sm_resp: { id: 0x80000103, fields: [message_id] },
} as const satisfies Record<string, Layout>;

export type Command = keyof typeof LAYOUTS;

export type CommandLayout = { command: Command; id: number; fields: readonly Field[]; response: Command | null };

const layout = (command: Command): CommandLayout => {
  const response = `${command}_resp`;
  return { command, ...LAYOUTS[command], response: response in LAYOUTS ? (response as Command) : null };
};

export const COMMANDS = Object.fromEntries(
  (Object.keys(LAYOUTS) as Command[]).map((command) => [command, layout(command)]),
) as Record<Command, CommandLayout>;

const BY_ID = new Map<number, CommandLayout>(Object.values(COMMANDS).map((layout) => [layout.id, layout]));

export const commandById = (id: number): CommandLayout | undefined => BY_ID.get(id);

/** This bit is set in the command_id of every response. */
export const RESPONSE_BIT = 0x80000000;
