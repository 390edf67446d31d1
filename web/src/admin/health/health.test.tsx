/** @vitest-environment happy-dom */
import type { Health } from '@parley/contract/admin/customers.ts';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import HealthPage from './HealthPage.tsx';

afterEach(() => vi.unstubAllGlobals());

const queue = (name: string, waiting: number, failed = 0): Health['queues'][number] => ({
  name,
  waiting,
  active: 0,
  failed,
  oldest_seconds: waiting > 0 ? 5 : null,
});
const health: Health = {
  status: 'bad',
  checks: [
    {
      name: 'lines',
      label: 'Carrier binds',
      status: 'bad',
      value: '1 of 2 up',
      detail: 'Viber: paused (Unpaid)',
      trend: [2, 2, 1],
    },
    { name: 'jobs', label: 'Background jobs', status: 'good', value: '3 due', detail: '', trend: [] },
    { name: 'database', label: 'Database', status: 'good', value: '14 MB', detail: '', trend: [] },
  ],
  queues: [queue('messages', 3), queue('mail.send', 0), queue('auth.prune', 0), queue('media.sweep', 0, 1)],
  waiting: [
    {
      connection_id: 'c1',
      connection: 'North',
      traffic_class: 'campaign',
      count: 20_000,
      is_minimum: true,
      oldest_seconds: 300,
    },
    { connection_id: 'c1', connection: 'North', traffic_class: 'code', count: 2, is_minimum: false, oldest_seconds: 1 },
  ],
  workers: [],
  doctor: { date: null, findings: [] },
  release: '1.0.0',
  database_bytes: 14_000_000,
};

async function open(): Promise<void> {
  const session = sessionStub();
  stubApi(async (call) => {
    if (call.path === '/v1/health') return respond(health);
    return call.path === '/v1/code_stops' ? respond([]) : session(call);
  });
  await draw(HealthPage);
}

test('a check links to its rows, states what is wrong, and shows its trend', async () => {
  await open();
  const link = await screen.findByRole('link', { name: 'Carrier binds: 1 of 2 up' });
  expect(link.getAttribute('href')).toBe('/connections');
  expect(screen.getByText('Viber: paused (Unpaid)')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Background jobs: 3 due' }).getAttribute('href')).toBe('/health#queues');
  expect(screen.getByRole('img', { name: 'Carrier binds in the last hour: 1 to 2' })).toBeTruthy();
  expect(screen.queryByRole('img', { name: /^Database/ })).toBeNull();
});

test('idle queues are hidden until the operator asks for them', async () => {
  await open();
  const queues = await screen.findByRole('table', { name: 'Queues' });
  const names = () =>
    within(queues)
      .getAllByRole('row')
      .map((row) => row.querySelector('code')?.textContent)
      .filter(Boolean);
  expect(names()).toEqual(['messages', 'media.sweep']);
  fireEvent.click(screen.getByRole('button', { name: 'Show 2 idle queues' }));
  expect(names()).toEqual(['messages', 'mail.send', 'auth.prune', 'media.sweep']);
  fireEvent.click(screen.getByRole('button', { name: 'Hide idle queues' }));
  expect(names()).toHaveLength(2);
});

test('the health page lists waiting messages by connection and class, with the age of the oldest', async () => {
  await open();
  const table = await screen.findByRole('table', { name: 'Waiting messages' });
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
        .slice(0, 4),
    );
  expect(rows).toEqual([
    ['North', 'Campaigns', '20,000 or more', '5 min'],
    ['North', 'Codes', '2', '1 s'],
  ]);
});
