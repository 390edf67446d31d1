import { describe, expect, test } from 'vitest';
import { isVatNumber, taxRule } from './vat.ts';

/** One valid number for each member, and one that is a digit short. */
const NUMBERS: [country: string, number: string][] = [
  ['AT', 'ATU12345678'],
  ['BE', 'BE0123456789'],
  ['BG', 'BG123456789'],
  ['CY', 'CY12345678X'],
  ['CZ', 'CZ12345678'],
  ['DE', 'DE123456789'],
  ['DK', 'DK12345678'],
  ['EE', 'EE123456789'],
  ['ES', 'ESX1234567X'],
  ['FI', 'FI12345678'],
  ['FR', 'FRXX123456789'],
  ['GR', 'EL123456789'],
  ['HR', 'HR12345678901'],
  ['HU', 'HU12345678'],
  ['IE', 'IE1X23456A'],
  ['IT', 'IT12345678901'],
  ['LT', 'LT123456789'],
  ['LU', 'LU12345678'],
  ['LV', 'LV12345678901'],
  ['MT', 'MT12345678'],
  ['NL', 'NL123456789B01'],
  ['PL', 'PL1234567890'],
  ['PT', 'PT123456789'],
  ['RO', 'RO12'],
  ['SE', 'SE123456789012'],
  ['SI', 'SI12345678'],
  ['SK', 'SK1234567890'],
];
const RATES: Record<string, number> = {
  ...{
    AT: 20,
    BE: 21,
    BG: 20,
    CY: 19,
    CZ: 21,
    DE: 19,
    DK: 25,
    EE: 24,
    ES: 21,
    FI: 25.5,
    FR: 20,
    GR: 24,
    HR: 25,
    HU: 27,
  },
  ...{ IE: 23, IT: 22, LT: 21, LU: 17, LV: 21, MT: 18, NL: 21, PL: 23, PT: 23, RO: 21, SE: 25, SI: 22, SK: 23 },
};
const buyer = (country_code: string, vat_number = '', tax_rate = 0) => ({ country_code, vat_number, tax_rate });

describe('a VAT number', () => {
  test.each(NUMBERS)('of %s has its prefix and length', (country, number) => {
    expect(isVatNumber(country, number)).toBe(true);
    expect(isVatNumber(country, number.slice(0, -1))).toBe(false);
    expect(isVatNumber(country, `${number}000000000`)).toBe(false);
    expect(isVatNumber(country, number.slice(2))).toBe(false);
    expect(isVatNumber(country, `${number.slice(0, 2)}X${number.slice(2)}`)).toBe(false);
  });

  test.each([
    ['BG', 'BG1234567890'],
    ['BE', 'BE1123456789'],
    ['CZ', 'CZ1234567890'],
    ['LT', 'LT123456789012'],
    ['RO', 'RO1234567890'],
    ['IE', 'IE1+23456AB'],
  ])('of %s can also have the form %s', (country, number) => {
    expect(isVatNumber(country, number)).toBe(true);
  });

  test.each([
    ['BE', 'BE2123456789'],
    ['GR', 'GR123456789'],
    ['LT', 'LT1234567890'],
    ['DE', 'FR123456789'],
    ['US', 'US123456789'],
    ['GB', 'GB123456789'],
  ])('of %s cannot be %s', (country, number) => {
    expect(isVatNumber(country, number)).toBe(false);
  });

  test('can be written with spaces, dots, hyphens, and small letters', () => {
    expect(isVatNumber('NL', 'nl 1234.567-89 b01')).toBe(true);
    expect(isVatNumber('NL', 'NL_123456789B01')).toBe(false);
  });
});

describe('the tax of a sale', () => {
  test.each(Object.entries(RATES))('in %s is %d percent for buyers of the same country', (country, rate) => {
    expect(taxRule(country, buyer(country))).toEqual({ rate, reverse_charge: false });
    expect(taxRule(country === 'DE' ? 'FR' : 'DE', buyer(country))).toEqual({ rate, reverse_charge: false });
  });

  test('is owed by a company with a VAT number of another member', () => {
    expect(taxRule('DE', buyer('FR', 'FRXX123456789'))).toEqual({ rate: 0, reverse_charge: true });
    expect(taxRule('FR', buyer('FR', 'FRXX123456789'))).toEqual({ rate: 20, reverse_charge: false });
    expect(taxRule('DE', buyer('FR', 'DE123456789'))).toEqual({ rate: 20, reverse_charge: false });
  });

  test('is not owed by a company whose VAT number the register rejects', () => {
    const refused = { ...buyer('FR', 'FRXX123456789'), is_vat_refused: true };
    expect(taxRule('DE', refused)).toEqual({ rate: 20, reverse_charge: false });
  });

  test('is zero when the seller or the buyer is outside the European Union', () => {
    expect(taxRule('US', buyer('DE'))).toEqual({ rate: 0, reverse_charge: false });
    expect(taxRule('DE', buyer('US'))).toEqual({ rate: 0, reverse_charge: false });
    expect(taxRule('US', buyer('FR', 'FRXX123456789'))).toEqual({ rate: 0, reverse_charge: false });
  });

  test('has the rate that operators have set, everywhere', () => {
    expect(taxRule('DE', buyer('FR', 'FRXX123456789', 7))).toEqual({ rate: 7, reverse_charge: false });
    expect(taxRule('US', buyer('US', '', 0.5))).toEqual({ rate: 0.5, reverse_charge: false });
  });
});
