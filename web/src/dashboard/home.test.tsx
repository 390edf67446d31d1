/** @vitest-environment happy-dom */
import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawApp } from '../test/app.tsx';
import { type Call, draw, refuse, respond, type Stub, sessionStub, stubApi } from '../test/draw.tsx';
import HomePage from './HomePage.tsx';

const NONE = { sent: 0, delivered: 0, failed: 0, received: 0, spend_micros: 0 };
const days = (count: number) => [{ date: '2026-11-21', ...NONE, sent: count, delivered: count }];
const empty = { number: 1, size: 10, total: 0, links: { first: '', current: '', previous: null, next: null } };

const api = (figures: Stub, permissions: Permissions = allPermissions()): Call[] => {
  const session = sessionStub({ permissions });
  return stubApi(async (call) => {
    if (call.path === '/v1/dashboard') return figures(call);
    if (call.path.startsWith('/v1/balances'))
      return respond({
        available_micros: 5_000_000,
        held_micros: 0,
        pending_balance: 0,
        currency: 'USD',
        configuration: { credit_limit: 0 },
      });
    if (call.path === '/v1/campaigns' || call.path === '/v1/conversations') return respond([], empty);
    if (call.path.includes('badges'))
      return respond({ self: { total: 0, unread: 0 }, none: { total: 0, unread: 0 }, others: { total: 0, unread: 0 } });
    return session(call);
  });
};
const busy = {
  days: days(120),
  total: { ...NONE, sent: 120, delivered: 108, failed: 6, received: 9, spend_micros: 900_000 },
  before: { ...NONE, sent: 100, delivered: 100 },
  channels: [
    { channel: 'SMS', ...NONE, sent: 90 },
    { channel: 'VIBER', ...NONE, sent: 30 },
  ],
  steps: { contacts: true, campaign: true, phone: true },
};
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const figure = async (label: string) => {
  const list = await screen.findByLabelText('Last 7 days');
  const name = [...list.querySelectorAll('dt')].find((dt) => dt.textContent === label);
  return name?.nextElementSibling?.textContent ?? null;
};

test('the dashboard shows each figure’s change and share of sent messages, and each channel’s share', async () => {
  api(() => respond(busy));
  await draw(HomePage);
  await waitFor(async () => expect(await figure('Messages sent')).toBe('120+20%'));
  expect(await figure('Delivered')).toBe('10890% · +8%');
  expect(await figure('Undelivered')).toBe('65%');
  expect(await figure('Spend')).toContain('$0.90');
  expect(screen.getByRole('list', { name: 'Messages by channel' }).textContent).toContain('75%');
});

test('the dashboard requests the period given in the URL', async () => {
  const calls = api(() => respond({ ...busy, days: days(1) }));
  await draw(HomePage, { address: '/?days=30' });
  expect(await screen.findByRole('heading', { name: 'Last 30 days' })).toBeTruthy();
  expect(calls.find(({ path }) => path === '/v1/dashboard')?.query.get('days')).toBe('30');
});

test('a new account sees its next steps instead of an empty chart', async () => {
  api(() => respond({ days: days(0), total: NONE, before: NONE, channels: [], steps: {} }));
  drawApp('/', { signedIn: true });
  expect(await screen.findByRole('region', { name: 'Next steps' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Last 7 days' })).toBeNull();
});

test('a user without payment permissions does not see amounts', async () => {
  api(() => respond(busy), { MESSAGES: 1, CAMPAIGNS: 1 });
  await draw(HomePage);
  await waitFor(async () => expect(await figure('Messages sent')).toBe('120+20%'));
  expect(await figure('Spend')).toBeNull();
  expect(screen.queryByText('Available balance')).toBeNull();
});

test('figures that fail to load show an error and a Retry button', async () => {
  let failing = true;
  api(() => (failing ? refuse(500, { code: 1004, message: 'An error on our side' }) : respond(busy)));
  await draw(HomePage);
  expect(await screen.findByText('The figures could not be loaded')).toBeTruthy();
  failing = false;
  screen.getByRole('button', { name: 'Retry' }).click();
  await waitFor(async () => expect(await figure('Messages sent')).toBe('120+20%'));
});

test('the next steps list the open steps, and all of them can be dismissed together', async () => {
  const calls = api(() => respond(busy));
  drawApp('/', { signedIn: true });
  const list = await screen.findByRole('region', { name: 'Next steps' });
  expect(list.textContent).not.toContain('Import your contacts');
  expect(list.textContent).toContain('Reply to your customers');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss all' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      steps_closed: expect.arrayContaining(['contacts', 'replies', 'examples']),
    }),
  );
});
