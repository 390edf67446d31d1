import { describe, expect, test } from 'vitest';
import { checkConnectionHealth, checkDailyLimits, checkDevices } from './checks.ts';

describe('the check of Android phones', () => {
  const phone = (state: object = {}, seconds = 60) => ({
    name: 'Reception',
    state: {
      battery_percent: 80,
      is_charging: false,
      is_online: true,
      network: '4G' as const,
      failed_count: 0,
      ...state,
    },
    seconds,
  });
  test.each([
    ['a phone reports a good state', phone(), 'good', 'Reception: battery 80%, 4G'],
    ['the battery is low', phone({ battery_percent: 20 }), 'warning', 'Reception: battery 20%, 4G, not charging'],
    ['the battery is almost empty', phone({ battery_percent: 9 }), 'bad', 'not charging'],
    ['an empty battery is charging', phone({ battery_percent: 5, is_charging: true }), 'good', 'battery 5%, charging'],
    ['the phone is offline', phone({ is_online: false }), 'bad', 'no internet connection'],
    ['the phone is silent', phone({}, 7_300), 'bad', 'no report for 2 h'],
    ['messages failed', phone({ failed_count: 2 }), 'warning', '2 failed messages in the last hour'],
    ['the network is unknown', phone({ network: 'unknown' }), 'good', 'Reception: battery 80%'],
  ])('has a verdict and says why when %s', (_, device, status, text) => {
    const [check] = checkDevices([device]);
    expect(check).toMatchObject({ status });
    expect(check!.detail).toContain(text);
  });

  test('shows the worst phone, and nothing without phones', () => {
    expect(checkDevices([phone(), phone({ battery_percent: 9 })])).toMatchObject([
      { status: 'bad', value: 'Lowest battery 9%' },
    ]);
    expect(checkDevices([])).toEqual([]);
  });
});

test('the check of daily limits shows the used part, and warns when a limit is reached', () => {
  const limit = (taken_today: number) => ({ name: 'SIM 1', daily_limit: 1_000, taken_today });
  expect(checkDailyLimits([])).toEqual([]);
  expect(checkDailyLimits([limit(999)])).toMatchObject([
    { status: 'good', value: 'Not reached', detail: 'SIM 1: 999 of 1,000 messages today' },
  ]);
  expect(checkDailyLimits([limit(999), limit(1_000)])).toMatchObject([{ status: 'warning', value: '1 of 2 reached' }]);
});

test('the check of connection health names the connections that routes avoid, and why', () => {
  const [good, poor] = [
    { name: 'North', poor: '' },
    { name: 'South', poor: '40% without a response' },
  ];
  expect(checkConnectionHealth([good!])).toMatchObject({ status: 'good', value: 'None avoided', detail: '' });
  expect(checkConnectionHealth([good!, poor!])).toMatchObject({
    ...{ status: 'warning', value: '1 of 2 avoided', figure: 1 },
    detail: 'South: 40% without a response. New messages take other routes, if there are any.',
  });
});
