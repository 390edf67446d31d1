import fc from 'fast-check';
import { expect, test } from 'vitest';
import { destinationFields, parseAddress, readAddress, sourceFields } from './address.ts';

test.each([
  ['Parley', { kind: 'alphanumeric', ton: 5, npi: 0, addr: 'Parley' }],
  ['4 You', { kind: 'alphanumeric', ton: 5, npi: 0, addr: '4 You' }],
  ['1234', { kind: 'short_code', ton: 3, npi: 0, addr: '1234' }],
  ['+37491234567', { kind: 'international', ton: 1, npi: 1, addr: '37491234567' }],
  ['37491234567', { kind: 'international', ton: 1, npi: 1, addr: '37491234567' }],
  ['+1 (415) 555-2671', { kind: 'international', ton: 1, npi: 1, addr: '14155552671' }],
  ['+12345', { kind: 'international', ton: 1, npi: 1, addr: '12345' }],
])('parseAddress detects the kind of "%s"', (input, expected) => {
  expect(parseAddress(input)).toEqual(expected);
});

test('address rules override the numbering plan for each kind of address', () => {
  const rules = { short_code: { ton: 0, npi: 1 }, short_code_digits: 8, international: { ton: 0, npi: 0 } };
  expect(sourceFields('12345678', rules)).toEqual({ source_addr_ton: 0, source_addr_npi: 1, source_addr: '12345678' });
  expect(destinationFields('+37491234567', rules)).toEqual({
    dest_addr_ton: 0,
    dest_addr_npi: 0,
    destination_addr: '37491234567',
  });
});

test.each([
  [1, '37491234567', 'international', '37491234567'],
  [0, '+37491234567', 'international', '37491234567'],
  [0, '0037491234567', 'international', '37491234567'],
  [5, 'Parley', 'alphanumeric', 'Parley'],
  [5, '12345', 'alphanumeric', '12345'],
  [0, 'Parley', 'alphanumeric', 'Parley'],
  [0, '1234', 'short_code', '1234'],
  [3, '1234', 'short_code', '1234'],
  [6, '0012', 'short_code', '0012'],
] as const)('readAddress with TON %i reads %s as %s %s', (ton, input, kind, addr) => {
  expect(readAddress(ton, input)).toEqual({ kind, addr });
});

test('an address is read back unchanged after it is sent', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{2,14}$/), (digits) => {
      const parsed = parseAddress(digits);
      expect(readAddress(parsed.ton, parsed.addr)).toEqual({ kind: parsed.kind, addr: digits });
    }),
  );
});
