/** @vitest-environment happy-dom */
import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { createConnection } from '@parley/contract/connections/connections.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import ConnectionsPage from './ConnectionsPage.tsx';
import RoutesPage from './RoutesPage.tsx';

const DATE = '2030-01-01 10:00:00';
const north = {
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae',
  name: 'North',
  adapter: 'smpp',
  channel: 'SMS',
  settings: SmppSettings.omit({ password: true }).parse({
    host: 'smsc.example',
    port: 2775,
    system_id: 'us',
    binds: 2,
  }),
  unknown_policy: 'fail',
  unknown_grace_seconds: 300,
  enabled: true,
  paused_date: null,
  pause_reason: '',
  poor_health: null,
  desired_binds: 2,
  binds: [
    {
      slot: 0,
      state: 'bound',
      detail: '',
      window: 50,
      in_flight: 7,
      rate_per_second: 1_204,
      pace_per_second: 380,
      sent_count: 9,
      throttled_count: 12,
      bound_date: DATE,
    },
    {
      slot: 1,
      state: 'waiting',
      detail: 'connect ECONNREFUSED',
      window: 50,
      in_flight: 0,
      rate_per_second: 0,
      pace_per_second: null,
      sent_count: 0,
      throttled_count: 0,
      bound_date: null,
    },
  ],
  queued: 3_500,
  secrets: ['password'],
  callback_url: null,
  callback_state: null,
  create_date: DATE,
  update_date: DATE,
};
const route = {
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caaaf',
  channel: 'SMS',
  country: 'AM',
  prefix: null,
  connection_id: north.id,
  connection_name: 'North',
  priority: 10,
  percentage: null,
  cost_micros: 7_500,
  mccmnc: null,
  enabled: true,
  create_date: DATE,
};
const page = { number: 1, size: 10, total: 1, links: { first: '', current: '', previous: null, next: null } };

let calls: Call[];
beforeEach(() => {
  const session = sessionStub();
  calls = stubApi(async (call) => {
    if (call.method === 'POST' && call.path === '/v1/connections') {
      const { name } = call.body as { name: string };
      return name === 'North'
        ? refuse(409, { code: 1952, message: 'A connection with this name already exists', field: 'name' })
        : respond({ ...north, name });
    }
    if (call.path === '/v1/connections') return respond([north], page);
    if (call.path === '/v1/routes') return respond([route], page);
    return session(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the connections table shows the bound binds, window, rate, and queue', async () => {
  await draw(ConnectionsPage);
  const row = await screen.findByRole('row', { name: /North/ });
  for (const text of ['1 of 2', '7 of 100', '1,204', '3,500', 'smsc.example:2775'])
    expect(row.textContent).toContain(text);
  expect(await screen.findByRole('note', { name: 'Bound: connect ECONNREFUSED' })).toBeTruthy();
});

test('the connection form sends a valid body and shows a server error at its field', async () => {
  const onDone = vi.fn();
  await draw(() => <ConnectionForm adapter="smpp" connection={null} endpoint={createConnection} onDone={onDone} />);
  const type = (label: string | RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
  expect(await screen.findByText('Host is required!')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  type(/^Name/, 'North');
  type(/^Host/, 'smsc.example');
  type(/^System ID/, 'us');
  type(/^Password/, 'secret');
  fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  expect(await screen.findByText('A connection with this name already exists')).toBeTruthy();
  type(/^Name/, 'East');
  fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(createConnection.body.parse(calls.findLast(({ method }) => method === 'POST')!.body)).toMatchObject({
    name: 'East',
    settings: { host: 'smsc.example', password: 'secret', throughput: null, window: 50 },
    unknown_policy: 'fail',
  });
});

test('the connection form of any other provider offers the formats of the body', async () => {
  await draw(() => <ConnectionForm adapter="generic" connection={null} endpoint={createConnection} onDone={vi.fn()} />);
  fireEvent.click((await screen.findAllByLabelText('Format'))[0]!);
  expect(await screen.findByRole('option', { name: 'JSON', hidden: true })).toBeTruthy();
  expect(screen.getByRole('option', { name: 'Form fields', hidden: true })).toBeTruthy();
});

test('the routes table shows the numbers and connection for each route', async () => {
  await draw(RoutesPage);
  const row = await screen.findByRole('row', { name: /Armenia/ });
  expect(row.textContent).toContain('North');
  expect(row.textContent).toContain('0.0075');
});
