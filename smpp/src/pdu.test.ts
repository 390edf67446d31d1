import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS, type Command } from './codec/commands.ts';
import { decodePdu, encodePdu, type Pdu, type PduDraft, PduError, STATUS, statusName, type Tlvs } from './pdu.ts';
import { anyPdu } from './test/pdus.ts';

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const buildFrame = (command_id: number, body: Buffer | string, sequence = 7, status = 0) => {
  const octets = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  const header = Buffer.alloc(16);
  [16 + octets.length, command_id, status, sequence].forEach((value, index) => {
    header.writeUInt32BE(value, index * 4);
  });
  return Buffer.concat([header, octets]);
};
const readStatus = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof PduError) return statusName(error.command_status);
    throw error;
  }
  return 'accepted';
};

describe('the codec', () => {
  test('decodes an encoded PDU of any command unchanged', () => {
    fc.assert(
      fc.property(anyPdu, (pdu) => {
        const frame = encodePdu(pdu);
        expect(frame.readUInt32BE(0)).toBe(frame.length);
        expect(decodePdu(frame)).toEqual(pdu);
      }),
      { numRuns: 1_000 },
    );
  });

  test('assigns the standard command_id to every SMPP 3.4 command', () => {
    const numbers = Object.fromEntries(Object.values(COMMANDS).map(({ command, id }) => [command, id]));
    expect(Object.keys(numbers)).toHaveLength(27);
    expect(numbers).toMatchObject({
      generic_nack: 0x80000000,
      submit_sm: 4,
      deliver_sm_resp: 0x80000005,
      outbind: 0x0b,
    });
    expect(numbers).toMatchObject({ alert_notification: 0x102, data_sm: 0x103, submit_multi_resp: 0x80000021 });
  });

  test('encodes a submit_sm in the standard layout', () => {
    const frame = encodePdu({
      command: 'submit_sm',
      sequence_number: 2,
      service_type: 'CMT',
      source_addr_ton: 5,
      source_addr: 'Abc',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '37499',
      esm_class: 0x40,
      registered_delivery: 1,
      data_coding: 8,
      validity_period: '000001000000000R',
      short_message: hex('00 0041'),
      tlvs: { user_message_reference: 0x1234, receipted_message_id: 'x' },
      other_tlvs: [{ tag: 0x1403, value: hex('ff') }],
    });
    expect(frame.toString('hex')).toBe(
      hex(`0000005c 00000004 00000000 00000002 434d5400 05 00 41626300 01 01 333734393900 40 00 00 00
           3030303030313030303030303030305200 01 00 08 00 03 000041 0204 0002 1234 001e 0002 7800 1403 0001 ff`)
        .fill(frame.subarray(0, 4), 0, 4)
        .toString('hex'),
    );
    expect(frame.readUInt32BE(0)).toBe(frame.length);
  });

  test('keeps unknown and repeated parameters', () => {
    const body = Buffer.concat([Buffer.from('id\0'), hex('1400 0002 aabb 0427 0001 02 0427 0001 05')]);
    const pdu = decodePdu(buildFrame(0x80000004, body));
    expect(pdu.tlvs).toEqual({ message_state: 2 });
    expect(pdu.other_tlvs).toEqual([
      { tag: 0x1400, value: hex('aabb') },
      { tag: 0x0427, value: hex('05') },
    ]);
    expect(encodePdu(pdu).length).toBe(16 + body.length);
  });

  test('accepts a string parameter without its NUL', () => {
    const pdu = decodePdu(buildFrame(0x80000004, Buffer.concat([Buffer.from('\0'), hex('001e 0003 616263')])));
    expect(pdu.tlvs).toEqual({ receipted_message_id: 'abc' });
  });

  test('accepts a response that consists of only a header', () => {
    for (const command of ['submit_sm_resp', 'bind_transceiver_resp', 'deliver_sm_resp', 'query_sm_resp'] as const) {
      const pdu = decodePdu(buildFrame(COMMANDS[command].id, '', 9, 0x45));
      expect(pdu).toEqual({ command, command_status: 0x45, sequence_number: 9 });
    }
  });

  test('omits the body of an error response unless a field is set', () => {
    const errorLength = (command: Command, fields: Partial<PduDraft> = {}) =>
      encodePdu({ command, command_status: 8, sequence_number: 1, ...fields }).length;
    expect(errorLength('submit_sm_resp')).toBe(16);
    expect(errorLength('bind_receiver_resp')).toBe(16);
    expect(errorLength('deliver_sm_resp')).toBe(17);
    expect(errorLength('submit_sm_resp', { message_id: 'ab' })).toBe(19);
    expect(errorLength('submit_sm_resp', { tlvs: { delivery_failure_reason: 1 } })).toBe(22);
  });
});

// Builds the mandatory part of a submit_sm. The parameters can set invalid values.
const submit = ({ source = '1', to = '2', schedule = '', validity = '', length = 2, message = 'hi', esm = 0 } = {}) =>
  Buffer.from(
    [
      `\0\x01\x01${source}\0\x01\x01${to}\0${String.fromCharCode(esm)}\0\0${schedule}\0${validity}\0`,
      `\x01\0\0\0${String.fromCharCode(length)}${message}`,
    ].join(''),
    'latin1',
  );
const withTlv = (octets: string) => Buffer.concat([submit(), hex(octets)]);

describe('the codec with valid and invalid PDUs', () => {
  test.each<[string, Buffer, string]>([
    ['a valid PDU', buildFrame(4, submit()), 'accepted'],
    ['an unknown command', buildFrame(0x0a, ''), 'ESME_RINVCMDID'],
    ['a body that ends within a field', buildFrame(4, submit().subarray(0, 12)), 'ESME_RINVCMDLEN'],
    ['no body at all', buildFrame(4, ''), 'ESME_RINVCMDLEN'],
    ['a string without its NUL', buildFrame(0x0b, 'abc'), 'ESME_RINVCMDLEN'],
    ['an sm_length of 255 with two octets', buildFrame(4, submit({ length: 255 })), 'ESME_RINVCMDLEN'],
    [
      'an sm_length of 255 with 255 octets',
      buildFrame(4, submit({ length: 255, message: 'x'.repeat(255) })),
      'ESME_RINVMSGLEN',
    ],
    ['a source address that is too long', buildFrame(4, submit({ source: '1'.repeat(21) })), 'ESME_RINVSRCADR'],
    ['a destination that is too long', buildFrame(4, submit({ to: '1'.repeat(21) })), 'ESME_RINVDSTADR'],
    ['a destination of the maximum length', buildFrame(4, submit({ to: '1'.repeat(20) })), 'accepted'],
    ['a system_id that is too long', buildFrame(9, `${'a'.repeat(16)}\0pw\0\0\x34\0\0\0`), 'ESME_RINVSYSID'],
    ['a password that is too long', buildFrame(9, `a\0${'p'.repeat(65)}\0\0\x34\0\0\0`), 'ESME_RINVPASWD'],
    ['a message_id that is too long', buildFrame(0x80000004, `${'a'.repeat(65)}\0`), 'ESME_RINVMSGID'],
    ['a validity period with two characters', buildFrame(4, submit({ validity: '1R' })), 'ESME_RINVEXPIRY'],
    ['an invalid validity period', buildFrame(4, submit({ validity: 'tomorrow morning' })), 'ESME_RINVEXPIRY'],
    ['a validity period that is too long', buildFrame(4, submit({ validity: '0'.repeat(17) })), 'ESME_RINVEXPIRY'],
    ['an invalid delivery time', buildFrame(4, submit({ schedule: '26010100000000!R' })), 'ESME_RINVSCHED'],
    ['a valid delivery time', buildFrame(4, submit({ schedule: '260101000000000+' })), 'accepted'],
    ['a parameter that ends in its tag', buildFrame(4, withTlv('0204 00')), 'ESME_RINVOPTPARSTREAM'],
    ['a parameter that extends past the end', buildFrame(4, withTlv('0424 00ff 6869')), 'ESME_RINVOPTPARSTREAM'],
    ['a stray octet after the body', buildFrame(4, withTlv('00')), 'ESME_RINVOPTPARSTREAM'],
    ['an int16 of one octet', buildFrame(4, withTlv('0204 0001 05')), 'ESME_RINVPARLEN'],
    ['an int8 of two octets', buildFrame(4, withTlv('020e 0002 0005')), 'ESME_RINVPARLEN'],
    ['an int8 of zero octets', buildFrame(4, withTlv('0427 0000')), 'ESME_RINVPARLEN'],
    [
      'a receipted_message_id that is too long',
      buildFrame(4, withTlv(`001e 0042 ${'61'.repeat(66)}`)),
      'ESME_RINVPARLEN',
    ],
    ['a body in a command without one', buildFrame(0x15, 'x'), 'ESME_RINVCMDLEN'],
    [
      'a user data header longer than the message',
      buildFrame(4, submit({ esm: 0x40, message: '\x09\x00' })),
      'ESME_RINVESMCLASS',
    ],
    [
      'a user data header flag without a message',
      buildFrame(4, submit({ esm: 0x40, length: 0, message: '' })),
      'ESME_RINVESMCLASS',
    ],
    ['255 destinations without data', buildFrame(0x21, '\0\0\0s\0\xff\x01'), 'ESME_RINVCMDLEN'],
    ['a destination of an unknown type', buildFrame(0x21, '\0\0\0s\0\x01\x09x\0'), 'ESME_RINVDESTFLAG'],
    ['255 failures without data', buildFrame(0x80000021, 'id\0\xff\0\0a\0\0'), 'ESME_RINVCMDLEN'],
    ['a length that differs from the frame', buildFrame(0x15, '').fill(1, 3, 4), 'ESME_RINVCMDLEN'],
    ['a frame shorter than a header', Buffer.alloc(8), 'ESME_RINVCMDLEN'],
    ['an arbitrary time in deliver_sm', buildFrame(5, submit({ validity: '1R' })), 'accepted'],
  ])('returns the correct status when it decodes %s', (_, frame, expected) => {
    expect(readStatus(() => decodePdu(frame))).toBe(expected);
  });

  test.each<[string, Omit<PduDraft, 'command'>, string]>([
    ['a valid PDU', { short_message: Buffer.alloc(254) }, 'accepted'],
    ['a message of 255 octets', { short_message: Buffer.alloc(255) }, 'ESME_RINVMSGLEN'],
    ['a source address that is too long', { source_addr: 'a'.repeat(21) }, 'ESME_RINVSRCADR'],
    ['a NUL in an address', { destination_addr: '1\x002' }, 'ESME_RINVDSTADR'],
    ['a character wider than one octet', { source_addr: 'Ж' }, 'ESME_RINVSRCADR'],
    ['a number too large for one octet', { data_coding: 256 }, 'ESME_RINVPARLEN'],
    ['a negative number', { esm_class: -1 }, 'ESME_RINVPARLEN'],
    ['a fraction', { priority_flag: 0.5 }, 'ESME_RINVPARLEN'],
    ['an int16 that is too large', { tlvs: { user_message_reference: 65_536 } }, 'ESME_RINVOPTPARAMVAL'],
    ['a NUL in a parameter', { tlvs: { receipted_message_id: 'a\0b' } }, 'ESME_RINVOPTPARAMVAL'],
    ['the wrong number of octets', { tlvs: { network_error_code: Buffer.alloc(2) } }, 'ESME_RINVPARLEN'],
    ['an unknown parameter', { tlvs: { nonsense: 1 } as Tlvs }, 'ESME_ROPTPARNOTALLWD'],
    ['a payload of the maximum size', { tlvs: { message_payload: Buffer.alloc(65_535) } }, 'accepted'],
    ['a payload over the maximum size', { tlvs: { message_payload: Buffer.alloc(65_536) } }, 'ESME_RINVPARLEN'],
    [
      'more data than a PDU can hold',
      { tlvs: { message_payload: Buffer.alloc(65_535) }, other_tlvs: [{ tag: 0x1400, value: Buffer.alloc(10_000) }] },
      'ESME_RINVCMDLEN',
    ],
  ])('returns the correct status when it encodes %s', (_, fields, expected) => {
    expect(readStatus(() => encodePdu({ command: 'submit_sm', ...fields }))).toBe(expected);
  });
});

describe('the codec with random input', () => {
  const check = (octets: Buffer) => {
    let pdu: Pdu;
    try {
      pdu = decodePdu(octets);
    } catch (error) {
      expect(error).toBeInstanceOf(PduError);
      expect((error as PduError).command_status).toBeGreaterThan(STATUS.ESME_ROK);
      return;
    }
    // An accepted PDU can be encoded again and decodes to the same PDU. A bare header gains an empty body.
    expect(decodePdu(encodePdu(pdu))).toMatchObject(pdu);
  };

  test('decodes a random body of any command or rejects it with PduError', () => {
    const ids = Object.values(COMMANDS).map((layout) => layout.id);
    fc.assert(
      fc.property(fc.constantFrom(...ids, 0x0a), fc.uint8Array({ maxLength: 120 }), (id, body) =>
        check(buildFrame(id, Buffer.from(body))),
      ),
      { numRuns: 3_000 },
    );
  });

  test('decodes a damaged PDU or rejects it with PduError', () => {
    const damage = fc.record({
      flips: fc.array(fc.tuple(fc.nat(), fc.nat(7)), { maxLength: 4 }),
      keep: fc.double({ min: 0, max: 1, noNaN: true }),
      tail: fc.uint8Array({ maxLength: 4 }),
    });
    fc.assert(
      fc.property(anyPdu, damage, (pdu, { flips, keep, tail }) => {
        const frame = encodePdu(pdu);
        const head = frame.subarray(0, keep < 0.5 ? frame.length : Math.max(16, Math.floor(frame.length * keep)));
        const octets = Buffer.concat([head, tail]);
        for (const [at, bit] of flips) octets[16 + (at % Math.max(1, octets.length - 16))]! ^= 1 << bit;
        octets.writeUInt32BE(octets.length, 0);
        check(octets);
      }),
      { numRuns: 3_000 },
    );
  });
});
