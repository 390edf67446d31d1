import { describe, expect, test } from 'vitest';
import { buildBook } from './route_book.ts';

const row = (prefix: string, country: string, connection_id: string, live = true) => ({
  channel: 'SMS',
  prefix,
  country,
  connection_id,
  live,
});

describe('the route book', () => {
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
    ['uses the worldwide route when no other route matches', '+33612345678', 'FR', 'world', []],
    ['prefers a country over the worldwide route', '+15551234567', 'US', 'usa', []],
    ['prefers a prefix over a country', '+37410123456', 'AM', 'armenia-prefix', []],
    ['keeps the longest prefix even when its connection is down', '37477123456', 'AM', 'mobile-down', []],
    ['matches a prefix that is limited to a country', '+16041234567', 'CA', 'canada', []],
    [
      'prefers an equal route that is up and lists the other as an alternative',
      '+7999',
      'AM',
      'armenia-second',
      ['armenia-down'],
    ],
  ])('%s', (_, number, country, connection_id, alternatives) => {
    expect(book.route('SMS', number, country)).toEqual({ connection_id, alternatives });
  });

  test('returns null when no connection carries the channel', () => {
    expect(book.route('VIBER', '+33612345678', 'FR')).toBeNull();
    expect(buildBook([]).route('SMS', '+33612345678', 'FR')).toBeNull();
  });
});
