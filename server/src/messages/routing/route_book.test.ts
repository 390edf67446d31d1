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
    expect(book.route('SMS', number, country)).toMatchObject({ connection_id, alternatives });
  });

  test('uses the routes of the network that a number has moved to', () => {
    const moved = buildBook([
      row('', 'GB', 'country'),
      { ...row('4474', '', 'north'), mccmnc: '23491' },
      { ...row('4475', '', 'south'), mccmnc: '23492' },
      { ...row('44751', '', 'south'), mccmnc: '23492' },
      row('4474001', '', 'prefix'),
    ]);
    const route = (number: string, network?: string) => moved.route('SMS', number, 'GB', network)?.connection_id;
    expect(route('447412345678')).toBe('north');
    expect(route('447412345678', '23491')).toBe('north');
    expect(route('447412345678', '23492')).toBe('south');
    expect(route('447412345678', '23499')).toBe('country');
    // A longer prefix still takes precedence.
    expect(route('447400112345', '23492')).toBe('prefix');
  });

  test('divides numbers by percentage, and always sends a number the same way', () => {
    const shared = buildBook([
      { ...row('', '', 'half'), percentage: 50 },
      { ...row('', '', 'third'), percentage: 30 },
      row('', '', 'rest'),
    ]);
    const counts: Record<string, number> = { half: 0, third: 0, rest: 0 };
    for (let n = 0; n < 2_000; n++) {
      const number = `44770090${String(n).padStart(4, '0')}`;
      const { connection_id, alternatives } = shared.route('SMS', number, 'GB')!;
      expect(shared.route('SMS', `+${number}`, 'GB')!.connection_id).toBe(connection_id);
      expect(alternatives).toHaveLength(2);
      counts[connection_id]!++;
    }
    for (const [name, share] of Object.entries({ half: 1_000, third: 600, rest: 400 }))
      expect(Math.abs(counts[name]! - share), name).toBeLessThan(120);
  });

  test('a route that fails leaves its numbers to the others by percentage, and the others keep theirs', () => {
    const shares = { half: 50, third: 30, rest: null };
    const build = (down: string | null) =>
      buildBook(
        Object.entries(shares).map(([name, percentage]) => ({ ...row('', '', name, name !== down), percentage })),
      );
    const [before, after] = [build(null), build('half')];
    const moved: Record<string, number> = { third: 0, rest: 0 };
    for (let n = 0; n < 4_000; n++) {
      const number = `44770090${String(n).padStart(4, '0')}`;
      const [was, now] = [before.route('SMS', number, 'GB')!, after.route('SMS', number, 'GB')!];
      if (was.connection_id === 'half') {
        expect(now.connection_id).toBe(was.alternatives[0]);
        moved[now.connection_id]!++;
      } else expect(now.connection_id).toBe(was.connection_id);
      expect(now.alternatives.at(-1)).toBe('half');
    }
    // 2,000 numbers, 30 to 20.
    expect(Math.abs(moved.third! - 1_200)).toBeLessThan(150);
    expect(Math.abs(moved.rest! - 800)).toBeLessThan(150);
  });

  test('avoids a connection in poor health, prefers the cheapest of equals, and explains both', () => {
    const book = buildBook([
      { ...row('', '', 'a'), name: 'First', priority: 1, poor: '25% delivered' },
      { ...row('', '', 'b'), name: 'Dear', priority: 2, cost_micros: 9_000 },
      { ...row('', '', 'c'), name: 'Cheap', priority: 2, cost_micros: 4_000 },
    ]);
    expect(book.route('SMS', '4477', 'GB')).toEqual({
      ...{ connection_id: 'c', alternatives: ['b', 'a'] },
      why: 'priority 2, the lowest cost; a preferred connection is in poor health (25% delivered)',
    });
    // A poor connection is still better than none.
    const alone = buildBook([{ ...row('', '', 'a'), poor: 'x' }, row('', '', 'down', false)]);
    expect(alone.route('SMS', '4477', 'GB')!.connection_id).toBe('a');
  });

  test('returns null when no connection carries the channel', () => {
    expect(book.route('VIBER', '+33612345678', 'FR')).toBeNull();
    expect(buildBook([]).route('SMS', '+33612345678', 'FR')).toBeNull();
  });
});
