import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { describe, expect, test } from 'vitest';
import type { TestExchange } from '../connection_test.ts';
import { readExchange } from './proposals.ts';

const settings = (changes: Partial<SmppSettings> = {}) =>
  SmppSettings.parse({ host: 'carrier', port: 2775, system_id: 'us', utc_offset_minutes: 0, ...changes });
const ARRIVED = Date.UTC(2030, 0, 2, 3, 4, 20);
const exchange = (
  { ids = ['7F3A'], id = '7F3A', done_date = '3001020304', address = '12025550188', reference = 77 } = {},
  failure: { code: string } | null = null,
): TestExchange => ({
  to: '12025550188',
  country: 'US',
  reference: 77,
  is_outdated: false,
  response: { ids, failure: failure && { text: 'Refused', ...failure } },
  receipt: failure
    ? null
    : {
        written: { id, id_in_text: id, done_date, parameters: ['message_state'], address },
        state: 'DELIVERED',
        reference,
        arrived_ms: ARRIVED,
      },
  report: null,
});
const propose = (changes: Partial<SmppSettings>, seen: TestExchange) =>
  Object.fromEntries(
    readExchange(settings(changes), seen).proposals.map(({ setting, proposed }) => [setting, proposed]),
  );

test('no settings are proposed when all settings match the carrier', () => {
  expect(readExchange(settings(), exchange())).toMatchObject({ proposals: [] });
});

describe('an ID format is proposed', () => {
  test.each([
    ['both are hexadecimal in different cases', '7F3A', '00007f3a', 'hex'],
    ['both are decimal and one has leading zeros', '0004711', '4711', 'decimal'],
    ['the response is hexadecimal', '7F3A', '32570', 'hex_to_decimal'],
    ['the receipt is hexadecimal', '32570', '7f3a', 'decimal_to_hex'],
  ])('when %s', (_, sent, received, proposed) => {
    expect(propose({}, exchange({ ids: [sent], id: received }))).toEqual({ id_format: proposed });
  });

  test('only when both IDs can have the same value', () => {
    expect(propose({}, exchange({ ids: ['abc-1'], id: 'xyz-2' }))).toEqual({});
    expect(propose({ id_format: 'hex' }, exchange({ ids: ['7F3A'], id: '00007f3a' }))).toEqual({});
  });

  test('as text when the IDs are equal without conversion', () => {
    expect(propose({ id_format: 'hex_to_decimal' }, exchange())).toEqual({ id_format: 'text' });
  });
});

test.each([
  ['ahead of UTC', '3001020834', 330],
  ['behind UTC', '3001011904', -480],
  ['unknown', '', undefined],
])('a UTC offset is proposed when the clock of the carrier is %s', (_, done_date, offset) => {
  expect(propose({}, exchange({ done_date }))).toEqual(offset === undefined ? {} : { utc_offset_minutes: offset });
});

test('a country is proposed when the number in the receipt has no country code', () => {
  expect(propose({}, exchange({ address: '2025550188' }))).toEqual({ country: 'US' });
  expect(propose({ country: 'US' }, exchange({ address: '2025550188' }))).toEqual({});
  expect(propose({}, exchange({ address: '+12025550188' }))).toEqual({});
});

test('the reference setting is turned off when the receipt does not return the reference', () => {
  expect(propose({}, exchange({ reference: 5 }))).toEqual({ echoes_reference: false });
});

test.each([
  ['0x62', { validity: 'absolute' }],
  ['0xC1', { echoes_reference: false }],
  ['0x0B', {}],
])('an alternative setting is proposed when the carrier rejects the message with %s', (code, proposed) => {
  expect(propose({}, exchange({}, { code }))).toEqual(proposed);
  expect(propose({}, { ...exchange({}, { code }), is_outdated: true })).toEqual({});
});
