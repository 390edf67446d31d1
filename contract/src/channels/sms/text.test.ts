import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GSM7_ALPHABET, GSM7_EXTENSION, gsm7Septet } from './gsm7.ts';
import {
  render,
  segment,
  segmentCount,
  septets,
  tagsIn,
  toGsmSafe,
  unknownVariables,
  VARIABLES,
  variablesIn,
} from './text.ts';

const extended = GSM7_EXTENSION.map(([, character]) => character);
const basic = [...GSM7_ALPHABET].filter((character) => character !== '\u001b');
const gsmText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...basic) }, fc.constantFrom(...extended)), {
    maxLength: 700,
  })
  .map((characters) => characters.join(''));
const anyText = fc.oneof(
  gsmText,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  // Includes lone surrogates.
  fc.array(fc.nat(0xffff), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
);
const reference = fc.constantFrom<8 | 16>(8, 16);
const encoding = fc.constantFrom<'auto' | 'gsm7' | 'ucs2'>('auto', 'gsm7', 'ucs2');

describe('the GSM-7 alphabet', () => {
  test('has 127 characters and the escape, each at its standard septet', () => {
    expect(GSM7_ALPHABET).toHaveLength(128);
    expect(new Set(GSM7_ALPHABET).size).toBe(128);
    const lowSeptets = {
      '@': 0,
      $: 2,
      '\n': 0x0a,
      '\r': 0x0d,
      Δ: 0x10,
      _: 0x11,
      Ξ: 0x1a,
      É: 0x1f,
      ' ': 0x20,
      '¤': 0x24,
    };
    const highSeptets = {
      '0': 0x30,
      '¡': 0x40,
      A: 0x41,
      Z: 0x5a,
      Ä: 0x5b,
      '§': 0x5f,
      '¿': 0x60,
      a: 0x61,
      z: 0x7a,
      à: 0x7f,
    };
    for (const [character, septet] of Object.entries({ ...lowSeptets, ...highSeptets })) {
      expect(gsm7Septet(character.charCodeAt(0)), character).toBe(septet);
    }
    expect(gsm7Septet('€'.charCodeAt(0))).toBe(0x80 | 0x65);
  });

  test.each(['\u0000', '\t', '\u001b', '\u00a0', '`', 'ç', 'á', '’', '…', '₹', 'я', '\uffff'])(
    'does not contain %j',
    (character) => {
      expect(gsm7Septet(character.charCodeAt(0))).toBe(-1);
      expect(segment(character).encoding).toBe('UCS-2');
    },
  );
});

describe('segments', () => {
  // [name, text, options, encoding, length, characters per segment, remaining]
  const a = (n: number) => 'a'.repeat(n);
  const vectors: [string, string, Parameters<typeof segment>[1], string, number, number[], number][] = [
    ['an empty text', '', {}, 'GSM-7', 0, [0], 160],
    ['a text that fills one segment', a(160), {}, 'GSM-7', 160, [160], 0],
    ['a text one character too long for one segment', a(161), {}, 'GSM-7', 161, [153, 8], 145],
    ['a text that fills two segments', a(306), {}, 'GSM-7', 306, [153, 153], 0],
    ['a text one character too long for two segments', a(307), {}, 'GSM-7', 307, [153, 153, 1], 152],
    ['a text of three segments with a 16-bit reference', a(305), { reference: 16 }, 'GSM-7', 305, [152, 152, 1], 151],
    ['a text of one segment, which needs no reference', a(160), { reference: 16 }, 'GSM-7', 160, [160], 0],
    ['80 euro signs', '€'.repeat(80), {}, 'GSM-7', 160, [80], 0],
    ['an escape pair that must move to the next segment', `${a(152)}€${a(8)}`, {}, 'GSM-7', 162, [152, 9], 143],
    ['an escape pair that ends at the segment boundary', `${a(151)}€${a(8)}`, {}, 'GSM-7', 161, [152, 8], 145],
    ['81 euro signs, which waste a septet', '€'.repeat(81), {}, 'GSM-7', 162, [76, 5], 143],
    ['a text whose wasted septet costs a segment', `${a(152)}€${a(152)}`, {}, 'GSM-7', 306, [152, 152, 1], 152],
    ['a line break of two septets', `${a(159)}\r\n`, {}, 'GSM-7', 161, [153, 8], 145],
    ['70 UCS-2 units', 'я'.repeat(70), {}, 'UCS-2', 70, [70], 0],
    ['71 UCS-2 units', 'я'.repeat(71), {}, 'UCS-2', 71, [67, 4], 63],
    ['a UCS-2 text with a 16-bit reference', 'я'.repeat(133), { reference: 16 }, 'UCS-2', 133, [66, 66, 1], 65],
    ['35 emoji', '😀'.repeat(35), {}, 'UCS-2', 70, [70], 0],
    ['36 emoji, none of which is split', '😀'.repeat(36), {}, 'UCS-2', 72, [66, 6], 61],
    ['an emoji that ends at the segment boundary', `${'я'.repeat(65)}😀яяяя`, {}, 'UCS-2', 71, [67, 4], 63],
    ['lone surrogates of one unit each', '\ud83d'.repeat(71), {}, 'UCS-2', 71, [67, 4], 63],
    [
      'a lone low surrogate, which is not part of a pair',
      `${'я'.repeat(66)}\ude00${'я'.repeat(4)}`,
      {},
      'UCS-2',
      71,
      [67, 4],
      63,
    ],
    ['a text that one emoji switches to UCS-2', `${a(70)}😀`, {}, 'UCS-2', 72, [67, 5], 62],
    ['a text with UCS-2 on request', a(71), { encoding: 'ucs2' }, 'UCS-2', 71, [67, 4], 63],
    ['a text with GSM-7 on request', `“${a(158)}”`, { encoding: 'gsm7' }, 'GSM-7', 160, [160], 0],
    [
      'a text with GSM-7 on request and longer replacements',
      '…'.repeat(54),
      { encoding: 'gsm7' },
      'GSM-7',
      162,
      [153, 9],
      144,
    ],
  ];

  test.each(vectors)('are counted for %s', (_, text, options, expectedEncoding, length, sizes, remaining) => {
    const result = segment(text, options);
    expect(result.encoding).toBe(expectedEncoding);
    expect(result.length).toBe(length);
    expect(result.segments.map((part) => part.length)).toEqual(sizes);
    expect(result.remaining).toBe(remaining);
    expect(segmentCount(text, options)).toBe(sizes.length);
  });

  test('join into the original text, and each is full unless the next character does not fit', () => {
    fc.assert(
      fc.property(anyText, reference, fc.constantFrom<'auto' | 'ucs2'>('auto', 'ucs2'), (text, ref, mode) => {
        const result = segment(text, { reference: ref, encoding: mode });
        expect(result.segments.join('')).toBe(text);
        const size = (part: string) => (result.encoding === 'UCS-2' ? part.length : septets(part));
        expect(result.length).toBe(size(text));
        result.segments.forEach((part, index) => {
          expect(size(part)).toBeLessThanOrEqual(result.per_segment);
          const last = index === result.segments.length - 1;
          if (!last) {
            expect(size(part)).toBeGreaterThanOrEqual(result.per_segment - 1);
            const next = String.fromCodePoint(result.segments[index + 1]!.codePointAt(0)!);
            expect(size(part) + size(next)).toBeGreaterThan(result.per_segment);
            const before = part.charCodeAt(part.length - 1);
            expect((before & 0xfc00) === 0xd800 && (next.charCodeAt(0) & 0xfc00) === 0xdc00).toBe(false);
          }
        });
        expect(result.remaining).toBe(result.per_segment - size(result.segments.at(-1)!));
      }),
    );
  });

  test('are counted the same whether or not their text is built', () => {
    fc.assert(
      fc.property(anyText, reference, encoding, (text, ref, mode) => {
        const options = { reference: ref, encoding: mode };
        expect(segmentCount(text, options)).toBe(segment(text, options).segments.length);
      }),
    );
  });

  test('contain only GSM-7 characters when GSM-7 is forced', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = segment(text, { encoding: 'gsm7' });
        expect(result.encoding).toBe('GSM-7');
        expect(septets(result.segments.join(''))).toBe(result.length);
      }),
    );
  });
});

describe('characters that force Unicode', () => {
  test('are listed with their positions and any replacements', () => {
    expect(segment('“Don’t”\u00a0– ok… 😀я').unicode_characters).toEqual([
      { index: 0, character: '“', replacement: '"' },
      { index: 4, character: '’', replacement: "'" },
      { index: 6, character: '”', replacement: '"' },
      { index: 7, character: '\u00a0', replacement: ' ' },
      { index: 8, character: '–', replacement: '-' },
      { index: 12, character: '…', replacement: '...' },
      { index: 14, character: '😀' },
      { index: 16, character: 'я' },
    ]);
  });

  test.each([
    ['“Don’t” – ok…', '"Don\'t" - ok...'],
    ['déjà vu, mañana, Größe', 'déjà vu, mañana, Größe'],
    ['e\u0301te\u0301 “x”', 'été "x"'],
    ['ça va? São Łódź İstanbul', 'ca va? Sao Lodz Istanbul'],
    ['ＡＢＣ１２３！', 'ABC123!'],
    ['a\u200bb\ufeffc', 'abc'],
    ['one\ttwo\u2028three', 'one two\nthree'],
    ['½ off × 2 ™', '1/2 off x 2 (TM)'],
    ['привет 😀 “hi”', 'привет 😀 "hi"'],
    ['[€] {x} ^ \\ | ~', '[€] {x} ^ \\ | ~'],
  ])('are replaced so that %j becomes %j', (text, expected) => {
    expect(toGsmSafe(text)).toBe(expected);
  });

  test('are replaced only once, and GSM-7 text is unchanged', () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        expect(toGsmSafe(text)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const converted = toGsmSafe(text);
        expect(toGsmSafe(converted)).toBe(converted);
      }),
    );
  });

  test('are replaced only with characters from the alphabet', () => {
    for (let code = 1; code <= 0xffff; code++) {
      const [unicodeCharacter] = segment(String.fromCharCode(code)).unicode_characters;
      if (unicodeCharacter?.replacement === undefined) continue;
      expect(septets(unicodeCharacter.replacement), code.toString(16)).toBeGreaterThanOrEqual(0);
      expect(septets(toGsmSafe(unicodeCharacter.character)), code.toString(16)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('variables', () => {
  test('are filled with their fallback when the value is missing or blank', () => {
    const text = 'Hi {first_name:friend}, {custom1}{custom2:none}. {sms_opt_out}';
    expect(render(text, { first_name: 'Ann', custom1: 'A1', sms_opt_out: 'Reply STOP' })).toBe(
      'Hi Ann, A1none. Reply STOP',
    );
    expect(render(text, { first_name: ' ', custom1: null })).toBe('Hi friend, none. ');
  });

  test('ignore case and spaces, and leave other text in braces unchanged', () => {
    expect(render('{ First_Name }{LAST_NAME}', { first_name: 'A', last_name: 'B' })).toBe('AB');
    expect(render('{} {1} {nope} {constructor} {a b} {{first_name}}', { first_name: 'A' })).toBe(
      '{} {1} {nope} {constructor} {a b} {A}',
    );
  });

  test('are filled in one pass, so a value is never expanded or read as a pattern', () => {
    expect(render('{first_name}', { first_name: '{last_name}$&$1', last_name: 'X' })).toBe('{last_name}$&$1');
  });

  test('are each listed once, with known and unknown variables separated', () => {
    const text = '{custom1} {first_name:you} {custom1} {Nme} {nme} {Nme:x} {price}';
    expect(variablesIn(text)).toEqual(['custom1', 'first_name']);
    expect(unknownVariables(text)).toEqual(['Nme', 'nme', 'price']);
    expect(tagsIn('a {first_name:you} {x}')).toEqual([
      { index: 2, tag: '{first_name:you}', name: 'first_name', fallback: 'you', known: true },
      { index: 19, tag: '{x}', name: 'x', fallback: '', known: false },
    ]);
  });

  test('leave no known tags in the text when all are filled', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom(...VARIABLES.map((name) => `{${name}}`)));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const filled = render(text, Object.fromEntries(VARIABLES.map((name) => [name, '#'])));
        expect(variablesIn(filled)).toEqual([]);
        if (variablesIn(text).length === 0) expect(filled).toBe(text);
      }),
    );
  });
});
