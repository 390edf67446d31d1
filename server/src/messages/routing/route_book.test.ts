import { describe, expect, test } from 'vitest';
import { buildBook } from './route_book.ts';

const row = (prefix: string, country: string, connection_id: string, live = true) => ({
  channel: 'SMS',
  prefix,
  country,
  connection_id,
  live,
});

describe('route', () => {
  const book = buildBook([
    row('', '', 'world'),
    row('', 'AM', 'armenia-down', false),
    row('', 'AM', 'armenia-second'),
    row('374', '', 'armenia-prefix'),
    row('37477', '', 'mobile-down', false),
    row('1', 'CA', 'canada'),
    row('', 'US', 'usa'),
  ]);

  test.each([
    ['everywhere when nothing else matches', '+33612345678', 'FR', 'world', []],
    ['a country over everywhere', '+15551234567', 'US', 'usa', []],
    ['a prefix over a country', '+37410123456', 'AM', 'armenia-prefix', []],
    ['the longest prefix, even when it is down: no shorter one replaces it', '37477123456', 'AM', 'mobile-down', []],
    ['a prefix narrowed by a country', '+16041234567', 'CA', 'canada', []],
    [
      'among equals the one that is up, with the other as its alternative',
      '+7999',
      'AM',
      'armenia-second',
      ['armenia-down'],
    ],
  ])('%s', (_, number, country, connection_id, alternatives) => {
    expect(book.route('SMS', number, country)).toEqual({ connection_id, alternatives });
  });

  test('is null when no connection carries the channel', () => {
    expect(book.route('VIBER', '+33612345678', 'FR')).toBeNull();
    expect(buildBook([]).route('SMS', '+33612345678', 'FR')).toBeNull();
  });
});
