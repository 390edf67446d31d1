/** @vitest-environment happy-dom */
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../test/draw.tsx';
import OverdueBanner from './OverdueBanner.tsx';

afterEach(() => vi.unstubAllGlobals());

const OVERDUE = {
  ...{ account_id: 'a', owed_micros: 12_500_000, currency: 'USD', card_refused: false },
  ...{ since: '2026-11-01 10:00:00', next_date: null, paused: true },
};
const drawBanner = async (overdue: object | null) => {
  const session = sessionStub();
  stubApi((call) => (call.path === '/v1/overdue' ? respond(overdue) : session(call)));
  await draw(() => (
    <main id="page">
      <h1>Campaigns</h1>
      <OverdueBanner />
    </main>
  ));
  await screen.findByRole('heading', { name: 'Campaigns' });
};

test('a paused account sees the amount it owes and how to continue sending at the top of each page', async () => {
  await drawBanner(OVERDUE);
  await waitFor(() => expect(document.getElementById('page')!.firstElementChild!.textContent).toContain('$12.50'));
  expect(screen.getByText(/Sending is paused/).textContent).toContain('Sending continues as soon as');
  expect(screen.getByRole('link', { name: 'Add funds' }).getAttribute('href')).toBe('/add-funds');
});

test('the banner for a declined card links to auto top-up, and without a case there is no banner', async () => {
  await drawBanner({ ...OVERDUE, owed_micros: 0, card_refused: true, paused: false });
  expect((await screen.findByRole('link', { name: 'Check card' })).getAttribute('href')).toBe('/billing/auto-top-up');
  document.body.innerHTML = '';
  await drawBanner(null);
  expect(screen.queryByRole('link', { name: 'Add funds' })).toBeNull();
});
