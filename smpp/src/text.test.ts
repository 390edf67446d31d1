import { GSM7_ALPHABET, GSM7_EXTENSION } from '@parley/contract/channels/sms/gsm7.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Alphabet, DATA_CODING, decodeText, encodeText, resolveCharset, wireAlphabet } from './text.ts';

const gsm = [...GSM7_ALPHABET.replace('\u001b', ''), ...GSM7_EXTENSION.map(([, character]) => character)];

describe('encoding', () => {
  test('uses unpacked septets for GSM-7, with an escape before extension characters', () => {
    expect(encodeText('@a€[_é', 'gsm7')).toEqual({
      bytes: Buffer.from([0, 0x61, 0x1b, 0x65, 0x1b, 0x3c, 0x11, 5]),
      lossy: [],
    });
  });

  test('uses big-endian order for UCS-2 and keeps surrogate pairs', () => {
    expect(encodeText('a😀', 'ucs2').bytes.toString('hex')).toBe('0061d83dde00');
  });

  test.each<[string, Alphabet, string, string[]]>([
    ['a😀b', 'gsm7', 'a?b', ['😀']],
    ['çáç`', 'gsm7', '????', ['ç', 'á', '`']],
    ['x€Ж', 'latin1', 'x??', ['€', 'Ж']],
    ['é', 'ascii', '?', ['é']],
  ])('turns %j in %s into %j and reports the lost characters', (text, alphabet, expected, lossy) => {
    const encoded = encodeText(text, alphabet);
    expect(encoded.bytes.toString('latin1')).toBe(expected);
    expect(encoded.lossy).toEqual(lossy);
  });

  test('replaces and reports an unpaired surrogate', () => {
    const encoded = encodeText('a\ud83db', 'ucs2');
    expect(encoded.bytes.toString('hex')).toBe('0061fffd0062');
    expect(encoded.lossy).toEqual(['\ud83d']);
  });

  test('uses the default alphabet if the whole text fits and UCS-2 otherwise', () => {
    expect(wireAlphabet('Größe [1] €', 'gsm7')).toEqual({ alphabet: 'gsm7', data_coding: 0 });
    expect(wireAlphabet('ça', 'gsm7')).toEqual({ alphabet: 'ucs2', data_coding: 8 });
    expect(wireAlphabet('ça', 'latin1')).toEqual({ alphabet: 'latin1', data_coding: 0 });
    expect(wireAlphabet('€', 'latin1')).toEqual({ alphabet: 'ucs2', data_coding: 8 });
    expect(wireAlphabet('é', 'ascii')).toEqual({ alphabet: 'ucs2', data_coding: 8 });
  });
});

describe('decoding', () => {
  const alphabets: [Alphabet, fc.Arbitrary<string>][] = [
    ['gsm7', fc.string({ unit: fc.constantFrom(...gsm), maxLength: 200 })],
    ['latin1', fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) })],
    ['ascii', fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll('\0', ''))],
    ['ucs2', fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))],
  ];
  test.each(alphabets)('restores every %s text', (alphabet, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { bytes, lossy } = encodeText(text, alphabet);
        expect(lossy).toEqual([]);
        expect(decodeText(bytes, DATA_CODING[alphabet])).toBe(text);
      }),
    );
  });

  test('turns any octets in any data coding into text that can be stored', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(255), (octets, data_coding) => {
        const text = decodeText(Buffer.from(octets), data_coding);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toContain('\0');
      }),
      { numRuns: 2_000 },
    );
  });

  test('never returns @ for a character other than @', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      if (character !== '@') expect(encodeText(character, 'gsm7').bytes[0], code.toString(16)).not.toBe(0);
    }
  });

  test.each<[number, string]>([
    [0x00, 'gsm7'],
    [0x01, 'ascii'],
    [0x03, 'latin1'],
    [0x04, 'binary'],
    [0x08, 'ucs2'],
    [0x10, 'gsm7'],
    [0x15, 'binary'],
    [0x18, 'ucs2'],
    [0xc8, 'gsm7'],
    [0xe0, 'ucs2'],
    [0xf0, 'gsm7'],
    [0xf1, 'gsm7'],
    [0xf5, 'binary'],
    [0x99, 'binary'],
  ])('reads data_coding %i as %s', (data_coding, charset) => {
    expect(resolveCharset(data_coding)).toBe(charset);
  });

  test('applies the default alphabet only to data_coding 0', () => {
    const octets = Buffer.from([0x00, 0x5f, 0xe9]);
    expect(decodeText(octets, 0)).toBe('@§\ufffd');
    expect(decodeText(octets, 0, { default_alphabet: 'latin1' })).toBe('\ufffd_é');
    expect(decodeText(octets, 0, { default_alphabet: 'ascii' })).toBe('\ufffd_\ufffd');
    expect(decodeText(octets, 0xf0, { default_alphabet: 'latin1' })).toBe('@§\ufffd');
  });

  test('uses overridden data_coding values for a peer', () => {
    const data_codings = { 1: 'gsm7', 3: 'gsm7' } as const;
    expect(decodeText(Buffer.from([0x00, 0x11]), 1, { data_codings })).toBe('@_');
    expect(decodeText(Buffer.from([0x00, 0x41]), 8, { data_codings })).toBe('A');
  });

  test('supports other character sets and incomplete octets', () => {
    expect(decodeText(Buffer.from([0xbf, 0xe0, 0xd8]), 6)).toBe('Пр\u0438');
    expect(decodeText(Buffer.from('04100', 'hex'), 8)).toBe('А');
    expect(decodeText(Buffer.from('041000', 'hex'), 8)).toBe('А\ufffd');
    expect(decodeText(Buffer.from('00ff', 'hex'), 4)).toBe('00ff');
    expect(decodeText(Buffer.from([0x1b, 0x41, 0x1b]), 0)).toBe('A');
  });
});
