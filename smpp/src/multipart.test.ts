import { GSM7_ALPHABET } from '@parley/contract/channels/sms/gsm7.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MultipartMode, type PartFields, split } from './multipart.ts';
import { decodePdu, encodePdu, type Pdu, PduError } from './pdu.ts';
import { type Assembled, Reassembly, readPart } from './reassembly.ts';
import { type Alphabet, decodeText } from './text.ts';
import { buildUdh, parseUdh } from './udh.ts';

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const arrive = (fields: PartFields, from = '37499', to = '1234'): Pdu =>
  decodePdu(encodePdu({ command: 'deliver_sm', ...fields, source_addr: from, destination_addr: to }));
const gsmText = fc.string({
  unit: fc.constantFrom(...GSM7_ALPHABET.replace('\u001b', ''), '€', '{', '}'),
  maxLength: 900,
});
const unicodeText = fc.string({ unit: 'binary', maxLength: 500 }).map((text) => `я${text.replaceAll('\0', '')}`);
const mode = fc.constantFrom<MultipartMode>('udh8', 'udh16', 'sar', 'payload');
const text = fc.oneof(
  gsmText.map((value) => ({ value, alphabet: 'gsm7' as Alphabet })),
  unicodeText.map((value) => ({ value, alphabet: 'ucs2' as Alphabet })),
);

describe('a user data header', () => {
  test('has an 8-bit or 16-bit reference', () => {
    const eight = buildUdh({ reference: 0xab, total: 3, part: 2, bits: 8 });
    const sixteen = buildUdh({ reference: 0xabcd, total: 3, part: 2, bits: 16 });
    expect(eight).toEqual(hex('05 00 03 ab 03 02'));
    expect(sixteen).toEqual(hex('06 08 04 abcd 03 02'));
    expect(parseUdh(Buffer.concat([eight, hex('41')]))).toEqual({
      elements: [{ id: 0, data: hex('ab0302') }],
      concatenation: { reference: 0xab, total: 3, part: 2, bits: 8 },
      body: hex('41'),
    });
    expect(parseUdh(sixteen).concatenation).toEqual({ reference: 0xabcd, total: 3, part: 2, bits: 16 });
  });

  test('keeps other elements and ignores an invalid concatenation', () => {
    const parsed = parseUdh(hex('0b 05 04 23f0 0000 00 03 01 02 01 ff'));
    expect(parsed.elements.map((element) => element.id)).toEqual([5, 0]);
    expect(parsed.concatenation).toMatchObject({ total: 2, part: 1 });
    expect(parsed.body).toEqual(hex('ff'));
    for (const header of ['05 00 03 01 00 01', '05 00 03 01 02 00', '05 00 03 01 02 03', '04 00 02 01 02']) {
      expect(parseUdh(hex(header)).concatenation, header).toBeNull();
    }
  });

  test.each(['', '05', '05 00 03 01 02', '05 00 04 01 02 01', '01 00', '03 00 03 01'])(
    'is rejected as malformed when its octets are %j',
    (octets) => {
      expect(() => parseUdh(hex(octets))).toThrow(PduError);
    },
  );

  test('is parsed or rejected with PduError for any octets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (octets) => {
        try {
          const { elements, body } = parseUdh(Buffer.from(octets));
          const size = elements.reduce((sum, element) => sum + 2 + element.data.length, 1);
          expect(size + body.length).toBe(octets.length);
        } catch (error) {
          expect(error).toBeInstanceOf(PduError);
        }
      }),
    );
  });
});

describe('split', () => {
  test.each<[Alphabet, MultipartMode, number[], string]>([
    ['gsm7', 'udh8', [160], 'a'.repeat(160)],
    ['gsm7', 'udh8', [159, 14], 'a'.repeat(161)],
    ['gsm7', 'udh16', [159, 159, 8], 'a'.repeat(305)],
    ['gsm7', 'sar', [153, 8], 'a'.repeat(161)],
    ['gsm7', 'udh8', [158, 16], `${'a'.repeat(152)}€${'a'.repeat(8)}`],
    ['ucs2', 'udh8', [140], 'я'.repeat(70)],
    ['ucs2', 'udh8', [140, 14], 'я'.repeat(71)],
    ['ucs2', 'udh16', [139, 17], 'я'.repeat(71)],
    ['ucs2', 'udh8', [138, 18], '😀'.repeat(36)],
    ['latin1', 'udh8', [140, 13], 'é'.repeat(141)],
  ])('cuts %s text with %s into parts of %j octets', (alphabet, mode, sizes, value) => {
    const parts = split(value, mode, { alphabet, reference: 1 });
    expect(parts.map((part) => part.short_message!.length)).toEqual(sizes);
  });

  test('splits at the same boundaries as the segment counter', () => {
    fc.assert(
      fc.property(text, fc.constantFrom<'udh8' | 'udh16'>('udh8', 'udh16'), ({ value, alphabet }, mode) => {
        const encoding = alphabet === 'gsm7' ? 'auto' : 'ucs2';
        const segments = segment(value, { encoding, reference: mode === 'udh8' ? 8 : 16 });
        const options = { alphabet, reference: 7 };
        const parts = split(value, mode, options);
        expect(parts).toEqual(split(segments.segments, mode, options));
        expect(parts.length).toBe(segments.segments.length);
        const texts = parts.map((part) => {
          const body = part.esm_class ? parseUdh(part.short_message!).body : part.short_message!;
          return decodeText(body, part.data_coding!);
        });
        expect(texts).toEqual(segments.segments.map((piece) => piece.toWellFormed()));
      }),
    );
  });

  test("puts a payload into one part with the connection's data coding", () => {
    const [part, ...rest] = split('a'.repeat(500), 'payload', { alphabet: 'latin1', data_coding: 0, reference: 1 });
    expect(rest).toEqual([]);
    expect(part).toMatchObject({
      esm_class: 0,
      data_coding: 0,
      tlvs: { message_payload: Buffer.from('a'.repeat(500)) },
    });
    expect(split('hi', 'payload', { alphabet: 'gsm7', reference: 1 })).toEqual([
      { short_message: Buffer.from('hi'), esm_class: 0, data_coding: 0 },
    ]);
  });

  test('rejects too many parts and parts that are too long', () => {
    expect(() => split('a'.repeat(153 * 256), 'udh8', { alphabet: 'gsm7', reference: 1 })).toThrow('256 parts');
    expect(() => split(['a'.repeat(154), 'b'], 'udh8', { alphabet: 'gsm7', reference: 1 })).toThrow('too long');
    expect(() => split(['a'.repeat(161)], 'udh8', { alphabet: 'gsm7', reference: 1 })).toThrow('too long');
  });
});

describe('reassembly', () => {
  const clock = (start = 0) => {
    const at = { now: start };
    return Object.assign(() => at.now, { pass: (ms: number) => (at.now += ms) });
  };
  const long = (reference: number, letter = 'a') =>
    split(letter.repeat(400), 'udh8', { alphabet: 'gsm7', reference }).map((part) => arrive(part));

  test('joins any message in any mode exactly once from shuffled and repeated parts', () => {
    const shuffledParts = fc.tuple(text, mode, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), fc.nat(255));
    fc.assert(
      fc.property(shuffledParts, ({ 0: { value, alphabet }, 1: mode, 2: keys, 3: reference }) => {
        const parts = split(value, mode, { alphabet, reference }).map((part) => arrive(part));
        const order = [...parts, ...(parts.length > 1 ? parts : [])]
          .map((pdu, index) => ({ pdu, key: keys[index % keys.length]! }))
          .sort((a, b) => a.key - b.key);
        const reassembly = new Reassembly();
        const messages = order.flatMap(({ pdu }) => reassembly.add(pdu) ?? []);
        expect(messages).toHaveLength(1);
        expect(decodeText(messages[0]!.body, messages[0]!.pdus[0]!.data_coding!)).toBe(value.toWellFormed());
        expect(messages[0]!.missing).toEqual([]);
        expect(messages[0]!.pdus).toHaveLength(parts.length);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps messages apart by sender, receiver, reference, and total', () => {
    const send = (from: string, to: string, reference: number, letters: string) =>
      split(letters.repeat(200), 'udh8', { alphabet: 'gsm7', reference }).map((part) => arrive(part, from, to));
    const all = [
      send('1', '9', 1, 'a'),
      send('2', '9', 1, 'b'),
      send('1', '8', 1, 'c'),
      send('1', '9', 2, 'd'),
      send('1', '9', 1, 'ef'),
    ];
    const reassembly = new Reassembly();
    const bodies: string[] = [];
    for (let i = 0; i < 3; i++) {
      for (const parts of all) {
        const message = parts[i] && reassembly.add(parts[i]!);
        if (message) bodies.push(message.body.toString());
      }
    }
    expect(bodies.map((body) => body.slice(0, 2))).toEqual(['aa', 'bb', 'cc', 'dd', 'ef']);
  });

  test('treats a reused reference as a new message and a repeated part as a duplicate', () => {
    const reassembly = new Reassembly();
    const first = long(5, 'a');
    const second = long(5, 'b');
    expect(first.map((pdu) => reassembly.add(pdu) !== null)).toEqual([false, false, true]);
    expect(reassembly.add(first[1]!)).toBeNull();
    expect(second.map((pdu) => reassembly.add(pdu)?.body.toString()[0] ?? '')).toEqual(['', '', 'b']);
  });

  test('reports an incomplete message after the timeout', () => {
    const now = clock();
    const expired: Assembled[] = [];
    const reassembly = new Reassembly({ timeout_ms: 1_000, now, onExpired: (partial) => expired.push(partial) });
    const parts = long(1);
    reassembly.add(parts[2]!);
    now.pass(600);
    reassembly.add(parts[0]!);
    now.pass(399);
    reassembly.sweep();
    expect(expired).toEqual([]);
    now.pass(1);
    reassembly.sweep();
    expect(expired).toHaveLength(1);
    expect(expired[0]!.missing).toEqual([2]);
    expect(expired[0]!.body).toHaveLength(400 - 153);
    expect(reassembly.octets).toBe(0);
    // The missing part now starts a new message.
    expect(reassembly.add(parts[1]!)).toBeNull();
  });

  test('stays within its memory limit and reports every dropped message', () => {
    const expired: Assembled[] = [];
    const reassembly = new Reassembly({ max_octets: 20_000, onExpired: (partial) => expired.push(partial) });
    for (let reference = 0; reference < 200; reference++) {
      reassembly.add(long(reference)[0]!);
      expect(reassembly.octets).toBeLessThanOrEqual(20_000);
    }
    const before = expired.length;
    reassembly.clear();
    expect(before).toBeGreaterThan(150);
    expect(expired).toHaveLength(200);
    expect(reassembly.octets).toBe(0);
  });

  test('copies parts instead of keeping the network chunk in memory', () => {
    const [first, second, third] = long(1) as [Pdu, Pdu, Pdu];
    const reassembly = new Reassembly();
    reassembly.add(first);
    reassembly.add(second);
    for (const pdu of [first, second]) pdu.short_message!.fill(0);
    expect(reassembly.add(third)!.body.toString()).toBe('a'.repeat(400));
  });

  test('returns a message without parts or with a single part immediately', () => {
    const single = arrive({ short_message: hex('05 00 03 01 01 01 41'), esm_class: 0x40, data_coding: 0 });
    expect(readPart(single)).toBeNull();
    expect(new Reassembly().add(single)!.body).toEqual(hex('41'));
    const ported = arrive({ short_message: hex('06 05 04 23f0 0000 42'), esm_class: 0x40, data_coding: 4 });
    expect(new Reassembly().add(ported)!.body).toEqual(hex('42'));
  });
});
