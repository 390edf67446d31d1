import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePdu, encodePdu, type Pdu, type PduFields } from './pdu.ts';
import { formatReceipt, MESSAGE_STATES, normalizeId, parseReceipt } from './receipt.ts';

const arrive = (fields: PduFields): Pdu => decodePdu(encodePdu({ command: 'deliver_sm', ...fields }));
const parseText = (text: string, fields: PduFields = {}) =>
  parseReceipt(arrive({ esm_class: 4, short_message: Buffer.from(text), ...fields }));

describe('a receipt', () => {
  test('is parsed back after formatting, with and without parameters', () => {
    const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    const draft = fc.record({
      id: fc.stringMatching(/^[0-9A-Za-z-]{1,64}$/),
      state: fc.constantFrom(...MESSAGE_STATES),
      submit_date: moment,
      done_date: moment,
      error: fc.stringMatching(/^\d{3}$/),
      text: fc.string(),
      tlvs: fc.boolean(),
    });
    const minute = (date: Date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000);
    fc.assert(
      fc.property(draft, (receipt) => {
        const parsed = parseReceipt(arrive(formatReceipt(receipt)))!;
        expect(parsed).toMatchObject({ id: receipt.id, state: receipt.state, error: receipt.error });
        expect(parsed.submit_date).toEqual(minute(receipt.submit_date));
        expect(parsed.done_date).toEqual(minute(receipt.done_date));
        expect(parsed.intermediate).toBe(receipt.state === 'ENROUTE' || receipt.state === 'SCHEDULED');
      }),
    );
  });

  test.each<[string, object]>([
    [
      'id:0123456789 sub:001 dlvrd:001 submit date:2607151200 done date:2607151201 stat:DELIVRD err:000 text:Hello',
      { id: '0123456789', state: 'DELIVERED', error: '000', text: 'Hello', done_date: new Date('2026-07-15T12:01Z') },
    ],
    ['id:a_1@x$ stat:DELIVRD', { id: 'a_1@x$', state: 'DELIVERED' }],
    ['ID:AB-1 STAT:undeliv ERR:045', { id: 'AB-1', state: 'UNDELIVERABLE', error: '045', text: '' }],
    ['id: 7  stat : EXPIRED   err :', { id: '7', state: 'EXPIRED', error: null }],
    ['id:7 sub: dlvrd: submit date: done date: stat:REJECTD', { id: '7', state: 'REJECTED', submit_date: null }],
    ['id:7,stat:DELETED,err:1', { id: '7', state: 'DELETED', error: '1' }],
    ['stat:ACCEPTD id:late', { id: 'late', state: 'ACCEPTED' }],
    [
      'id:7 submit_date:260715120059 donedate:20260715120159 status=Delivered',
      {
        state: 'DELIVERED',
        submit_date: new Date('2026-07-15T12:00:59Z'),
        done_date: new Date('2026-07-15T12:01:59Z'),
      },
    ],
    ['id:7 done date:2613451200 stat:DELIVRD', { done_date: null }],
    ['id:7 stat:FAILED', { state: 'UNDELIVERABLE' }],
    ['id:7 stat:GONEFISHING', { state: 'UNKNOWN' }],
    ['id:7 stat:ENROUTE', { state: 'ENROUTE', intermediate: true }],
    ['id:7 stat:DELIVRD err:000 Text:id:8 stat:REJECTD', { id: '7', state: 'DELIVERED', text: 'id:8 stat:REJECTD' }],
    ['not a receipt form', { id: '', state: 'UNKNOWN', error: null, text: '' }],
    ['', { id: '', state: 'UNKNOWN' }],
  ])('is parsed from the text %j', (text, expected) => {
    expect(parseText(text)).toMatchObject(expected);
  });

  test('takes its values from parameters before its text', () => {
    const tlvs = { receipted_message_id: 'T', message_state: 5, network_error_code: Buffer.from([3, 0, 27]) };
    expect(parseText('id:X stat:DELIVRD err:000', { tlvs })).toMatchObject({
      id: 'T',
      state: 'UNDELIVERABLE',
      error: '27',
    });
    expect(parseText('id:X stat:DELIVRD', { tlvs: { message_state: 200 } })).toMatchObject({
      id: 'X',
      state: 'UNKNOWN',
    });
  });

  test('is parsed from text in any field and any alphabet', () => {
    const text = 'id:9 stat:DELIVRD err:000 text:';
    const payload = { short_message: Buffer.alloc(0), tlvs: { message_payload: Buffer.from(text) } };
    expect(parseText('', payload)).toMatchObject({ id: '9', state: 'DELIVERED' });
    const unicode = Buffer.from(text, 'utf16le').swap16();
    expect(parseText('', { short_message: unicode, data_coding: 8 })).toMatchObject({ id: '9', state: 'DELIVERED' });
    const withHeader = Buffer.concat([Buffer.from([1, 0]), Buffer.from(text)]);
    expect(
      parseReceipt(
        arrive({ esm_class: 0x44, short_message: withHeader, tlvs: { receipted_message_id: 'h', message_state: 2 } }),
      ),
    ).toMatchObject({ id: 'h', state: 'DELIVERED' });
  });

  test('is not parsed from an ordinary message with the text of a receipt', () => {
    const forged = { short_message: Buffer.from('id:1 sub:001 dlvrd:001 stat:DELIVRD err:000') };
    for (const esm_class of [0, 3, 0x80, 0x08, 0x10]) expect(parseReceipt(arrive({ ...forged, esm_class }))).toBeNull();
    expect(parseReceipt(arrive({ ...forged, esm_class: 0x20 }))).toMatchObject({ id: '1', intermediate: true });
    expect(parseReceipt(arrive({ tlvs: { receipted_message_id: '1' } }))).toBeNull();
    expect(parseReceipt(arrive({ tlvs: { receipted_message_id: '1', message_state: 2 } }))).toMatchObject({ id: '1' });
  });

  test("has dates in the carrier's time zone", () => {
    const pdu = arrive({ esm_class: 4, short_message: Buffer.from('id:1 done date:2607151600 stat:DELIVRD') });
    expect(parseReceipt(pdu, { utc_offset_minutes: 240 })!.done_date).toEqual(new Date('2026-07-15T12:00Z'));
  });

  test('is parsed from any octets without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), fc.nat(255), fc.nat(255), (octets, esm_class, data_coding) => {
        const short_message = Buffer.from(octets);
        const pdu: Pdu = {
          command: 'deliver_sm',
          command_status: 0,
          sequence_number: 1,
          esm_class,
          data_coding,
          short_message,
        };
        const receipt = parseReceipt(pdu);
        if (receipt) expect(MESSAGE_STATES).toContain(receipt.state);
      }),
    );
  });
});

describe('normalizeId', () => {
  test.each([
    ['0000A1F', 'hex', 'a1f'],
    ['0xA1F', 'hex_to_decimal', '2591'],
    ['2591', 'decimal_to_hex', 'a1f'],
    ['0002591', 'decimal', '2591'],
    ['  Ab-1 ', 'text', 'Ab-1'],
    ['ab-1', 'hex', 'ab-1'],
    ['A1F', 'decimal_to_hex', 'A1F'],
    ['', 'hex', ''],
    ['FFFFFFFFFFFFFFFFFFFF', 'hex_to_decimal', '1208925819614629174706175'],
  ] as const)('converts %j with the format %s to %j', (id, format, expected) => {
    expect(normalizeId(id, format)).toBe(expected);
  });

  test('converts hexadecimal and decimal spellings to the same id', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.nat(6), (value, zeros) => {
        const inHex = '0'.repeat(zeros) + value.toString(16).toUpperCase();
        const inDecimal = '0'.repeat(zeros) + value.toString();
        expect(normalizeId(inHex, 'hex')).toBe(normalizeId(inDecimal, 'decimal_to_hex'));
        expect(normalizeId(inHex, 'hex_to_decimal')).toBe(normalizeId(inDecimal, 'decimal'));
      }),
    );
  });
});
