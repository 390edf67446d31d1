import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../channel.ts';
import { buildDrafts } from './outgoing.ts';

const settings = (changes: Partial<SmppSettings> = {}) =>
  SmppSettings.parse({ host: 'carrier', port: 2775, system_id: 'us', ...changes });
const message = (changes: Partial<Outgoing> = {}): Outgoing => ({
  from: '447700900000',
  to: '37491234567',
  text: 'Hello',
  content: null,
  reference: 0x1234,
  key: 'k1',
  valid_seconds: 3_600,
  sent_parts: [],
  ...changes,
});

describe('submit_sm', () => {
  test('encodes a plain message', () => {
    expect(buildDrafts(message(), settings())).toEqual({
      parts: 1,
      segments: 1,
      drafts: [
        {
          part: 1,
          draft: {
            source_addr_ton: 1,
            source_addr_npi: 1,
            source_addr: '447700900000',
            dest_addr_ton: 1,
            dest_addr_npi: 1,
            destination_addr: '37491234567',
            registered_delivery: 1,
            validity_period: '000000010000000R',
            esm_class: 0,
            data_coding: 0,
            short_message: Buffer.from('Hello'),
            tlvs: { user_message_reference: 0x1234 },
          },
          text: 'Hello',
        },
      ],
    });
  });

  const long = 'Long enough for two parts. '.repeat(8);
  const sendSingle = (text: string, changes: Partial<SmppSettings>) => {
    const { parts, drafts } = buildDrafts(message({ text }), settings(changes));
    return {
      parts,
      lengths: drafts.map(({ draft }) => draft.short_message?.length ?? -1),
      coding: drafts[0]!.draft.data_coding,
      esm: drafts[0]!.draft.esm_class,
      head: drafts[0]!.draft.short_message?.subarray(0, 7).toString('hex'),
      tlvs: drafts[0]!.draft.tlvs,
    };
  };
  const reference = { user_message_reference: 0x1234 };

  test.each<[string, string, Partial<SmppSettings>, ReturnType<typeof sendSingle>]>([
    [
      'parts with 8-bit headers',
      long,
      {},
      { parts: 2, lengths: [159, 69], coding: 0, esm: 0x40, head: '0500033402014c', tlvs: reference },
    ],
    [
      'parts with 16-bit headers, which are one septet shorter',
      long,
      { multipart: 'udh16' },
      { parts: 2, lengths: [159, 71], coding: 0, esm: 0x40, head: '06080412340201', tlvs: reference },
    ],
    [
      'parts with parameters, for which the carrier writes the headers',
      long,
      { multipart: 'sar' },
      {
        parts: 2,
        lengths: [153, 63],
        coding: 0,
        esm: 0,
        head: '4c6f6e6720656e',
        tlvs: { ...reference, sar_msg_ref_num: 0x1234, sar_total_segments: 2, sar_segment_seqnum: 1 },
      },
    ],
    [
      'a long message in a single payload',
      long,
      { multipart: 'payload' },
      {
        parts: 1,
        lengths: [-1],
        coding: 0,
        esm: 0,
        head: undefined,
        tlvs: { ...reference, message_payload: Buffer.from(long) },
      },
    ],
    [
      'a Unicode text',
      'Բարեւ',
      {},
      {
        parts: 1,
        lengths: [10],
        coding: 8,
        esm: 0,
        head: Buffer.from('Բարեւ', 'utf16le').swap16().subarray(0, 7).toString('hex'),
        tlvs: reference,
      },
    ],
    [
      'GSM characters when the default alphabet is GSM',
      'é@',
      {},
      { parts: 1, lengths: [2], coding: 0, esm: 0, head: '0500', tlvs: reference },
    ],
    [
      'Latin-1 characters when the default alphabet is Latin-1',
      'é@',
      { default_alphabet: 'latin1' },
      { parts: 1, lengths: [2], coding: 0, esm: 0, head: 'e940', tlvs: reference },
    ],
    [
      'a character that the default alphabet lacks as UCS-2',
      'é',
      { default_alphabet: 'ascii' },
      { parts: 1, lengths: [2], coding: 8, esm: 0, head: '00e9', tlvs: reference },
    ],
    [
      'a message without a reference when the carrier cannot echo it',
      'Hi',
      { echoes_reference: false },
      { parts: 1, lengths: [2], coding: 0, esm: 0, head: '4869', tlvs: undefined },
    ],
  ])('encodes %s', (_, text, changes, expected) => {
    expect(sendSingle(text, changes)).toEqual(expected);
  });

  test('omits parts that the carrier already has', () => {
    const { parts, drafts } = buildDrafts(message({ text: long, sent_parts: [1] }), settings());
    expect(parts).toBe(2);
    expect(drafts.map(({ part }) => part)).toEqual([2]);
    expect(drafts[0]!.draft.short_message!.subarray(0, 6).toString('hex')).toBe('050003340202');
  });

  test.each<[string, string, Partial<SmppSettings>, [number, number, string]]>([
    ['a short code', '63420', {}, [3, 0, '63420']],
    [
      'a short code with the carrier’s type of number',
      '63420',
      { short_code_ton: 0, short_code_npi: 1 },
      [0, 1, '63420'],
    ],
    ['a name', 'HarbourCafe', {}, [5, 0, 'HarbourCafe']],
    ['a name with the carrier’s rule', 'HarbourCafe', { name_ton: 0, name_npi: 1 }, [0, 1, 'HarbourCafe']],
    ['a number with a leading plus', '447700900000', { sender_prefix: 'plus' }, [1, 1, '+447700900000']],
    ['a number with the carrier’s rule', '447700900000', { number_ton: 2, number_npi: 8 }, [2, 8, '447700900000']],
  ])('sets the source address for %s', (_, from, changes, [ton, npi, addr]) => {
    const { draft } = buildDrafts(message({ from }), settings(changes)).drafts[0]!;
    expect([draft.source_addr_ton, draft.source_addr_npi, draft.source_addr]).toEqual([ton, npi, addr]);
  });

  test.each([
    ['a period', 'relative', '000000010000000R'],
    ['a point in time', 'absolute', '300102040400000+'],
    ['nothing', 'none', undefined],
  ] as const)('states the validity as %s', (_, validity, period) => {
    const now = new Date(Date.UTC(2030, 0, 2, 3, 4));
    expect(buildDrafts(message(), settings({ validity }), now).drafts[0]!.draft.validity_period).toBe(period);
  });

  test('contains the service type and recipient format when the connection defines them', () => {
    const changes = { recipient_prefix: 'zeros', recipient_ton: 0, recipient_npi: 0, service_type: 'OTP' } as const;
    expect(buildDrafts(message(), settings(changes)).drafts[0]!.draft).toMatchObject({
      dest_addr_ton: 0,
      dest_addr_npi: 0,
      destination_addr: '0037491234567',
      service_type: 'OTP',
    });
  });
});
