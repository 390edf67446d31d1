import { Connection } from '@parley/contract/connections/connections.ts';
import { expect, test } from 'vitest';
import { type Bind, summarizeBinds } from './binds.ts';

const bind = (slot: number, state: Bind['state'], detail = ''): Bind => ({
  slot,
  state,
  detail,
  window: 50,
  in_flight: 7,
  rate_per_second: 120,
  pace_per_second: null,
  sent_count: 9,
  throttled_count: 2,
  bound_date: null,
});
const connection = (binds: Bind[], enabled = true): Connection =>
  Connection.parse({
    id: 'c',
    name: 'North',
    adapter: 'smpp',
    channel: 'SMS',
    settings: { host: 'smsc.example', port: 2775, system_id: 'us', binds: 2 },
    unknown_policy: 'fail',
    unknown_grace_seconds: 300,
    enabled,
    paused_date: null,
    pause_reason: '',
    poor_health: null,
    desired_binds: enabled ? 2 : 0,
    binds,
    queued: 0,
    taken_today: 0,
    secrets: [],
    callback_url: null,
    callback_state: null,
    create_date: '2030-01-01 00:00:00',
    update_date: '2030-01-01 00:00:00',
  });

test.each([
  ['all binds are bound', [bind(0, 'bound'), bind(1, 'bound')], true, 'bound', null, 2, 2],
  ['one bind is down', [bind(0, 'waiting', 'ECONNREFUSED'), bind(1, 'bound')], true, 'bound', 'ECONNREFUSED', 1, 2],
  [
    'the carrier throttles the bind',
    [bind(0, 'throttled', 'ESME_RTHROTTLED')],
    true,
    'throttled',
    'ESME_RTHROTTLED',
    1,
    2,
  ],
  ['no worker is running', [], true, 'stopped', null, 0, 2],
  ['the connection is disabled', [], false, 'disabled', null, 0, 0],
] as const)(
  'the summary shows the best state, the reason, and the number of binds when %s',
  (_, binds, enabled, state, reason, bound, configured) => {
    expect(summarizeBinds(connection([...binds], enabled))).toMatchObject({ state, reason, bound, configured });
  },
);

test('the summary adds up the window, rate, and in-flight messages of all binds', () => {
  expect(summarizeBinds(connection([bind(0, 'bound'), bind(1, 'bound')]))).toMatchObject({
    in_flight: 14,
    window: 100,
    rate_per_second: 240,
    throttled_count: 4,
  });
});

test('the summary adds up the learned pace when only some binds have one', () => {
  expect(summarizeBinds(connection([bind(0, 'bound')]))).toMatchObject({ pace_per_second: null, paced: 0 });
  const binds = [{ ...bind(0, 'throttled'), pace_per_second: 200 }, bind(1, 'bound')];
  expect(summarizeBinds(connection(binds))).toMatchObject({ pace_per_second: 200, paced: 1, bound: 2 });
});

test('a paused connection states the reason', () => {
  const paused = { ...connection([]), paused_date: '2030-01-01 00:00:00', pause_reason: 'The account is unpaid' };
  expect(summarizeBinds(paused)).toMatchObject({ state: 'paused', reason: 'The account is unpaid', bound: 0 });
});

test('a connection in poor health is avoided while a bind is up, and states the reason', () => {
  const poor = (state: Bind['state'], detail = '') => ({
    ...connection([bind(0, state, detail)]),
    poor_health: '40% without a response',
  });
  expect(summarizeBinds(poor('bound'))).toMatchObject({ state: 'avoided', reason: '40% without a response' });
  expect(summarizeBinds(poor('waiting', 'ECONNREFUSED'))).toMatchObject({ state: 'waiting', reason: 'ECONNREFUSED' });
});
