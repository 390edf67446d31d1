/** @vitest-environment happy-dom */
import type { AnnouncedRate } from '@parley/contract/billing/announced_rates.ts';
import type { RateChange } from '@parley/contract/billing/rate_changes.ts';
import type { Rate } from '@parley/contract/billing/rates.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, respond, sessionStub, stubApi } from '../test/draw.tsx';
import RatesPage from './RatesPage.tsx';

const PAGE = { number: 1, size: 10, total: 2, links: { first: '', current: '', previous: null, next: null } };
const KEY = { channel: 'SMS', mccmnc: null, network: null, purpose: null, currency: 'USD' } as const;
const RATES: Rate[] = [
  {
    ...{ ...KEY, id: 'a', country: 'DE', custom: false },
    ...{ price_micros: 80_000, since: '2026-11-02 10:00:00', previous_micros: 75_000 },
    ...{ next_micros: 90_000, next_date: '2026-12-01 00:00:00' },
    ...{ steps: [{ above_units: 10_000, price_micros: 70_000 }], month_units: 8_200 },
    ...{ next_steps: [], next_steps_month: '2027-01' },
  },
  {
    ...KEY,
    id: 'b',
    country: 'FR',
    custom: true,
    price_micros: 50_000,
    since: null,
    previous_micros: null,
    next_micros: null,
    next_date: null,
    ...{ steps: [], month_units: null, next_steps: null, next_steps_month: null },
  },
];
const CHANGES: RateChange[] = [
  {
    ...{ ...KEY, id: 'c', country: 'DE', custom: false },
    ...{ before_micros: 80_000, after_micros: 70_000, create_date: '2026-11-03 10:00:00' },
  },
];
const ANNOUNCED: AnnouncedRate[] = [
  {
    ...{ ...KEY, id: 'd', country: 'PT', before_micros: 30_000, after_micros: 52_000 },
    effective_date: '2026-12-01 00:00:00',
  },
];

let calls: Call[];
beforeEach(() => {
  const session = sessionStub();
  calls = stubApi((call) => {
    if (call.path === '/v1/rates') return respond(RATES, PAGE);
    if (call.path === '/v1/rate_changes') return respond(CHANGES, { ...PAGE, total: 1 });
    if (call.path === '/v1/announced_rates') return respond(ANNOUNCED);
    return session(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

test('each price shows when it took effect, and how it changed', async () => {
  await draw(RatesPage);
  const row = await screen.findByRole('row', { name: /Germany/ });
  expect(row.textContent).toContain('Up from $0.075');
  expect(row.textContent?.replace(/\s+/g, ' ')).toMatch(/From 01.12.2026: \$0\.09/);
  expect(screen.getByRole('row', { name: /France/ }).textContent).toContain('Not recorded');
});

test('the price changes load when they are opened', async () => {
  await draw(RatesPage);
  await screen.findByRole('row', { name: /Germany/ });
  expect(calls.some(({ path }) => path === '/v1/rate_changes')).toBe(false);
  fireEvent.click(screen.getByRole('radio', { name: 'Price changes' }));
  await waitFor(() => expect(screen.getByRole('row', { name: /Germany/ }).textContent).toContain('Down from $0.08'));
});

test('announced changes are listed above the past ones', async () => {
  await draw(RatesPage);
  fireEvent.click(await screen.findByRole('radio', { name: 'Price changes' }));
  const announced = await screen.findByRole('region', { name: 'Announced price changes' });
  expect(announced.textContent).toMatch(/Portugal.*\$0\.052.*Up from \$0\.03/);
});

test('the download has the prices of the chosen day', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  await draw(RatesPage);
  const field = await screen.findByLabelText('Prices in force on');
  fireEvent.change(field, { target: { value: '01-02-2027' } });
  fireEvent.blur(field);
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/v1/export_rates')?.query.get('date')).toBe('2027-02-01'),
  );
});
