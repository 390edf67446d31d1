/** Arbitrary well-formed PDUs of every command, generated from the tables that the codec reads. */

import fc from 'fast-check';
import { COMMANDS, type Command, type Field } from '../codec/commands.ts';
import type { Destination, OtherTlv, Pdu, Tlvs } from '../pdu.ts';

const octets = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => Buffer.from(bytes));
const ascii = (max: number) =>
  fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: max });
const time = fc.constantFrom('', '000001000000000R', '260715120000000+', '260715120000032-');
const address = { dest_addr_ton: fc.nat(255), dest_addr_npi: fc.nat(255), destination_addr: ascii(20) };
const destination: fc.Arbitrary<Destination> = fc.oneof(fc.record(address), fc.record({ dl_name: ascii(20) }));
const unsuccessful = fc.record({ ...address, error_status_code: fc.nat(0xffffffff) });

const tlvs: fc.Arbitrary<Tlvs> = fc.record(
  {
    user_message_reference: fc.nat(0xffff),
    receipted_message_id: ascii(64),
    message_state: fc.nat(9),
    message_payload: octets(300),
    network_error_code: fc.uint8Array({ minLength: 3, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
    qos_time_to_live: fc.nat(0xffffffff),
    sar_msg_ref_num: fc.nat(0xffff),
  },
  { requiredKeys: [] },
);
const others: fc.Arbitrary<OtherTlv[]> = fc.array(
  fc.record({ tag: fc.integer({ min: 0x1400, max: 0x3fff }), value: octets(30) }),
  { minLength: 1, maxLength: 3 },
);

function arbitraryField(field: Field): Record<string, fc.Arbitrary<unknown>> {
  if (field.kind === 'int8') return { [field.name]: fc.nat(255) };
  if (field.kind === 'string') return { [field.name]: field.time ? time : ascii(field.max - 1) };
  if (field.kind === 'message') return { short_message: octets(254) };
  if (field.kind === 'destinations') return { dest_addresses: fc.array(destination, { maxLength: 5 }) };
  return { unsuccess_smes: fc.array(unsuccessful, { maxLength: 5 }) };
}

function arbitraryPdu(command: Command): fc.Arbitrary<Pdu> {
  const { fields } = COMMANDS[command];
  const record: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of fields) Object.assign(record, arbitraryField(field));
  // The header bit is cleared, because it requires a message with a header, but the messages are arbitrary.
  if ('esm_class' in record) record.esm_class = fc.nat(255).map((value) => value & ~0x40);
  const header = { command_status: fc.constantFrom(0, 0x58), sequence_number: fc.integer({ min: 1, max: 0x7fffffff }) };
  return fc
    .tuple(fc.record(header), fc.record(record), fc.option(tlvs), fc.option(others))
    .map(([head, body, known, other]) => {
      const pdu = { command, ...head, ...body } as Pdu;
      if (fields.length === 0) return pdu;
      if (known && Object.keys(known).length > 0) pdu.tlvs = known;
      if (other) pdu.other_tlvs = other;
      if (other) pdu.tlvs ??= {};
      return pdu;
    });
}

export const anyPdu: fc.Arbitrary<Pdu> = fc.oneof(...(Object.keys(COMMANDS) as Command[]).map(arbitraryPdu));
