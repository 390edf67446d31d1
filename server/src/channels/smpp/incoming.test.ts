import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { type Pdu, STATUS } from '@parley/smpp/pdu.ts';
import { formatReceipt } from '@parley/smpp/receipt.ts';
import { describe, expect, test } from 'vitest';
import { toFailure } from './answer.ts';
import { answerId, readIncoming, readReport } from './incoming.ts';

const settings = (changes: Partial<SmppSettings> = {}) =>
  SmppSettings.parse({ host: 'carrier', port: 2775, system_id: 'us', ...changes });
const deliver = (fields: Partial<Pdu>): Pdu => ({
  command: 'deliver_sm',
  command_status: 0,
  sequence_number: 1,
  source_addr_ton: 1,
  source_addr: '37491234567',
  dest_addr_ton: 1,
  destination_addr: '447700900000',
  ...fields,
});
const day = new Date(Date.UTC(2030, 0, 2, 3, 4));

describe('a response', () => {
  test.each([
    ['ESME_RTHROTTLED', 'throttled', false],
    ['ESME_RMSGQFUL', 'throttled', false],
    ['ESME_RINVBNDSTS', 'connection', false],
    ['ESME_RSYSERR', 'connection', true],
    ['ESME_RX_T_APPN', 'connection', true],
    ['ESME_RDELIVERYFAILURE', 'connection', true],
    ['ESME_RSUBMITFAIL', 'connection', true],
    ['ESME_RINVDSTADR', 'rejected', false],
    ['ESME_RINVSRCTON', 'rejected', false],
    ['ESME_RX_P_APPN', 'rejected', false],
    ['ESME_RPROHIBITED', 'rejected', false],
    ['ESME_RINVMSGLEN', 'invalid', false],
    ['ESME_RINVEXPIRY', 'invalid', false],
    ['ESME_ROPTPARNOTALLWD', 'invalid', false],
    ['ESME_RINVDCS', 'invalid', false],
  ] as const)('with status %s is classified as "%s"', (name, kind, limited) => {
    const failure = toFailure(STATUS[name]);
    expect([failure?.kind, failure?.limited ?? false]).toEqual([kind, limited]);
    expect(failure?.text).toContain(name);
  });

  test('is not a failure when it reports success, and is retried a few times when its code is unknown', () => {
    expect(toFailure(0)).toBeNull();
    expect(toFailure(0x4a1)).toMatchObject({ kind: 'connection', limited: true, code: '0x4A1' });
  });
});

describe('a delivery receipt', () => {
  test.each([
    ['DELIVERED', 'delivered'],
    ['EXPIRED', 'expired'],
    ['DELETED', 'failed'],
    ['UNDELIVERABLE', 'failed'],
    ['ACCEPTED', 'sent'],
    ['UNKNOWN', 'failed'],
    ['REJECTED', 'rejected'],
    ['ENROUTE', 'enroute'],
  ] as const)('with state %s is read as "%s", with parameters or from the text alone', (state, status) => {
    for (const tlvs of [true, false]) {
      const receipt = formatReceipt({ id: '77', state, submit_date: day, done_date: day, error: '011', tlvs });
      expect(readReport(deliver(receipt), settings())).toMatchObject({
        external_id: '77',
        status,
        state,
        code: '011',
        reference: null,
        number: '37491234567',
        sender: '447700900000',
      });
    }
  });

  test('includes our echoed reference and has an empty code when there is no error', () => {
    const receipt = formatReceipt({ id: '1', state: 'DELIVERED', submit_date: day, done_date: day });
    const pdu = deliver({ ...receipt, tlvs: { ...receipt.tlvs, user_message_reference: 4_711 } });
    expect(readReport(pdu, settings())).toMatchObject({ reference: 4_711, code: null });
  });

  test.each([
    ['both have the same format', 'text', 'AbC-1', 'AbC-1'],
    ['both are hexadecimal in different cases and widths', 'hex', 'A1F', '000000000a1f'],
    ['both are decimal and one has leading zeros', 'decimal', '0002591', '2591'],
    ['the response is hexadecimal and the receipt is decimal', 'hex_to_decimal', '0000A1F', '2591'],
    ['the response is decimal and the receipt is hexadecimal', 'decimal_to_hex', '2591', '0A1F'],
  ] as const)('is matched to its response by id when %s', (_, id_format, responseId, receipt) => {
    const id_settings = settings({ id_format });
    const pdu = deliver(formatReceipt({ id: receipt, state: 'DELIVERED', submit_date: day, done_date: day }));
    expect(readReport(pdu, id_settings)?.external_id).toBe(answerId(responseId, id_settings));
  });

  test('has a time only when the UTC offset of the carrier is known', () => {
    const pdu = deliver(formatReceipt({ id: '1', state: 'DELIVERED', submit_date: day, done_date: day }));
    expect(readReport(pdu, settings())?.at).toBeUndefined();
    const { at } = readReport(pdu, settings({ utc_offset_minutes: 330 }))!;
    expect(at).toBe(day.getTime() - 330 * 60_000);
  });

  test('is not read from an ordinary message that looks like one', () => {
    const pdu = deliver({ short_message: Buffer.from('id:1 stat:DELIVRD') });
    expect(readReport(pdu, settings())).toBeNull();
  });
});

describe('an inbound message', () => {
  test.each([
    ['GSM-7', 0, Buffer.from([0x00, 0x41, 0x1b, 0x65]), '@A€'],
    ['Latin-1', 3, Buffer.from('é', 'latin1'), 'é'],
    ['Unicode', 8, Buffer.from('Ողջույն 🙂', 'utf16le').swap16(), 'Ողջույն 🙂'],
  ])('is decoded when its text is in %s', (_, data_coding, short_message, text) => {
    const pdu = deliver({ data_coding, short_message });
    expect(readIncoming(pdu, settings(), 's')).toMatchObject({
      from: '37491234567',
      to: '447700900000',
      text,
      part: null,
    });
  });

  test('includes the position and octets of its part', () => {
    const short_message = Buffer.from([5, 0, 3, 9, 2, 1, 0x41]);
    const incoming = readIncoming(deliver({ esm_class: 0x40, short_message }), settings(), 's');
    expect(incoming.text).toBeNull();
    expect(incoming.part).toMatchObject({ total: 2, part: 1, coding: 0, octets: Buffer.from('A') });
  });

  test('has the same digest only when it is delivered again', () => {
    const digest = (fields: Partial<Pdu>) => readIncoming(deliver(fields), settings(), 's').digest.toString('hex');
    const hello = { short_message: Buffer.from('Hi') };
    expect(digest({ ...hello, sequence_number: 9 })).toBe(digest(hello));
    const variants = [
      digest({ short_message: Buffer.from('Hi!') }),
      digest({ ...hello, source_addr: '37491234568' }),
      digest({ ...hello, destination_addr: '63420' }),
      digest({ ...hello, tlvs: { sar_msg_ref_num: 1, sar_total_segments: 2, sar_segment_seqnum: 1 } }),
    ];
    expect(new Set([digest(hello), ...variants]).size).toBe(5);
  });
});
