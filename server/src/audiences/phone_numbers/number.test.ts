import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { parseNumber, readNumber } from './number.ts';
import { classifyDigits } from './numbering_plan.ts';

const digits = (text: string, country: string | null = null) => parseNumber(text, country)?.number ?? null;

describe('phone number parsing', () => {
  test.each([
    ['+1 (202) 555-0123', null, '12025550123'],
    ['12025550123', null, '12025550123'],
    ['00 374 91 123456', null, '37491123456'],
    ["'+37491123456", null, '37491123456'],
    ['+374\u00a091\u2010123456', null, '37491123456'],
    ['(202) 555-0123', 'US', '12025550123'],
    ['091 123456', 'AM', '37491123456'],
    ['011 374 91 123456', 'US', '37491123456'],
    ['12025550123', 'AM', '12025550123'],
    ['37491123456', 'US', '37491123456'],
    ['\u0661\u0662\u0660\u0662\u0665\u0665\u0665\u0660\u0661\u0662\u0663', null, '12025550123'],
    // A complete mobile number without +. The same digits could be a landline in Leer, Germany.
    ['4915505265888', 'DE', '4915505265888'],
    // Digits with a country code, as stored. The same digits could be landlines in small German towns.
    ['442079460958', 'DE', '442079460958'],
    ['37491123456', 'DE', '37491123456'],
    ['46701740612', 'DE', '46701740612'],
    // A spreadsheet removed the leading zero.
    ['302345678', 'DE', '49302345678'],
    ['15112345678', 'DE', '4915112345678'],
    ['40212345678', 'DE', '4940212345678'],
    ['030 2345678', 'DE', '49302345678'],
    ['+44 (0) 20 7946 0958', null, '442079460958'],
    ['="12025550123"', null, '12025550123'],
    ['12025550123.0', null, '12025550123'],
    ['tel:+12025550123', null, '12025550123'],
    ['\u202a+1 202 555 0123\u202c', null, '12025550123'],
    ['\uff0b\uff11\uff12\uff10\uff12\uff15\uff15\uff15\uff10\uff11\uff12\uff13', null, '12025550123'],
  ])('reads %s with default country %s as %s', (text, country, expected) => {
    expect(digits(text, country)).toBe(expected);
  });

  test.each([
    ['', null],
    ['   ', 'US'],
    ['(202) 555-0123', null],
    ['091 123456', null],
    ['091 123456', 'XX'],
    ['+1 202 555 0123 ext. 5', null],
    ['2025550123;ext=5', 'US'],
    ['1.20256E+10', 'US'],
    ['1-800-FLOWERS', 'US'],
    ['12025550123, 12025550124', null],
    ['+1900 5550 123', null],
    ['+374', null],
    ['5', 'US'],
    ['+883510012345678', null],
    ['++12025550123', null],
    [`+1202555012${'3'.repeat(60)}`, null],
  ])('rejects %s with default country %s', (text, country) => {
    expect(parseNumber(text, country)).toBeNull();
  });

  test.each([
    ['', 'missing'],
    [' \u00a0 ', 'missing'],
    ['1.20256E+10', 'damaged'],
    ['1,20256e10', 'damaged'],
    ['+1.2E+10', 'damaged'],
    ['n/a', 'invalid'],
    ['+1 202', 'invalid'],
  ] as const)('reports %s as %s', (text, fault) => {
    expect(readNumber(text)).toBe(fault);
  });

  test('keeps a number’s own country and type regardless of the default country', () => {
    expect(parseNumber('+7 701 123 4567', 'RU')).toEqual({ number: '77011234567', country: 'KZ', type: 'MOBILE' });
    expect(parseNumber('+44 113 496 0000')).toMatchObject({ country: 'GB', type: 'FIXED_LINE' });
  });

  test('never throws and leaves a parsed number unchanged', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'0123456789+-() .ext;\u0661\u00a0') }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(null, 'US', 'AM', 'RU', 'DE', 'ZZ', ''), (input, country) => {
        const parsed = parseNumber(input, country);
        if (!parsed) return;
        expect(parsed.number).toMatch(/^[1-9]\d{6,14}$/);
        expect(parseNumber(parsed.number)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });

  test('agrees with the library on any digits', () => {
    const anyNumber = fc.constantFrom(...getCountries()).chain((country) => {
      const code = getCountryCallingCode(country);
      const example = (examples as Record<string, string>)[country] ?? '201234567';
      const number = fc.tuple(fc.nat(example.length), fc.stringMatching(/^\d{14}$/)).map(([length, random]) => {
        return `${code}${example.slice(0, length)}${random.slice(0, example.length - length)}`;
      });
      return fc.oneof(
        number,
        fc.stringMatching(/^\d{0,16}$/).map((rest) => `${code}${rest}`),
      );
    });
    fc.assert(
      fc.property(fc.oneof(anyNumber, fc.stringMatching(/^[1-9]\d{3,17}$/)), (digits) => {
        const classified = classifyDigits(digits);
        if (classified === undefined) return;
        const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
        const type = parsed?.country && parsed.getType();
        expect(classified && { ...classified, number: `+${digits}` }).toEqual(
          parsed?.country && type ? { country: parsed.country, type, number: parsed.number } : null,
        );
      }),
      { numRuns: 5_000 },
    );
  });
});

test('the sandbox’s example numbers are valid', () => {
  const readSource = (path: string) => readFileSync(new URL(`../../../../sandbox/${path}`, import.meta.url), 'utf8');
  const named = [...readSource('README.md').matchAll(/\+\d[\d ]{9,}\d|"(?:to|dest)":"(\d{9,})"/g)].map(
    ([all, to]) => to ?? all,
  );
  const prefix = /sandbox-prefix'\) \?\? '(\d+)'/.exec(readSource('page/magic.js'))?.[1];
  expect(named.length).toBeGreaterThan(5);
  for (const number of [...named, `${prefix}900901`, `${prefix}900801`, `${prefix}900701`])
    expect([number, readNumber(number)]).toEqual([
      number,
      expect.objectContaining({ number: number.replace(/\D/g, '') }),
    ]);
});
